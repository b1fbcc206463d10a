// SPDX-License-Identifier: Apache-2.0
#include "firmware/api/policies.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace vnpu::fw {
namespace {

/// The highest band first; within a band the highest level.
Rank rankByBand(const Candidate& one, const Queue& queue) {
    return {one.band == queue.owedBand ? 0U : 1U, ~(std::uint64_t{one.band} << 32 | one.level)};
}

Rank rankByArrival(const Candidate& one, const Queue& /*queue*/) {
    return {0, one.arrival};
}

/// All candidates are equal; only turns decide.
Rank rankEqually(const Candidate& /*one*/, const Queue& /*queue*/) {
    return {};
}

/// The least remaining time first; a job of unknown time goes last.
Rank rankByRemaining(const Candidate& one, const Queue& /*queue*/) {
    return {0, one.remaining};
}

/// Priorities by band in thirds of a token. source: PREMA, 1, 3 and 9 for low, medium and high;
/// chosen: a third of low for the idle band, which PREMA does not have
constexpr std::array<std::uint64_t, 4> kThirds = {1, 3, 9, 27};

/// Tokens are counted in thirds of 1/1024. chosen: the tokens of a job of one second still change
/// within 1 ms
constexpr std::uint64_t kTokenScale = 1024;

/// chosen: a second at 1 GHz, for a job that has no estimate
constexpr std::uint64_t kAssumedEstimate = 1'000'000'000;

/// chosen: three days at 1 GHz; the product in tokensOf() stays within 64 bits
constexpr std::uint64_t kLongestWait = 1ULL << 48;

std::uint64_t tokensOf(const Candidate& one) {
    const std::uint64_t estimate = one.estimate == 0 ? kAssumedEstimate : one.estimate;
    const std::uint64_t waited = std::min(one.waited, kLongestWait);
    return kThirds[one.band] * (kTokenScale + waited * kTokenScale / estimate);
}

/// The largest priority that any candidate's tokens reach.
std::uint64_t tokenThreshold(const Queue& queue) {
    std::uint64_t most = 0;
    for (const Candidate& one : queue.candidates) {
        most = std::max(most, tokensOf(one));
    }
    std::uint64_t threshold = 0;
    for (const std::uint64_t priority : kThirds) {
        threshold = priority * kTokenScale <= most ? priority * kTokenScale : threshold;
    }
    return threshold;
}

/// Tokens, after PREMA (Choi and Rhu, HPCA 2020). A job begins with the tokens of its band and
/// gains as many again each time that it has waited for as long as its estimate:
///
///   tokens = priority * (1 + waited / estimate)      priority: 1/3, 1, 3, 9 from the idle band up
///
/// The jobs whose tokens reach the threshold are eligible; of these the one with the least
/// remaining time goes first. A short job that waits therefore soon overtakes long ones of its own
/// band, and in the end those of a higher band.
Rank rankByTokens(const Candidate& one, const Queue& queue) {
    return {tokensOf(one) < tokenThreshold(queue) ? 1U : 0U, one.remaining};
}

/// Jobs without a deadline go last.
Rank rankByDeadline(const Candidate& one, const Queue& /*queue*/) {
    return {0, one.deadline == 0 ? kUnknownTime : one.deadline};
}

/// Laxity is the time to spare: deadline minus remaining time minus now. It is negative once the
/// deadline cannot be met. Jobs without a deadline go last; an unknown remaining time counts as
/// zero. The policy is applied on events only, so that two jobs of equal laxity do not preempt each
/// other continually.
Rank rankByLaxity(const Candidate& one, const Queue& queue) {
    constexpr std::uint64_t kFar = 1ULL << 61;  // chosen: sums of three stay within a signed word
    if (one.deadline == 0) {
        return {1, 0};
    }
    const std::uint64_t remaining = one.remaining == kUnknownTime ? 0 : one.remaining;
    // Two times kFar more than the laxity, so that the key is not negative.
    return {0, 2 * kFar + std::min(one.deadline, kFar) - std::min(queue.now, kFar) -
                       std::min(remaining, kFar)};
}

constexpr PolicyRow kPolicies[] = {
        {.policy = Policy::kBands,
         .name = "bands",
         .rankOf = rankByBand,
         .turns = Turns::kWithinBand,
         .hasShares = true},
        {.policy = Policy::kFirstCome, .name = "first_come", .rankOf = rankByArrival},
        {.policy = Policy::kRoundRobin,
         .name = "round_robin",
         .rankOf = rankEqually,
         .turns = Turns::kAcrossBands},
        {.policy = Policy::kShortestFirst, .name = "shortest_first", .rankOf = rankByRemaining},
        {.policy = Policy::kTokens, .name = "tokens", .rankOf = rankByTokens, .hasPeriod = true},
        {.policy = Policy::kEarliestDeadline,
         .name = "earliest_deadline",
         .rankOf = rankByDeadline},
        {.policy = Policy::kLeastLaxity, .name = "least_laxity", .rankOf = rankByLaxity},
};
static_assert(std::size(kPolicies) == kPolicyCount);
static_assert(std::ranges::all_of(kPolicies, [](const PolicyRow& row) {
    return &row - kPolicies == static_cast<std::ptrdiff_t>(row.policy);
}));

}  // namespace

std::span<const PolicyRow> policies() {
    return kPolicies;
}

const PolicyRow& rowOf(Policy policy) {
    return kPolicies[static_cast<std::size_t>(policy)];
}

}  // namespace vnpu::fw
