// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/least_laxity_policy.h"

#include <algorithm>
#include <limits>

namespace vnpu::fw {
namespace {

constexpr std::int64_t kNoDeadline = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kFar = 1ULL << 61;  // chosen: sums of three stay within a signed word

std::int64_t laxity(const Candidate& one, std::uint64_t nowCycle) {
    if (one.deadlineCycle == 0) {
        return kNoDeadline;
    }
    const std::uint64_t rest = one.remainingCycles == kUnknownCycles ? 0 : one.remainingCycles;
    return static_cast<std::int64_t>(std::min(one.deadlineCycle, kFar)) -
           static_cast<std::int64_t>(std::min(nowCycle, kFar)) -
           static_cast<std::int64_t>(std::min(rest, kFar));
}

}  // namespace

const Candidate& LeastLaxityPolicy::choose(const Queue& queue) const {
    return leastOf(queue, [&](const Candidate& one) { return laxity(one, queue.nowCycle); });
}

}  // namespace vnpu::fw
