// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/port_conformance.h"

#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <vector>

#include "driver/port/register_access.h"
#include "firmware/api/mailbox.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver::test {

namespace {

using hw::kPageBytes;
using namespace std::chrono_literals;
namespace regs = hw::regs;

void checkEvents(DevicePort& port) {
    const auto event = port.createEvent();
    const auto before = port.now();
    CHECK_FALSE(event->waitFor(10us));
    CHECK_GE(port.now() - before, 10us);
    event->set();
    CHECK(event->waitFor(1h));
    CHECK(event->waitFor(0ns));  // it remains set
    event->wait();
    event->reset();
    CHECK_FALSE(event->waitFor(1us));
}

void checkTime(DevicePort& port) {
    const auto before = port.now();
    port.chargeHost(HostWork::kSubmit);
    port.chargeHost(HostWork::kComplete);
    const auto between = port.now();
    CHECK_GE(between, before);
    port.read32(regs::Status::kSpec.offset);
    CHECK_GE(port.now(), between);
}

void checkPostedWork(DevicePort& port) {
    const auto mayRun = port.createEvent();
    const auto isDone = port.createEvent();
    std::atomic<int> runs{0};
    for (int i = 0; i < 3; ++i) {
        // On the caller's thread the first one would wait forever.
        const auto posted = port.post([&] {
            mayRun->wait();
            if (++runs == 3) {
                isDone->set();
            }
        });
        REQUIRE(posted.has_value());
    }
    CHECK_EQ(runs, 0);
    mayRun->set();
    isDone->wait();
    CHECK_EQ(runs, 3);
}

bool isZero(const DmaBuffer& buffer, std::uint64_t sizeBytes) {
    return std::all_of(buffer.host, buffer.host + sizeBytes,
                       [](std::byte byte) { return byte == std::byte{0}; });
}

void checkDeviceMemory(DevicePort& port) {
    const std::uint64_t sizes[] = {1, kPageBytes, kPageBytes + 1, 3 * hw::kLargePageBytes};
    std::vector<DmaBuffer> buffers;
    for (const std::uint64_t size : sizes) {
        CAPTURE(size);
        const auto buffer = port.allocateDma(size);
        REQUIRE(buffer.has_value());
        CHECK_GE(buffer->sizeBytes, size);
        CHECK_EQ(buffer->busAddress % kPageBytes, 0);
        CHECK_EQ(std::bit_cast<std::uintptr_t>(buffer->host) % kPageBytes, 0);
        CHECK(isZero(*buffer, size));
        for (const DmaBuffer& other : buffers) {
            CHECK((buffer->busAddress >= other.busAddress + other.sizeBytes ||
                   other.busAddress >= buffer->busAddress + buffer->sizeBytes));
        }
        std::memset(buffer->host, 0xFF, size);
        buffers.push_back(*buffer);
    }
    for (const DmaBuffer& buffer : buffers) {
        port.freeDma(buffer);
    }
    const auto again = port.allocateDma(kPageBytes);
    REQUIRE(again.has_value());
    CHECK(isZero(*again, kPageBytes));
    port.freeDma(*again);
}

void checkExhaustion(DevicePort& port) {
    const auto never = port.allocateDma(std::uint64_t{1} << 50);
    REQUIRE_FALSE(never.has_value());
    CHECK_EQ(never.error().status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    // Halves the size until an allocation succeeds, then takes all memory in pieces of that size.
    std::uint64_t size = std::uint64_t{1} << 40;
    std::vector<DmaBuffer> taken;
    while (true) {
        const auto buffer = port.allocateDma(size);
        if (buffer.has_value()) {
            taken.push_back(*buffer);
        } else if (taken.empty()) {
            size /= 2;
        } else {
            CHECK_EQ(buffer.error().status, ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
            break;
        }
    }
    for (const DmaBuffer& buffer : taken) {
        port.freeDma(buffer);
    }
    const auto afterwards = port.allocateDma(size);
    REQUIRE(afterwards.has_value());
    port.freeDma(*afterwards);
}

void checkClientMemory(DevicePort& port) {
    constexpr std::uint64_t kBytes = 3 * kPageBytes;
    void* pages =
            ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    const auto device = port.allocateDma(kPageBytes);
    REQUIRE(device.has_value());
    const auto first = port.mapDma(pages, kBytes);
    const auto second = port.mapDma(pages, kPageBytes);
    REQUIRE(first.has_value());
    REQUIRE(second.has_value());
    CHECK_EQ(*first % kPageBytes, 0);
    CHECK_EQ(*second % kPageBytes, 0);
    CHECK((*second >= *first + kBytes || *first >= *second + kPageBytes));
    CHECK((*first >= device->busAddress + kPageBytes || device->busAddress >= *first + kBytes));
    port.unmapDma(*second, kPageBytes);
    port.unmapDma(*first, kBytes);
    port.freeDma(*device);
    ::munmap(pages, kBytes);
}

/// Sends a message to the firmware; its reply raises the interrupt line.
void checkInterrupts(DevicePort& port) {
    const auto isAnswered = port.createEvent();
    std::atomic<std::uint32_t> seen{0};
    std::atomic<int> callsWithoutCause{0};
    port.setInterruptHandler([&] {
        const std::uint32_t pending = readRegister<regs::IrqStatus>(port);
        callsWithoutCause += pending == 0 ? 1 : 0;
        writeRegister<regs::IrqStatus>(port, pending);
        seen |= pending;
        if (regs::IrqStatus::kMessage.get(pending) != 0) {
            isAnswered->set();
        }
    });
    fw::Message ping{};
    ping.type = fw::MessageType::kPing;
    ping.requestId = 0x4321;
    ping.value = 42;
    const auto words =
            std::bit_cast<std::array<std::uint32_t, regs::kMailboxWords>>(fw::sealed(ping));
    for (std::uint32_t i = 0; i < words.size(); ++i) {
        writeRegister<regs::MailboxIn>(port, words[i], i);
    }
    writeRegister<regs::MailboxInControl>(port, regs::MailboxInControl::kFull.put(1));
    isAnswered->wait();
    CHECK_NE(regs::IrqStatus::kMessage.get(seen.load()), 0);
    CHECK_EQ(callsWithoutCause, 0);
    CHECK_EQ(readRegister<regs::MailboxInControl>(port), 0);
    CHECK_EQ(readRegister<regs::MailboxOut>(port, 1), 0x4321);
    writeRegister<regs::MailboxOutControl>(port, 0);
    port.setInterruptHandler({});
    CHECK_EQ(callsWithoutCause, 0);
}

}  // namespace

void checkDevicePort(DevicePort& port) {
    checkEvents(port);
    checkTime(port);
    checkPostedWork(port);
    checkDeviceMemory(port);
    checkExhaustion(port);
    checkClientMemory(port);
    checkInterrupts(port);
}

}  // namespace vnpu::driver::test
