// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/first_come_policy.h"

namespace vnpu::fw {

const Candidate& FirstComePolicy::choose(const Queue& queue) const {
    return leastOf(queue, [](const Candidate& one) { return one.arrivalCycle; });
}

}  // namespace vnpu::fw
