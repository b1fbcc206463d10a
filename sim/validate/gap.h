// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace vnpu::sim {

/// A figure of the device, or of a reference's rules, and the independent figure that limits it.
struct Bound {
    std::string figure{};   // the independent one: "closed form of 64 x 32"
    double measured = 0.0;  // cycles, bytes
    double expected = 0.0;  // the independent figure, in the same unit
    double low = 0.0;       // limits of measured / expected
    double high = std::numeric_limits<double>::infinity();

    /// measured / expected; 1 where both are 0.
    double ratio() const;
    /// False for a NaN.
    bool holds() const;
};

/// A share of the difference between a model and its reference.
struct Part {
    std::string name{};   // "array"
    double cycles = 0.0;  // positive: the model takes longer
    std::vector<Bound> bounds{};

    bool holds() const;
};

/// The difference between the time of a model and that of its reference, by parts. Each part is
/// limited by figures from elsewhere; what the parts do not account for must be small.
struct Gap {
    double model = 0.0;      // cycles
    double reference = 0.0;  // cycles
    std::vector<Part> parts{};
    double tolerance = 0.0;  // largest |rest()| as a share of the model's cycles

    double sum() const;
    /// What the parts leave of the difference.
    double rest() const { return model - reference - sum(); }
    bool sums() const;
    /// Whether the parts sum to the difference and each is within its bounds.
    bool holds() const;
    /// model / reference.
    double timeRatio() const { return model / reference; }
    /// "+25 % = array +31 (1.02 of the closed form) ... rest -1", relative to the reference; what
    /// does not hold is marked with "!".
    std::string text() const;
};

}  // namespace vnpu::sim
