// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/npu_config.h"

#include <doctest/doctest.h>

namespace vnpu::test {

using hw::NpuConfig;

TEST_SUITE_BEGIN("hw_model/timing/npu_config");

TEST_CASE("times are rounded up to whole device cycles [E-3]") {
    NpuConfig config;
    config.clockKhz = 700'000;
    CHECK(hw::deviceCycles(config, 0) == 0);
    CHECK(hw::deviceCycles(config, 10) == 7);
    CHECK(hw::deviceCycles(config, 11) == 8);  // 7.7
    CHECK(hw::deviceCycles(config, 10'000'000) == 7'000'000);
}

TEST_SUITE_END();

}  // namespace vnpu::test
