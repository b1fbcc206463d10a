// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/host/interrupt_controller.h"

#include <doctest/doctest.h>

#include "tests/hw_model/blocks/device_bench.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

using namespace hw;

constexpr std::uint32_t kStatus = 0x60;
constexpr std::uint32_t kMask = 0x64;

// A device whose program raises job done and message at cycle 100 or so.
DeviceBench::Options raising() {
    DeviceBench::Options options;
    options.script = [](ControllerPort& port) {
        port.charge(100);
        port.write32(regs::IrqRaise::kSpec.offset, 0x3);
    };
    return options;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/interrupt_controller");

TEST_CASE("a masked interrupt is pending but does not raise the line [E-1]") {
    simCase([] {
        DeviceBench bench(raising());
        bench.boot();
        bench.run(200);
        CHECK(bench.read(kStatus) == 0x3);
        CHECK_FALSE(bench.irq.read());
        bench.write(kMask, 0x1);
        bench.run(1);
        CHECK(bench.irq.read());
    });
}

TEST_CASE("the line follows status and mask as a level [E-1]") {
    simCase([] {
        DeviceBench bench(raising());
        bench.write(kMask, 0xF);
        bench.boot();
        CHECK_FALSE(bench.irq.read());
        bench.run(200);
        CHECK(bench.irq.read());
        bench.write(kStatus, 0x1);
        bench.run(1);
        CHECK(bench.irq.read());
        CHECK(bench.read(kStatus) == 0x2);
        bench.write(kStatus, 0x2);
        bench.run(1);
        CHECK_FALSE(bench.irq.read());
        CHECK(bench.perf(regs::PerfEvent::kInterrupts) == 1);
        REQUIRE(bench.observer.line.size() == 2);
        CHECK(bench.observer.line[0] == std::pair<std::uint64_t, bool>{102, true});
    });
}

TEST_CASE("a pending masked interrupt does not keep the line raised [E-1]") {
    simCase([] {
        DeviceBench bench(raising());
        bench.write(kMask, 0x1);
        bench.boot();
        bench.run(200);
        CHECK(bench.irq.read());
        bench.write(kStatus, 0x1);
        bench.run(1);
        CHECK(bench.read(kStatus) == 0x2);
        CHECK_FALSE(bench.irq.read());
    });
}

TEST_CASE("writing zeroes clears nothing [E-1]") {
    simCase([] {
        DeviceBench bench(raising());
        bench.boot();
        bench.run(200);
        bench.write(kStatus, 0);
        CHECK(bench.read(kStatus) == 0x3);
    });
}

TEST_CASE("only the declared bits exist [E-1]") {
    simCase([] {
        DeviceBench::Options options;
        options.script = [](ControllerPort& port) {
            port.write32(regs::IrqRaise::kSpec.offset, 0xFFFFFFFF);
        };
        DeviceBench bench(std::move(options));
        bench.write(kMask, 0xFFFFFFFF);
        bench.boot();
        bench.run(200);
        CHECK(bench.read(kStatus) == 0xF);
        CHECK(bench.read(kMask) == 0xF);
    });
}

TEST_CASE("reset drops the line [E-7]") {
    simCase([] {
        DeviceBench bench(raising());
        bench.write(kMask, 0xF);
        bench.boot();
        bench.run(200);
        CHECK(bench.irq.read());
        bench.write(0x40, 1);
        bench.run(1);
        CHECK_FALSE(bench.irq.read());
        CHECK(bench.read(kStatus) == 0);
        CHECK(bench.read(kMask) == 0);
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
