// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/policies/token_policy.h"

#include <algorithm>
#include <array>

namespace vnpu::fw {
namespace {

/// Priorities by band in thirds of a token. source: PREMA, 1, 3 and 9 for low, medium and high;
/// chosen: a third of low for the idle band, which it does not have
constexpr std::array<std::uint64_t, 4> kThirds = {1, 3, 9, 27};

/// Tokens are counted in thirds of 1/1024. chosen: a job of a second is still told apart after 1 ms
constexpr std::uint64_t kScale = 1024;

/// chosen: a second at 1 GHz, for a job that has no estimate
constexpr std::uint64_t kUnknownEstimate = 1'000'000'000;

/// chosen: twelve days; the product below stays within 64 bits
constexpr std::uint64_t kLongestWait = 1ULL << 48;

std::uint64_t tokensOf(const Candidate& one) {
    const std::uint64_t estimate = one.estimateCycles == 0 ? kUnknownEstimate : one.estimateCycles;
    const std::uint64_t waited = std::min(one.waitedCycles, kLongestWait);
    return kThirds[one.band] * (kScale + waited * kScale / estimate);
}

}  // namespace

const Candidate& TokenPolicy::choose(const Queue& queue) const {
    std::uint64_t most = 0;
    for (const Candidate& one : queue.candidates) {
        most = std::max(most, tokensOf(one));
    }
    std::uint64_t threshold = 0;
    for (const std::uint64_t priority : kThirds) {
        threshold = priority * kScale <= most ? priority * kScale : threshold;
    }
    return leastOf(queue, [&](const Candidate& one) {
        return std::tuple(tokensOf(one) < threshold, one.remainingCycles);
    });
}

std::uint64_t TokenPolicy::cyclesToLook(const Queue& queue) const {
    const bool isAlone = queue.candidates.size() < 2;
    return isAlone || parameters_.periodCycles == 0 ? kNeverCycles : parameters_.periodCycles;
}

}  // namespace vnpu::fw
