// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/round_robin_policy.h"

namespace vnpu::fw {

const Candidate& RoundRobinPolicy::choose(const Queue& queue) const {
    return turns_.choose(queue, [](const Candidate&) { return true; });
}

std::uint64_t RoundRobinPolicy::cyclesToLook(const Queue& queue) const {
    const bool isAlone = queue.candidates.size() < 2;
    return isAlone || queue.running == nullptr ? kNeverCycles : turns_.turnLeft(*queue.running);
}

}  // namespace vnpu::fw
