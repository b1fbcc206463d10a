// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/pci_config_space.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kStatusShift = 16;  // STATUS is the upper half of COMMAND's word

// Bits of STATUS that software clears by writing ones.
constexpr std::uint32_t kStatusErrors = 0xf900U << kStatusShift;

// The MSI capability, from PciConfigSpace::kMsi on.
constexpr std::uint32_t kMsiId = 0x05;
constexpr std::uint32_t kMsiAddressLow = PciConfigSpace::kMsi + 4;
constexpr std::uint32_t kMsiAddressHigh = PciConfigSpace::kMsi + 8;
constexpr std::uint32_t kMsiData = PciConfigSpace::kMsi + 12;
constexpr std::uint32_t kMsiEnable = 1U << 16;
constexpr std::uint32_t kMsiVectors = 7U << 20;  // "multiple message enable"
constexpr std::uint32_t kMsiHas64Bits = 1U << 23;

constexpr std::uint32_t kMemoryBarAddress = ~0xfU;  // the lower bits of a BAR are its kind

constexpr std::uint32_t wordOf(std::uint32_t address) {
    return address / 4;
}

bool isAccess(std::uint32_t address, std::uint32_t sizeBytes) {
    return (sizeBytes == 1 || sizeBytes == 2 || sizeBytes == 4) && address % sizeBytes == 0 &&
           address < PciConfigSpace::kSizeBytes;
}

/// The bits of a word that an access covers.
std::uint32_t laneMask(std::uint32_t address, std::uint32_t sizeBytes) {
    const std::uint32_t ones = sizeBytes == 4 ? ~0U : (1U << (8 * sizeBytes)) - 1;
    return ones << (8 * (address % 4));
}

}  // namespace

PciConfigSpace::PciConfigSpace(const std::array<std::uint32_t, kBarCount>& barBytes)
    : barBytes_(barBytes) {
    reset();
}

void PciConfigSpace::reset() {
    constexpr std::uint32_t kSubsystem = 0x2c;
    constexpr std::uint32_t kCapabilities = 0x34;
    constexpr std::uint32_t kPinA = 1U << 8;
    words_ = {};
    words_[wordOf(0x00)] = kVendorId | std::uint32_t{kDeviceId} << 16;
    words_[wordOf(kCommand)] = std::uint32_t{kHasCapabilities} << kStatusShift;
    words_[wordOf(0x08)] = kRevision | kClassCode << 8;
    words_[wordOf(kSubsystem)] = words_[wordOf(0x00)];
    words_[wordOf(kCapabilities)] = kMsi;
    words_[wordOf(kInterruptLine)] = kPinA;
    words_[wordOf(kMsi)] = kMsiId | kMsiHas64Bits;
}

std::uint32_t PciConfigSpace::writableBits(std::uint32_t address) const {
    switch (address & ~3U) {
        case kCommand:
            return kMemoryEnable | kBusMaster | kInterruptDisable;
        case kInterruptLine:
            return 0xff;
        case kMsi:
            return kMsiEnable | kMsiVectors;
        case kMsiAddressLow:
            return ~3U;
        case kMsiAddressHigh:
            return ~0U;
        case kMsiData:
            return 0xffff;
        default:
            break;
    }
    const std::uint32_t bar = (address - kBar0) / 4;
    if (address >= kBar0 && bar < kBarCount && barBytes_[bar] != 0) {
        return ~(barBytes_[bar] - 1) & kMemoryBarAddress;
    }
    return 0;
}

std::uint32_t PciConfigSpace::read(std::uint32_t address, std::uint32_t sizeBytes) const {
    if (!isAccess(address, sizeBytes)) {
        return ~0U;
    }
    return (words_[wordOf(address)] & laneMask(address, sizeBytes)) >> (8 * (address % 4));
}

void PciConfigSpace::write(std::uint32_t address, std::uint32_t value, std::uint32_t sizeBytes) {
    if (!isAccess(address, sizeBytes)) {
        return;
    }
    const std::uint32_t lanes = laneMask(address, sizeBytes);
    const std::uint32_t bits = value << (8 * (address % 4)) & lanes;
    const std::uint32_t writable = writableBits(address) & lanes;
    std::uint32_t& word = words_[wordOf(address)];
    word = (word & ~writable) | (bits & writable);
    if (wordOf(address) == wordOf(kCommand)) {
        word &= ~(bits & kStatusErrors);
    }
}

std::uint16_t PciConfigSpace::command() const {
    return static_cast<std::uint16_t>(words_[wordOf(kCommand)]);
}

std::uint8_t PciConfigSpace::interruptLine() const {
    return static_cast<std::uint8_t>(words_[wordOf(kInterruptLine)]);
}

std::optional<PciConfigSpace::BarHit> PciConfigSpace::findBar(std::uint64_t address) const {
    if ((command() & kMemoryEnable) == 0) {
        return std::nullopt;
    }
    for (std::uint32_t bar = 0; bar < kBarCount; ++bar) {
        const std::uint64_t base = words_[wordOf(kBar0) + bar] & kMemoryBarAddress;
        if (address >= base && address - base < barBytes_[bar]) {
            return BarHit{bar, static_cast<std::uint32_t>(address - base)};
        }
    }
    return std::nullopt;
}

std::optional<PciConfigSpace::Msi> PciConfigSpace::msi() const {
    if ((words_[wordOf(kMsi)] & kMsiEnable) == 0) {
        return std::nullopt;
    }
    return Msi{
            words_[wordOf(kMsiAddressLow)] | std::uint64_t{words_[wordOf(kMsiAddressHigh)]} << 32,
            words_[wordOf(kMsiData)]};
}

void PciConfigSpace::setInterruptPending(bool isPending) {
    constexpr std::uint32_t kBit = std::uint32_t{kInterruptPending} << kStatusShift;
    std::uint32_t& word = words_[wordOf(kCommand)];
    word = isPending ? word | kBit : word & ~kBit;
}

void PciConfigSpace::setMasterAbort() {
    words_[wordOf(kCommand)] |= std::uint32_t{kMasterAbort} << kStatusShift;
}

}  // namespace vnpu::sim
