// SPDX-License-Identifier: Apache-2.0
#include "sim/models/weight_distribution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>

namespace vnpu::sim {

namespace {

constexpr int kReach = 127;
constexpr std::size_t kDraws = std::size_t{1} << 16;  // of one table, taken with 16 random bits

/// Probabilities of -127 to 127.
std::array<double, 2 * kReach + 1> probabilities(double t) {
    std::array<double, 2 * kReach + 1> shares{};
    double sum = 0;
    for (int v = -kReach; v <= kReach; ++v) {
        sum += shares[static_cast<std::size_t>(v + kReach)] = std::pow(t, std::abs(v));
    }
    for (double& share : shares) {
        share /= sum;
    }
    return shares;
}

double entropy(double t) {
    double bits = 0;
    for (const double share : probabilities(t)) {
        bits -= share > 0 ? share * std::log2(share) : 0;
    }
    return bits;
}

/// The parameter with that entropy, which grows with it.
double parameterOf(double bits) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 50; ++step) {
        const double middle = (low + high) / 2;
        (entropy(middle) < bits ? low : high) = middle;
    }
    return low;
}

}  // namespace

WeightDistribution::WeightDistribution(double bits) : values_(kDraws) {
    const auto shares = probabilities(parameterOf(std::clamp(bits, kLeastBits, kMostBits)));
    double below = 0;
    std::size_t filled = 0;
    double meanSquare = 0;
    for (int v = -kReach; v <= kReach; ++v) {
        below += shares[static_cast<std::size_t>(v + kReach)];
        const auto end = v == kReach ? kDraws
                                     : static_cast<std::size_t>(
                                               std::lround(below * static_cast<double>(kDraws)));
        meanSquare += static_cast<double>(end - filled) / static_cast<double>(kDraws) * v * v;
        for (; filled < end; ++filled) {
            values_[filled] = static_cast<std::int8_t>(v);
        }
    }
    deviation_ = std::sqrt(meanSquare);
}

std::int8_t WeightDistribution::draw(Random& random) const {
    return values_[random.next() >> 48U];
}

}  // namespace vnpu::sim
