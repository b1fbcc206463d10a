// SPDX-License-Identifier: Apache-2.0
#pragma once

// The state of the firmware and the engines. The firmware writes it on request
// (MessageType::kStateDump) and before it stops a hung engine (BootParameters::dumpBusAddress).

#include <cstdint>

#include "hw_model/regs/engines.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::fw {

inline constexpr std::uint32_t kDumpMagic = 0x504D5544;  // "DUMP" in memory order

enum class DumpReason : std::uint32_t { kRequest = 1, kEngineHang = 2 };

struct EngineDump {
    std::uint32_t dispatched;  // commands of this segment that the engine received
    std::uint32_t finished;
    std::uint32_t progress;  // ENGINE_PROGRESS
    std::uint32_t command;   // offset in the stream of the first unfinished one, or 0xFFFFFFFF
};

struct RingDump {
    std::uint32_t state;  // 0: none, 1: open
    std::uint32_t context;
    std::uint32_t head;
    std::uint32_t tail;
};

struct StateDump {
    std::uint32_t magic;  // kDumpMagic
    std::uint32_t sizeBytes;
    DumpReason reason;
    std::uint32_t runningRing;  // 0xFFFFFFFF: none
    std::uint64_t cycle;
    std::uint64_t jobId;        // of the last job start
    std::uint32_t engineError;  // ENGINE_ERROR
    std::uint32_t hungEngine;   // 0xFFFFFFFF: none
    EngineDump engines[hw::kEngineCount];
    RingDump rings[hw::regs::kRingCount];
    std::uint64_t reserved[4];
};
static_assert(sizeof(StateDump) % 8 == 0);

}  // namespace vnpu::fw
