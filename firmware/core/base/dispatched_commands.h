// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "firmware/api/job_ring.h"
#include "firmware/core/base/local_memory.h"
#include "hw_model/regs/engines.h"

namespace vnpu::fw {

/// The commands that the engines received in the current segment of the running job.
struct DispatchedCommands {
    std::array<std::uint32_t, hw::kEngineCount> counts{};  // by engine
    /// By engine and command slot: the command's offset in the stream.
    std::array<std::array<std::uint32_t, kSlotsPerEngine>, kCommandEngines> offsets{};

    /// Offset in the stream of the engine's command `number`, one of the last kSlotsPerEngine;
    /// kNoCommand if the engine did not receive it.
    std::uint32_t offsetOf(std::uint32_t engine, std::uint32_t number) const {
        return engine < kCommandEngines && number < counts[engine]
                       ? offsets[engine][number % kSlotsPerEngine]
                       : kNoCommand;
    }
};

}  // namespace vnpu::fw
