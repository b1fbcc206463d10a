// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

inline constexpr std::uint32_t kBoxSides = 4;

/// Corners of an axis-aligned box. x and y may be exchanged, which makes no difference here.
struct Box {
    float x1, y1, x2, y2;

    static Box read(const float* sides) { return {sides[0], sides[1], sides[2], sides[3]}; }
    void write(float* sides) const {
        sides[0] = x1;
        sides[1] = y1;
        sides[2] = x2;
        sides[3] = y2;
    }
    /// Whether no side is inverted; false for NaNs.
    bool isValid() const { return x1 <= x2 && y1 <= y2; }
};

/// Area of the intersection divided by that of the union; NaN for two boxes without area.
float intersectionOverUnion(const Box& a, const Box& b);

/// Moves the center by deltas[0], deltas[1] times width and height, scales these by the
/// exponentials of deltas[2], deltas[3], and clips to the image.
Box transformBox(const Box& box, const float* deltas, float imageHeight, float imageWidth);

/// A box that competes for selection.
struct Candidate {
    Box box;
    float score;
    std::uint32_t index;  // the caller's
};

/// Descending scores, NaNs last; a strict weak order.
bool hasHigherScore(const Candidate& a, const Candidate& b);

/// Repeatedly selects the best candidate and drops those that overlap it by `threshold` or more,
/// until `most` (if not negative) are selected. Descending scores.
std::vector<Candidate> suppressHard(std::vector<Candidate> candidates, float threshold,
                                    std::int64_t most);

/// Repeatedly selects the best candidate, multiplies the scores of the others by `factor(overlap)`,
/// and drops those whose score falls below `leastScore`.
std::vector<Candidate> suppressSoft(std::vector<Candidate> candidates,
                                    const std::function<float(float)>& factor, float leastScore,
                                    std::int64_t most);

/// Refuses the call if one of `count` boxes from `sides` on is inverted; messages call a box
/// `name`.
[[nodiscard]] JobStatus requireValidBoxes(OperatorCall& call, const char* name, const float* sides,
                                          std::size_t count);

}  // namespace vnpu::hw::kernels
