// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/scheduling.h"

namespace vnpu::fw {

/// The running job that must yield to another.
struct Victim {
    bool canBeSaved = false;
    std::uint32_t restarts = 0;         // so far
    std::uint64_t remainingCycles = 0;  // kUnknownTime if it has no estimate
    std::uint64_t progressCycles = 0;   // lost by a restart
    std::uint64_t switchCycles = 0;     // for save and restore, from the device's bandwidth
};

enum class PreemptionAction {
    kLetRun,  // to its end
    kSave,    // at its next checkpoint
    kStop,    // immediately; it starts again from the beginning later
};

/// What a mechanism does with the running job when the policy chooses another.
PreemptionAction decidePreemption(Mechanism mechanism, const Victim& victim);

}  // namespace vnpu::fw
