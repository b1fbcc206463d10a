// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/earliest_deadline_policy.h"

namespace vnpu::fw {

const Candidate& EarliestDeadlinePolicy::choose(const Queue& queue) const {
    return leastOf(queue, [](const Candidate& one) {
        return one.deadlineCycle == 0 ? kNeverCycles : one.deadlineCycle;
    });
}

}  // namespace vnpu::fw
