// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/shortest_first_policy.h"

namespace vnpu::fw {

const Candidate& ShortestFirstPolicy::choose(const Queue& queue) const {
    return leastOf(queue, [](const Candidate& one) { return one.remainingCycles; });
}

}  // namespace vnpu::fw
