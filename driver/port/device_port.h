// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "driver/result.h"

namespace vnpu::driver {

/// An event that threads of host software wait for. In virtual time these threads are simulated.
class HostEvent {
  public:
    virtual ~HostEvent() = default;

    /// Sets the event; wakes every waiter. Stays set until reset(). Any thread.
    virtual void set() = 0;
    virtual void reset() = 0;

    /// Returns when the event is set. The caller must hold no lock: in virtual time other host
    /// threads run meanwhile.
    virtual void wait() = 0;

    /// As wait(), but gives up after `timeout` of device time; true if the event was set.
    virtual bool waitFor(std::chrono::nanoseconds timeout) = 0;
};

/// Bytes that are contiguous on the bus.
struct BusRange {
    std::uint64_t address = 0;
    std::uint64_t sizeBytes = 0;
};

/// Memory of the device's own DRAM share, seen by both sides; page aligned, zeroed.
struct DmaBuffer {
    std::byte* host = nullptr;
    std::uint64_t busAddress = 0;
    std::uint64_t sizeBytes = 0;
};

/// Host work that takes virtual time (NpuConfig::host) and, in live mode, none.
enum class HostWork { kSubmit, kComplete };

/// The driver's only access to the device. Three implementations exist: in the platform (virtual
/// time), across threads (live), and on a kernel driver (sim/linux_port). Any host thread may call;
/// only read32, chargeHost and HostEvent's waits block.
class DevicePort {
  public:
    virtual ~DevicePort() = default;

    /// Device registers by byte offset; writes are posted.
    virtual std::uint32_t read32(std::uint32_t offset) = 0;
    virtual void write32(std::uint32_t offset, std::uint32_t value) = 0;

    /// Takes memory from the device's DRAM; RESOURCE_EXHAUSTED_TRANSIENT if too little is left,
    /// RESOURCE_EXHAUSTED_PERSISTENT if the whole DRAM is too small.
    virtual Result<DmaBuffer> allocateDma(std::uint64_t sizeBytes) = 0;
    virtual void freeDma(const DmaBuffer& buffer) = 0;

    /// Makes whole pages of client memory reachable by the device without a copy; returns their bus
    /// address. `pages` is 4 KiB aligned, `sizeBytes` a multiple of 4 KiB; it stays mapped in this
    /// process until unmapDma.
    virtual Result<std::uint64_t> mapDma(void* pages, std::uint64_t sizeBytes) = 0;
    virtual void unmapDma(std::uint64_t busAddress, std::uint64_t sizeBytes) = 0;

    /// Buffers of allocateDma() up to this size are contiguous on the bus. Others, and what
    /// mapDma() maps, may be scattered: their address only names them, for busRanges().
    static constexpr std::uint64_t kContiguousBytes = std::uint64_t{64} * 1024;
    /// What page tables must contain to reach whole pages of such memory, in order. Addresses of
    /// contiguous memory stand for themselves.
    virtual std::vector<BusRange> busRanges(std::uint64_t busAddress, std::uint64_t sizeBytes) {
        return {{busAddress, sizeBytes}};
    }

    /// The bytes behind a window of the device on the bus (its registers give the address), as this
    /// process sees them until the port's end; null if the window is smaller.
    virtual std::byte* mapWindow(std::uint64_t busAddress, std::uint64_t sizeBytes) = 0;

    /// Sets the one handler that runs on the port's interrupt thread whenever the device raises its
    /// interrupt line. The handler may call the port.
    virtual void setInterruptHandler(std::function<void()> handler) = 0;

    virtual std::unique_ptr<HostEvent> createEvent() = 0;

    /// Runs `work` once on a host thread of the port, after the caller has continued.
    /// RESOURCE_EXHAUSTED_TRANSIENT if the process can have no more threads; the work then never
    /// runs.
    [[nodiscard]] virtual Result<void> post(std::function<void()> work) = 0;

    /// Whether host threads are threads of the operating system, which may block in system calls.
    /// In virtual time they are not, and a system call that waits stops the simulation.
    virtual bool hasSystemThreads() const { return true; }

    /// Device time since power-on; the only clock for deadlines, estimates and timings.
    virtual std::chrono::nanoseconds now() = 0;

    /// Lets the virtual time of this work pass.
    virtual void chargeHost(HostWork work) = 0;
};

}  // namespace vnpu::driver
