// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "sim/qemu/card.h"
#include "sim/qemu/guest_memory.h"
#include "sim/qemu/pci_config_space.h"
#include "sim/qemu/proxy_message.h"

namespace vnpu::sim {

/// A card on the guest's PCI bus: configuration space, BARs, bus mastering and interrupts. BAR 0 is
/// the register window, BAR 2 the resident memory, if there is one. One thread.
class PciFunction {
  public:
    using Log = std::function<void(const std::string&)>;

    /// All must live as long as the function. `log` gets the guest's mistakes.
    PciFunction(Card& card, InterruptWires& wires, Log log);

    /// Serves a request; returns the answer, if it has one.
    std::optional<std::uint64_t> serve(ProxyRequest request);

    /// The level of the card's interrupt line.
    void setLine(bool isHigh);

    // DMA of the card; none while the guest has not made it bus master.
    bool read(std::uint64_t address, std::span<std::byte> data);
    bool write(std::uint64_t address, std::span<const std::byte> data);
    /// As GuestMemory::map().
    std::span<std::byte> map(std::uint64_t address) const;

  private:
    void setMemory(MemoryMapMessage message);
    std::uint32_t accessConfig(const ConfigAccess& access);
    std::uint64_t accessBar(const BarAccess& access);
    std::uint64_t accessRegisters(const BarAccess& access, std::uint32_t offset);
    std::uint64_t accessResident(const BarAccess& access, std::uint32_t offset);
    void reset();
    void unmapAll();
    /// Passes the line's level on in the way that the configuration space asks for.
    void updateInterrupt();
    bool finishDma(bool isDone);

    Card& card_;
    InterruptWires& wires_;
    Log log_;
    PciConfigSpace config_;
    GuestMemory memory_;
    bool isLineHigh_ = false;
    bool isMessageSent_ = false;                // for the line's present high level
    std::optional<std::uint32_t> raisedInput_;  // the input that is high now
};

}  // namespace vnpu::sim
