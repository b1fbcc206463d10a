// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/arrivals.h"

#include <algorithm>
#include <cmath>

namespace vnpu::sim {

namespace {

constexpr double kNanosecondsPerSecond = 1e9;

}  // namespace

ArrivalSequence::ArrivalSequence(const ClientSpec& client, std::uint64_t seed)
    : client_(client), random_(seed) {
    if (client.arrival != ArrivalKind::kUniform) {
        return;
    }
    for (std::uint64_t i = 0; i < client.count; ++i) {
        const double part = random_.nextUnit() * static_cast<double>(client.windowNs);
        drawnNs_.push_back(std::min(static_cast<std::uint64_t>(part), client.windowNs - 1));
    }
    std::sort(drawnNs_.begin(), drawnNs_.end());
}

std::uint64_t ArrivalSequence::next(std::uint64_t previousEndNs) {
    const std::uint64_t index = index_++;
    switch (client_.arrival) {
        case ArrivalKind::kClosedLoop:
            return index == 0 ? client_.phaseNs : previousEndNs + client_.thinkNs;
        case ArrivalKind::kPoisson:
            // Gaps between arrivals are exponentially distributed with mean 1/rate.
            poissonNs_ += -std::log(random_.nextUnit()) * kNanosecondsPerSecond / client_.rateHz;
            return client_.phaseNs + static_cast<std::uint64_t>(std::llround(poissonNs_));
        case ArrivalKind::kUniform:
            return index < drawnNs_.size() ? client_.phaseNs + drawnNs_[index] : kNever;
        case ArrivalKind::kTrace:
            return index < client_.traceNs.size() ? client_.phaseNs + client_.traceNs[index]
                                                  : kNever;
        case ArrivalKind::kPeriodic:
            break;
    }
    const double jitter = client_.jitterNs == 0
                                  ? 0.0
                                  : random_.nextUnit() * static_cast<double>(client_.jitterNs);
    return client_.phaseNs + periodicNs(index) + static_cast<std::uint64_t>(jitter);
}

std::uint64_t ArrivalSequence::periodicNs(std::uint64_t index) const {
    if (client_.periodNs != 0) {
        return index * client_.periodNs;
    }
    // Each time is computed from the frame's number, so that a rate such as 30 Hz does not drift.
    return static_cast<std::uint64_t>(
            std::llround(static_cast<double>(index) * kNanosecondsPerSecond / client_.rateHz));
}

double askedRateHz(const ClientSpec& client) {
    switch (client.arrival) {
        case ArrivalKind::kClosedLoop:
        case ArrivalKind::kUniform:
        case ArrivalKind::kTrace:
            return 0.0;
        case ArrivalKind::kPoisson:
            return client.rateHz;
        case ArrivalKind::kPeriodic:
            break;
    }
    return client.periodNs != 0 ? kNanosecondsPerSecond / static_cast<double>(client.periodNs)
                                : client.rateHz;
}

}  // namespace vnpu::sim
