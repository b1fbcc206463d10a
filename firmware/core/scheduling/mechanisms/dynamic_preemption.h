// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "firmware/core/scheduling/mechanisms/preemption_mechanism.h"

namespace vnpu::fw {

/// The cheapest of the three, in device cycles: to wait for its end costs what remains, to save it
/// the switch there and back, to stop it what it has done so far.
class DynamicPreemption final : public PreemptionMechanism {
  public:
    PreemptionAction decide(const Victim& victim) const override;
};

}  // namespace vnpu::fw
