// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/address_space.h"

#include <doctest/doctest.h>

#include <vector>

#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
#include "tests/driver/support/fake_device_port.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;

TEST_SUITE_BEGIN("driver/memory/address_space");

namespace {

/// A port whose memory is scattered: the pages of a buffer lie on the bus in reverse order.
class ScatteredPort : public FakeDevicePort {
  public:
    std::vector<BusRange> busRanges(std::uint64_t busAddress, std::uint64_t sizeBytes) override {
        std::vector<BusRange> ranges;
        for (std::uint64_t end = sizeBytes; end > 0; end -= kPage) {
            ranges.push_back({busAddress + end - kPage, kPage});
        }
        return ranges;
    }
};

}  // namespace

TEST_CASE("memory that is scattered on the bus is contiguous in the address space") {
    constexpr std::uint32_t kContext = 1;
    constexpr std::uint64_t kPages = 40;
    ScatteredPort port;
    const DriverOptions options;
    const DeviceInfo info = *DeviceInfo::read(port);
    const DriverLog log(port, nullptr);
    LiveCounters counters;
    MailboxClient mailbox(port, [](const FaultReport& /*report*/) {});
    RingRegistry rings(info.ringCount);
    JobTracker jobs(port, counters);
    const Environment environment{port, info, options, log, counters, mailbox, rings, jobs};
    const DmaBuffer buffer = *port.allocateDma(kPages * kPage);
    auto space = *AddressSpace::create(environment, kContext);
    space->retire();  // no firmware takes part

    const BusRange whole{buffer.busAddress, buffer.sizeBytes};
    const auto address = space->map({&whole, 1}, /*isWritable=*/true);
    REQUIRE(address.has_value());
    port.withMemory([&](FakeMemory& memory) {
        memory.setRoot(kContext, space->rootBusAddress());
        for (std::uint64_t i = 0; i < kPages; ++i) {
            CAPTURE(i);
            CHECK_EQ(memory.translate(kContext, *address + i * kPage, true),
                     buffer.host + (kPages - 1 - i) * kPage);
        }
        CHECK_EQ(memory.translate(kContext, *address + kPages * kPage, false), nullptr);
        CHECK_EQ(memory.badLargePages(), 0);
    });

    space->unmap(*address);
    port.withMemory([&](FakeMemory& memory) {
        memory.invalidate(kContext);
        CHECK_EQ(memory.translate(kContext, *address, false), nullptr);
    });
    space.reset();
    port.freeDma(buffer);
}

TEST_SUITE_END();
