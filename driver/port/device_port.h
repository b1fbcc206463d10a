// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "driver/result.h"

namespace vnpu::driver {

/// Something that a thread of host software waits for. In virtual time a "thread" is a simulated
/// one.
class HostEvent {
  public:
    virtual ~HostEvent() = default;

    /// Sets the event; wakes every waiter. Stays set until reset(). Any thread.
    virtual void set() = 0;
    virtual void reset() = 0;

    /// Returns once the event is set. No lock may be held: in virtual time other host threads run
    /// meanwhile.
    virtual void wait() = 0;

    /// As wait(), but gives up after `timeout` of device time; true if the event was set.
    virtual bool waitFor(std::chrono::nanoseconds timeout) = 0;
};

/// Memory of the device's own DRAM share, seen by both sides; page aligned, zeroed.
struct DmaBuffer {
    std::byte* host = nullptr;
    std::uint64_t busAddress = 0;
    std::uint64_t sizeBytes = 0;
};

/// What host software is charged for in virtual time (NpuConfig::host); nothing in live mode.
enum class HostWork { kSubmit, kComplete };

/// The only way from the driver to the device. Two kinds exist: in the platform (virtual time) and
/// across threads (live). All calls may come from any host thread; none blocks but HostEvent's
/// waits, read32, and chargeHost.
class DevicePort {
  public:
    virtual ~DevicePort() = default;

    /// Device registers by byte offset; writes are posted.
    virtual std::uint32_t read32(std::uint32_t offset) = 0;
    virtual void write32(std::uint32_t offset, std::uint32_t value) = 0;

    /// Takes memory from the device's DRAM; RESOURCE_EXHAUSTED_TRANSIENT when what is left does not
    /// do, RESOURCE_EXHAUSTED_PERSISTENT when the whole DRAM would not.
    virtual Result<DmaBuffer> allocateDma(std::uint64_t sizeBytes) = 0;
    virtual void freeDma(const DmaBuffer& buffer) = 0;

    /// Makes whole pages of client memory reachable by the device without a copy; returns their bus
    /// address. `pages` is 4 KiB aligned, `sizeBytes` a multiple of 4 KiB; it stays mapped in this
    /// process until unmapDma.
    virtual Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) = 0;
    virtual void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) = 0;

    /// The bytes behind a window that the device itself has on the bus (its registers tell where),
    /// as this process sees them until the port's end; null where there are not as many.
    virtual std::byte* mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) = 0;

    /// Called when the device raises its interrupt line, on the port's interrupt thread; may call
    /// the port. One handler.
    virtual void setInterruptHandler(std::function<void()> handler) = 0;

    virtual std::unique_ptr<HostEvent> createEvent() = 0;

    /// Runs `work` once on a host thread of the port's own, after the caller has gone on.
    virtual void post(std::function<void()> work) = 0;

    /// Whether host threads are threads of the operating system, which may block in it. In virtual
    /// time they are not: there a system call that waits stops everything.
    virtual bool hasSystemThreads() const { return true; }

    /// Device time since power-on; the only clock for deadlines, estimates and timings.
    virtual std::chrono::nanoseconds now() = 0;

    /// Lets virtual time pass for host software.
    virtual void chargeHost(HostWork work) = 0;
};

}  // namespace vnpu::driver
