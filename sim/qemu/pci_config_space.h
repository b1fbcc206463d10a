// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace vnpu::sim {

/// The configuration space of the device as a PCI function: header type 0, two BARs at most, one
/// interrupt pin, and a capability for MSI with one vector and a 64-bit address. Writes change only
/// what the PCI specification lets software write. One thread.
class PciConfigSpace {
  public:
    /// Identity. The vendor's number is the one that QEMU's own experimental devices use, which no
    /// company has.
    static constexpr std::uint16_t kVendorId = 0x1234;
    static constexpr std::uint16_t kDeviceId = 0x4e50;  // chosen: "NP"
    static constexpr std::uint8_t kRevision = 1;
    static constexpr std::uint32_t kClassCode = 0x120000;  // source: PCI Code and ID Assignment

    static constexpr std::uint32_t kSizeBytes = 256;
    static constexpr std::uint32_t kBarCount = 6;

    // Offsets that others need.
    static constexpr std::uint32_t kCommand = 0x04;
    static constexpr std::uint32_t kStatus = 0x06;
    static constexpr std::uint32_t kBar0 = 0x10;
    static constexpr std::uint32_t kInterruptLine = 0x3c;
    static constexpr std::uint32_t kMsi = 0x40;

    // Bits of COMMAND and STATUS.
    static constexpr std::uint16_t kMemoryEnable = 1U << 1;
    static constexpr std::uint16_t kBusMaster = 1U << 2;
    static constexpr std::uint16_t kInterruptDisable = 1U << 10;
    static constexpr std::uint16_t kInterruptPending = 1U << 3;
    static constexpr std::uint16_t kHasCapabilities = 1U << 4;
    static constexpr std::uint16_t kMasterAbort = 1U << 13;

    /// BAR i has `barBytes[i]` bytes, a power of two from 16 on, or 0 for no BAR.
    explicit PciConfigSpace(const std::array<std::uint32_t, kBarCount>& barBytes);

    /// Everything as after power-on.
    void reset();

    /// 1, 2 or 4 bytes at a multiple of their number. Other reads give all ones; other writes are
    /// ignored.
    std::uint32_t read(std::uint32_t address, std::uint32_t sizeBytes) const;
    void write(std::uint32_t address, std::uint32_t value, std::uint32_t sizeBytes);

    bool isBusMaster() const { return (command() & kBusMaster) != 0; }
    bool isPinDisabled() const { return (command() & kInterruptDisable) != 0; }
    /// The input of the interrupt controller that firmware has given to the pin; 0 before.
    std::uint8_t interruptLine() const;

    /// A guest-physical address in a BAR; nothing outside of all BARs, or if COMMAND disables them.
    struct BarHit {
        std::uint32_t bar = 0;
        std::uint32_t offset = 0;
    };
    std::optional<BarHit> findBar(std::uint64_t address) const;

    /// Where an MSI goes; nothing unless the guest has enabled MSI.
    struct Msi {
        std::uint64_t address = 0;
        std::uint32_t data = 0;
    };
    std::optional<Msi> msi() const;

    void setInterruptPending(bool isPending);
    /// A DMA access that nobody has answered.
    void setMasterAbort();

  private:
    std::uint16_t command() const;
    /// The bits of a 32-bit word that software can write.
    std::uint32_t writableBits(std::uint32_t address) const;

    std::array<std::uint32_t, kBarCount> barBytes_;
    std::array<std::uint32_t, kSizeBytes / 4> words_{};
};

}  // namespace vnpu::sim
