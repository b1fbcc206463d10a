// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vnpu::hw {

/// The faults that can be injected into the device.
enum class FaultKind : std::uint8_t {
    kDmaError,        // a transfer ends with kBusError; part of its bytes may have moved
    kMmuFault,        // a translation fails though the page is mapped
    kSramBitFlip,     // one bit of an SRAM word that a command reads: corrected, counted
    kSramDoubleFlip,  // two bits: kEccError on the engine that reads the word
    kDramBitFlip,     // one bit of a DRAM word, as kSramBitFlip
    kDramDoubleFlip,
    kEngineHang,         // a command never ends; ENGINE_ABORT cures the engine
    kEngineStuck,        // as kEngineHang, but only a reset of the device cures it
    kEngineSlow,         // commands take `factor` times as long for a while
    kControllerHang,     // the controller's program stops until the next reset
    kLostInterrupt,      // one raise of the line to the host is lost; IRQ_STATUS keeps the bits
    kSpuriousInterrupt,  // the line is raised although no bit of IRQ_STATUS is set
    kCorruptRecord,      // bytes of a completion record flip on the bus
    kCorruptMessage,     // a bit of a mailbox message flips
    kWrongResult,        // what a MAC or vector command writes is wrong, and nothing notices
};
inline constexpr std::size_t kFaultKindCount = 15;
/// The kinds before kWrongResult: they change no result without a report of device or driver.
inline constexpr auto kNoticedFaultKindCount = static_cast<std::size_t>(FaultKind::kWrongResult);

/// The name in files and reports ("dma-error").
std::string_view faultKindName(FaultKind kind);

/// Whether the fault affects an engine.
constexpr bool isEngineFault(FaultKind kind) {
    return kind <= FaultKind::kEngineSlow || kind == FaultKind::kWrongResult;
}

}  // namespace vnpu::hw
