// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/scheduling.h"

namespace vnpu::fw {

/// The running job that another is to replace.
struct Victim {
    bool canBeSaved = false;
    std::uint32_t restarts = 0;         // so far
    std::uint64_t remainingCycles = 0;  // kUnknownTime if it has no estimate
    std::uint64_t progressCycles = 0;   // that a restart would throw away
    std::uint64_t switchCycles = 0;     // to save and restore it, by the device's bandwidth
};

enum class PreemptionAction {
    kLetRun,  // to its end
    kSave,    // at its next checkpoint
    kStop,    // at once; it begins from the start later
};

/// What a mechanism does with the running job when the policy chooses another.
PreemptionAction decidePreemption(Mechanism mechanism, const Victim& victim);

}  // namespace vnpu::fw
