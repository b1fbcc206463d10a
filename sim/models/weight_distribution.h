// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/random.h"

namespace vnpu::sim {

/// Random 8-bit weights of a given entropy: a value v from -127 to 127 has a probability in
/// proportion to t^|v|, with t between 0 and 1. The weights of trained networks look similar.
class WeightDistribution {
  public:
    /// Entropies of 1 to kMostBits bits per weight; others become the nearest of these.
    explicit WeightDistribution(double bits);

    static constexpr double kLeastBits = 1.0;
    static constexpr double kMostBits = 7.9;

    std::int8_t draw(Random& random) const;
    /// Root of the mean square.
    double deviation() const { return deviation_; }

  private:
    std::vector<std::int8_t> values_;  // each as often as its probability demands
    double deviation_ = 0;
};

}  // namespace vnpu::sim
