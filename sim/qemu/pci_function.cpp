// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/pci_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "hw_model/regs/registers.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kRegisterBar = 0;
constexpr std::uint32_t kResidentBar = 2;
// chosen: a page, so that a guest can hand a BAR to a process without anything else beside it
constexpr std::uint32_t kLeastBarBytes = 4096;
// chosen: where Debian's firmware routes pin A of the first free slot of `-machine pc`, for guests
// that assign no line (devices plugged in later)
constexpr std::uint32_t kDefaultInput = 11;
constexpr std::uint32_t kInputs = 24;  // source: Intel 82093AA I/O APIC

std::uint32_t barBytes(std::uint32_t contentBytes) {
    return contentBytes == 0 ? 0 : std::bit_ceil(std::max(contentBytes, kLeastBarBytes));
}

std::array<std::uint32_t, PciConfigSpace::kBarCount> barsOf(const Card& card) {
    std::array<std::uint32_t, PciConfigSpace::kBarCount> bars{};
    bars[kRegisterBar] = barBytes(card.registerBytes());
    bars[kResidentBar] = barBytes(card.residentBytes());
    return bars;
}

std::uint64_t onesOf(std::uint32_t sizeBytes) {
    return sizeBytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * sizeBytes)) - 1;
}

}  // namespace

PciFunction::PciFunction(Card& card, InterruptWires& wires, Log log)
    : card_(card), wires_(wires), log_(std::move(log)), config_(barsOf(card)) {}

std::optional<std::uint64_t> PciFunction::serve(ProxyRequest request) {
    if (auto* const memory = std::get_if<MemoryMapMessage>(&request)) {
        setMemory(std::move(*memory));
        return std::nullopt;
    }
    if (const auto* const access = std::get_if<ConfigAccess>(&request)) {
        return accessConfig(*access);
    }
    if (const auto* const access = std::get_if<BarAccess>(&request)) {
        return accessBar(*access);
    }
    if (std::holds_alternative<DeviceReset>(request)) {
        reset();
        return 0;
    }
    return std::nullopt;
}

void PciFunction::setMemory(MemoryMapMessage message) {
    unmapAll();
    if (const std::string refused = memory_.setRegions(std::move(message.regions));
        !refused.empty()) {
        log_(refused);
    }
    for (const GuestMemory::Range& range : memory_.ranges()) {
        if (card_.residentBytes() != 0 &&
            range.address < hw::regs::kResidentBase + card_.residentBytes() &&
            hw::regs::kResidentBase - range.address < range.sizeBytes &&
            range.address <= hw::regs::kResidentBase) {
            log_(
                    fmt::format("the guest has memory at {:#x}, where the device sees its resident "
                                "memory; give it at most 1 GiB",
                                hw::regs::kResidentBase));
        }
    }
}

void PciFunction::unmapAll() {
    for (const GuestMemory::Range& range : memory_.ranges()) {
        card_.unmap(range.address, range.sizeBytes);
    }
}

void PciFunction::reset() {
    unmapAll();
    config_.reset();
    card_.reset();
    updateInterrupt();
}

std::uint32_t PciFunction::accessConfig(const ConfigAccess& access) {
    if (!access.isWrite) {
        return config_.read(access.address, access.sizeBytes);
    }
    const bool wasBusMaster = config_.isBusMaster();
    config_.write(access.address, access.value, access.sizeBytes);
    if (wasBusMaster && !config_.isBusMaster()) {
        unmapAll();
    }
    updateInterrupt();
    return 0;
}

std::uint64_t PciFunction::accessBar(const BarAccess& access) {
    const auto hit = config_.findBar(access.address);
    const std::uint32_t size = access.sizeBytes;
    if (!hit || !std::has_single_bit(size) || size > 8 || access.address % size != 0) {
        return ~std::uint64_t{0};
    }
    return hit->bar == kRegisterBar ? accessRegisters(access, hit->offset)
                                    : accessResident(access, hit->offset);
}

std::uint64_t PciFunction::accessRegisters(const BarAccess& access, std::uint32_t offset) {
    const auto read = [&](std::uint32_t at) {
        return at < card_.registerBytes() ? card_.read32(at) : ~0U;
    };
    if (!access.isWrite) {
        const std::uint32_t word = offset & ~3U;
        std::uint64_t value = read(word);
        if (access.sizeBytes == 8) {
            value |= std::uint64_t{read(word + 4)} << 32;
        }
        return value >> (8 * (offset % 4)) & onesOf(access.sizeBytes);
    }
    if (access.sizeBytes < 4) {
        log_(fmt::format("a write of {} bytes to the register at {:#x}, which takes 4; ignored",
                         access.sizeBytes, offset));
        return 0;
    }
    for (std::uint32_t part = 0; part < access.sizeBytes; part += 4) {
        if (offset + part < card_.registerBytes()) {
            card_.write32(offset + part, static_cast<std::uint32_t>(access.value >> (8 * part)));
        }
    }
    return 0;
}

std::uint64_t PciFunction::accessResident(const BarAccess& access, std::uint32_t offset) {
    std::uint64_t value = access.isWrite ? access.value : 0;
    if (offset + access.sizeBytes > card_.residentBytes()) {
        return ~std::uint64_t{0};
    }
    const auto bytes = std::as_writable_bytes(std::span(&value, 1)).first(access.sizeBytes);
    if (access.isWrite) {
        card_.writeResident(offset, bytes);
    } else {
        card_.readResident(offset, bytes);
    }
    return value;
}

void PciFunction::setLine(bool isHigh) {
    isLineHigh_ = isHigh;
    updateInterrupt();
}

void PciFunction::updateInterrupt() {
    config_.setInterruptPending(isLineHigh_);
    const auto msi = config_.msi();
    // A message is a memory write, so that it needs a bus master.
    const bool wantsMessage = isLineHigh_ && msi && config_.isBusMaster();
    if (wantsMessage && !isMessageSent_) {
        wires_.sendMessage(msi->address, msi->data);
    }
    isMessageSent_ = wantsMessage;

    std::optional<std::uint32_t> input;
    if (isLineHigh_ && !msi && !config_.isPinDisabled()) {
        const std::uint32_t line = config_.interruptLine();
        input = line == 0 || line >= kInputs ? kDefaultInput : line;
    }
    if (input == raisedInput_) {
        return;
    }
    if (raisedInput_) {
        wires_.setInput(*raisedInput_, false);
    }
    if (input) {
        wires_.setInput(*input, true);
    }
    raisedInput_ = input;
}

bool PciFunction::finishDma(bool isDone) {
    if (!isDone && config_.isBusMaster()) {
        config_.setMasterAbort();
    }
    return isDone;
}

bool PciFunction::read(std::uint64_t address, std::span<std::byte> data) {
    return finishDma(config_.isBusMaster() && memory_.read(address, data));
}

bool PciFunction::write(std::uint64_t address, std::span<const std::byte> data) {
    return finishDma(config_.isBusMaster() && memory_.write(address, data));
}

std::span<std::byte> PciFunction::map(std::uint64_t address) const {
    return config_.isBusMaster() ? memory_.map(address) : std::span<std::byte>();
}

}  // namespace vnpu::sim
