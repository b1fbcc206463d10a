// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/random.h"
#include "sim/scenario/scenario.h"

namespace vnpu::sim {

/// The arrival times of a client's frames in order, in nanoseconds since the common start.
class ArrivalSequence {
  public:
    /// The time that follows the last arrival.
    static constexpr std::uint64_t kNever = UINT64_MAX;

    /// `client` must outlive this object; `seed` makes the random choices.
    ArrivalSequence(const ClientSpec& client, std::uint64_t seed);

    /// The next arrival. `previousEndNs` is the time of the answer to the previous frame (used only
    /// by the closed loop, ignored for the first frame).
    std::uint64_t next(std::uint64_t previousEndNs);

  private:
    const ClientSpec& client_;
    Random random_;
    std::uint64_t periodicNs(std::uint64_t index) const;

    std::vector<std::uint64_t> drawnNs_;  // uniform: rising
    std::uint64_t index_ = 0;
    double poissonNs_ = 0.0;
};

/// The arrival rate that the client asks for, per second; 0 where the arrivals have none.
double askedRateHz(const ClientSpec& client);

}  // namespace vnpu::sim
