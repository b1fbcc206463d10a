// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vnpu::hw {

/// What can be made to go wrong in the device. A silent flip, one that no check sees, is not among
/// them: nothing could tell it from a result that is right.
enum class FaultKind : std::uint8_t {
    kDmaError,        // a transfer ends with kBusError; part of its bytes may have moved
    kMmuFault,        // a translation fails though the page is mapped
    kSramBitFlip,     // one bit of an SRAM word that a command reads: corrected, counted
    kSramDoubleFlip,  // two bits: kEccError of the engine that reads it
    kDramBitFlip,     // likewise of memory
    kDramDoubleFlip,
    kEngineHang,         // a command never ends; ENGINE_ABORT cures the engine
    kEngineStuck,        // likewise, but only a reset of the device cures it
    kEngineSlow,         // commands take several times as long for a while
    kControllerHang,     // the controller's program stands still until the next reset
    kLostInterrupt,      // the line to the host is not raised once; IRQ_STATUS keeps the bits
    kSpuriousInterrupt,  // the line is raised without a bit in IRQ_STATUS
    kCorruptRecord,      // bytes of a completion record flip on the bus
    kCorruptMessage,     // a bit of a mailbox message flips
};
inline constexpr std::size_t kFaultKindCount = 14;

/// As it stands in files and reports ("dma-error").
std::string_view faultKindName(FaultKind kind);

/// Whether it strikes one of the engines.
constexpr bool isEngineFault(FaultKind kind) {
    return kind <= FaultKind::kEngineSlow;
}

}  // namespace vnpu::hw
