// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::fw {

/// The running job that another is to replace.
struct Victim {
    bool canBeSaved = false;
    std::uint32_t restarts = 0;         // so far
    std::uint64_t remainingCycles = 0;  // kUnknownCycles if it has no estimate
    std::uint64_t progressCycles = 0;   // what a restart would throw away
    std::uint64_t switchCycles = 0;     // to save and restore it, by the device's bandwidth
};

enum class PreemptionAction {
    kLetRun,  // to its end
    kSave,    // at its next checkpoint
    kStop,    // at once; it begins from the start later
};

/// What happens to the running job when the policy wants another. One file pair each.
class PreemptionMechanism {
  public:
    virtual ~PreemptionMechanism() = default;
    virtual PreemptionAction decide(const Victim& victim) const = 0;
};

}  // namespace vnpu::fw
