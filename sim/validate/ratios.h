// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vnpu::sim {

/// Ratios of times, of the model to the reference, and what they have in common.
class Ratios {
  public:
    void add(double ratio) {
        least_ = count_ == 0 ? ratio : std::min(least_, ratio);
        most_ = count_ == 0 ? ratio : std::max(most_, ratio);
        logarithms_ += std::log(ratio);
        ++count_;
    }
    std::size_t count() const { return count_; }
    double least() const { return least_; }
    double most() const { return most_; }
    /// The geometric mean; 1 without ratios.
    double mean() const {
        return std::exp(logarithms_ / static_cast<double>(std::max<std::size_t>(count_, 1)));
    }

  private:
    std::size_t count_ = 0;
    double least_ = 0.0, most_ = 0.0, logarithms_ = 0.0;
};

}  // namespace vnpu::sim
