// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/starvation_share.h"

#include <algorithm>

#include "firmware/core/base/cycle_costs.h"

namespace vnpu::fw {
namespace {

constexpr std::int64_t kWhole = 1000;

/// chosen: an hour at 1 GHz; products with kWhole stay within 64 bits
constexpr std::uint64_t kLongestCycles = 1ULL << 42;

}  // namespace

void StarvationShare::observe(const Queue& queue) {
    account(std::min(queue.served - lastServed_, kLongestCycles));
    lastServed_ = queue.served;
    present_ = 0;
    for (const Candidate& one : queue.candidates) {
        present_ |= 1U << one.band;
    }
    running_ = queue.running == nullptr ? kNoBand : queue.running->band;
    for (std::uint32_t band = 0; band < kBandCount; ++band) {
        if ((present_ >> band & 1U) == 0) {
            owed_[band] = 0;
        }
        isServed_[band] = owed_[band] >= (isServed_[band] ? 1 : slice(band));
    }
}

void StarvationShare::account(std::uint64_t cycles) {
    const auto passed = static_cast<std::int64_t>(cycles);
    for (std::uint32_t band = 0; band < kBandCount; ++band) {
        owed_[band] += isBelow(band) ? passed * parameters_.starvationPermille : 0;
        owed_[band] -= running_ == band ? passed * kWhole : 0;
        if (!isBelow(band)) {
            owed_[band] = std::max<std::int64_t>(owed_[band], 0);
        }
    }
}

std::int64_t StarvationShare::slice(std::uint32_t band) const {
    const std::uint64_t quantum = parameters_.quantumCycles[band];
    return kWhole * static_cast<std::int64_t>(
                            std::min(quantum == 0 ? kDefaultSliceCycles : quantum, kLongestCycles));
}

std::uint32_t StarvationShare::owedBand() const {
    for (std::uint32_t band = kBandCount; band-- > 0;) {
        if (isServed_[band]) {
            return band;
        }
    }
    return kNoBand;
}

std::uint64_t StarvationShare::cyclesToChange() const {
    std::uint64_t soonest = kNeverCycles;
    const std::int64_t gain = parameters_.starvationPermille;
    for (std::uint32_t band = 0; band < kBandCount && gain != 0; ++band) {
        if (!isBelow(band)) {
            continue;
        }
        const bool runs = running_ == band;
        if (runs != isServed_[band]) {
            continue;  // it runs although it is owed nothing, or is owed time but must wait
        }
        const std::int64_t distance = runs ? owed_[band] : slice(band) - owed_[band];
        const std::int64_t rate = runs ? kWhole - gain : gain;
        soonest = std::min(soonest, static_cast<std::uint64_t>((distance + rate - 1) / rate));
    }
    return soonest;
}

}  // namespace vnpu::fw
