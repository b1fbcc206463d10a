// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boot: the driver fills BootParameters, writes their bus address to BOOT_PARAMETERS, clears
// CONTROL.RESET and sets CONTROL.BOOT. The firmware checks them and starts its log. It then sets
// STATUS.STATE to ready and sends a kReady message with its version table; on an error it sets the
// state to failed and sends kBootFailed. The message comes last, so that the state is valid when
// the driver receives it.

#include <cstdint>

namespace vnpu::fw {

inline constexpr std::uint32_t kBootMagic = 0x544F4F42;  // "BOOT" in memory order

/// Interface versions; major in the upper 16 bits. The firmware refuses a driver with another major
/// number.
inline constexpr std::uint32_t kBootApiVersion = 0x00010001;     // 1.1: dump memory, watchdog
inline constexpr std::uint32_t kMailboxApiVersion = 0x00020001;  // 2.1: sealed; kSetPower
/// 2.0: slots of 128 bytes; 2.1: room for the DSP's state in save areas; 2.2: records with engine
/// and checksum; 2.3: slots with a clock level; 2.4: slots with the SRAM that they use
inline constexpr std::uint32_t kRingApiVersion = 0x00020004;

constexpr std::uint32_t majorOf(std::uint32_t version) {
    return version >> 16;
}

/// Written by the driver before boot; read once.
struct BootParameters {
    std::uint32_t magic;      // kBootMagic
    std::uint32_t sizeBytes;  // sizeof(BootParameters)
    std::uint32_t bootApiVersion;
    std::uint32_t mailboxApiVersion;
    std::uint32_t ringApiVersion;
    std::uint32_t commandStreamVersion;
    std::uint32_t flags;          // reserved, 0
    std::uint32_t logBytes;       // of the log memory: a power of two, 4 KiB to 1 MiB; 0 for no log
    std::uint64_t logBusAddress;  // 8-byte aligned; firmware/api/log.h
    /// At most this many device cycles between ticks while work is pending. 0: the firmware's
    /// default; less than 4096 counts as 4096.
    std::uint64_t heartbeatIntervalCycles;
    /// Where the firmware leaves a StateDump (state_dump.h) when an engine hangs; 8-byte aligned,
    /// 0: nowhere.
    std::uint64_t dumpBusAddress;
    /// A command hangs if it makes no progress for this many device cycles. 0: the firmware's
    /// default; less than 4096 counts as 4096.
    std::uint64_t watchdogCycles;
};
static_assert(sizeof(BootParameters) == 64);

}  // namespace vnpu::fw
