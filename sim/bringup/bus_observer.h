// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vnpu::sim {

/// Receives all that passes between a host and a device, in order: a recorder, or checks of the
/// host's software. Called on the simulation's thread. Times are picoseconds of simulated time;
/// those of accesses to memory may lie ahead of what follows, because the device may run ahead of
/// the host.
class BusObserver {
  public:
    virtual ~BusObserver() = default;

    /// An access of the host to a register; `isAnswered` is false where the device has none (the
    /// value of such a read is all ones).
    virtual void registerRead(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                              bool isAnswered) = 0;
    virtual void registerWritten(std::uint64_t time, std::uint32_t offset, std::uint32_t value,
                                 bool isAnswered) = 0;

    /// An access of the device to the host's memory; `isAnswered` is false after a bus error.
    virtual void memoryRead(std::uint64_t time, std::uint64_t address,
                            std::span<const std::byte> data, bool isAnswered) = 0;
    virtual void memoryWritten(std::uint64_t time, std::uint64_t address,
                               std::span<const std::byte> data, bool isAnswered) = 0;

    /// A change of the interrupt line.
    virtual void interruptLine(std::uint64_t time, bool isHigh) = 0;

    /// The host wrote the device's resident memory through its window.
    virtual void residentWritten(std::uint64_t /*time*/, std::uint64_t /*offset*/,
                                 std::span<const std::byte> /*data*/) {}

    /// The device was powered off and on.
    virtual void powerCycled(std::uint64_t /*time*/) {}

    /// Whether the device compares each translation that its TLB answers with the page tables.
    virtual bool checksTranslations() const { return false; }
    /// The TLB answered a translation that the page tables no longer contain.
    virtual void staleTranslation(std::uint64_t /*time*/, std::uint32_t /*context*/,
                                  std::uint64_t /*virtualAddress*/) {}

    /// Nothing follows.
    virtual void finish(std::uint64_t /*time*/) {}
};

}  // namespace vnpu::sim
