// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/doorbells.h"

#include <doctest/doctest.h>

#include <vector>

#include "tests/hw_model/blocks/device_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/doorbells");

TEST_CASE("each ring has a doorbell, a value and a pending bit [E-1]") {
    simCase([] {
        std::vector<std::uint32_t> seen;
        DeviceBench::Options options;
        options.script = [&](ControllerPort& port) {
            port.charge(500);
            const std::uint32_t pending = regs::DoorbellPending::kSpec.offset;
            seen.push_back(port.read32(regs::ControllerIrqStatus::kSpec.offset));
            seen.push_back(port.read32(pending));
            seen.push_back(port.read32(regs::DoorbellValue::kSpec.at(3)));
            seen.push_back(port.read32(regs::DoorbellValue::kSpec.at(15)));
            port.write32(pending, 1U << 3);
            seen.push_back(port.read32(pending));
        };
        DeviceBench bench(std::move(options));
        bench.startTicking();
        bench.boot();
        bench.run(10);
        bench.write(0x100 + 4 * 3, 41);
        bench.write(0x100 + 4 * 3, 42);
        bench.write(0x100 + 4 * 15, 7);
        bench.run(1000);
        CHECK(seen == std::vector<std::uint32_t>{1, 0x8008, 42, 7, 0x8000});
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
