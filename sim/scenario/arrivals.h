// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/random.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// The times at which a client's frames arrive, one after another, in nanoseconds since the common
/// start.
class ArrivalSequence {
  public:
    /// After the last arrival.
    static constexpr std::uint64_t kNever = UINT64_MAX;

    /// `client` must outlive it; `seed` decides what is random.
    ArrivalSequence(const ClientSpec& client, std::uint64_t seed);

    /// The next arrival. `previousEndNs` is when the frame before was answered (closed loop only;
    /// ignored for the first).
    std::uint64_t next(std::uint64_t previousEndNs);

  private:
    const ClientSpec& client_;
    Random random_;
    std::uint64_t periodicNs(std::uint64_t index) const;

    std::vector<std::uint64_t> drawnNs_;  // uniform: rising
    std::uint64_t index_ = 0;
    double poissonNs_ = 0.0;
};

/// Arrivals per second that the client asks for; 0 where they have no rate.
double askedRateHz(const ClientSpec& client);

}  // namespace vnpu::sim
