// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vnpu::sim {

/// The device behind a PCI function. Functions return after all that they cause at once; they may
/// change the interrupt line and access memory.
class Card {
  public:
    virtual ~Card() = default;

    /// Bytes of the register window and of the resident memory, which may be 0.
    virtual std::uint32_t registerBytes() const = 0;
    virtual std::uint32_t residentBytes() const = 0;

    /// Offsets are multiples of 4 within the window; all ones where there is no register.
    virtual std::uint32_t read32(std::uint32_t offset) = 0;
    virtual void write32(std::uint32_t offset, std::uint32_t value) = 0;
    virtual void readResident(std::uint32_t offset, std::span<std::byte> data) = 0;
    virtual void writeResident(std::uint32_t offset, std::span<const std::byte> data) = 0;

    virtual void reset() = 0;
    /// Host memory that is no longer to be accessed through earlier pointers.
    virtual void unmap(std::uint64_t address, std::uint64_t sizeBytes) = 0;
};

/// What a PCI function raises interrupts with. May be called while the device runs; never waits.
class InterruptWires {
  public:
    virtual ~InterruptWires() = default;
    /// The level at an input of the guest's interrupt controller.
    virtual void setInput(std::uint32_t input, bool isHigh) = 0;
    virtual void sendMessage(std::uint64_t address, std::uint32_t data) = 0;
};

}  // namespace vnpu::sim
