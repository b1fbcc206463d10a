// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cache_configuration.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <type_traits>

using vnpu::driver::cacheConfiguration;
using vnpu::driver::DeviceInfo;
using vnpu::driver::Digest;

TEST_SUITE_BEGIN("driver/cache/cache_configuration");

TEST_CASE("the same device and driver have the same configuration") {
    CHECK(cacheConfiguration({}, "vnpu-1.3") == cacheConfiguration({}, "vnpu-1.3"));
}

TEST_CASE("every number of the device and the driver's version distinguish configurations") {
    std::set<Digest> seen{cacheConfiguration({}, "vnpu-1.3"), cacheConfiguration({}, "vnpu-1.4")};
    std::size_t fields = 0;
    const DeviceInfo none;
    visitDeviceFields(none, [&](auto&&...) { ++fields; });
    REQUIRE(fields >= 40);
    for (std::size_t changed = 0; changed < fields; ++changed) {
        DeviceInfo info;
        std::size_t field = 0;
        visitDeviceFields(info, [&](auto& member, auto&&...) {
            if (field++ == changed) {
                member = static_cast<std::decay_t<decltype(member)>>(member + 1);
            }
        });
        seen.insert(cacheConfiguration(info, "vnpu-1.3"));
    }
    DeviceInfo slower;
    slower.clockLevelsHz[1] = 1;
    seen.insert(cacheConfiguration(slower, "vnpu-1.3"));
    CHECK_EQ(seen.size(), fields + 3);
}

TEST_SUITE_END();
