// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/hw_model/operators/real_tensor.h"

namespace vnpu::test {

/// Not a quotient of small whole numbers.
inline constexpr double kOverlapThreshold = 0.2731;

/// Two corners, x and y or y and x.
struct ReferenceBox {
    double a1 = 0, b1 = 0, a2 = 0, b2 = 0;
};

inline ReferenceBox boxAt(const RealTensor& tensor, std::size_t box) {
    return {tensor[box * 4], tensor[box * 4 + 1], tensor[box * 4 + 2], tensor[box * 4 + 3]};
}

inline double overlap(const ReferenceBox& p, const ReferenceBox& q) {
    const double a = std::min(p.a2, q.a2) - std::max(p.a1, q.a1);
    const double b = std::min(p.b2, q.b2) - std::max(p.b1, q.b1);
    const double common = std::max(a, 0.0) * std::max(b, 0.0);
    return common / ((p.a2 - p.a1) * (p.b2 - p.b1) + (q.a2 - q.a1) * (q.b2 - q.b1) - common);
}

struct ReferenceDetection {
    ReferenceBox box;
    double score = 0;
    std::size_t index = 0, type = 0;
};

/// The greedy selection of NNAPI's definition: the best candidate is selected, the others are
/// rescored and dropped if below `least`; at most `most` unless negative. The first of equal
/// candidates wins.
inline std::vector<ReferenceDetection> select(std::vector<ReferenceDetection> pending,
                                              const std::function<double(double)>& factor,
                                              double least, std::int64_t most) {
    std::vector<ReferenceDetection> taken;
    while (!pending.empty() && (most < 0 || static_cast<std::int64_t>(taken.size()) < most)) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < pending.size(); ++i) {
            best = pending[i].score > pending[best].score ? i : best;
        }
        taken.push_back(pending[best]);
        std::vector<ReferenceDetection> left;
        for (std::size_t i = 0; i < pending.size(); ++i) {
            ReferenceDetection other = pending[i];
            other.score *= factor(overlap(other.box, taken.back().box));
            if (i != best && other.score >= least) {
                left.push_back(other);
            }
        }
        pending = left;
    }
    return taken;
}

/// The same, dropping candidates that overlap by the threshold or more.
inline std::vector<ReferenceDetection> selectHard(const std::vector<ReferenceDetection>& pending,
                                                  double threshold, std::int64_t most) {
    // Scores are positive, so candidates with score 0 are dropped.
    return select(
            pending, [=](double common) { return common < threshold ? 1.0 : 0.0; }, 1e-30, most);
}

inline void sortByScore(std::vector<ReferenceDetection>& detections) {
    std::stable_sort(detections.begin(), detections.end(),
                     [](const auto& p, const auto& q) { return p.score > q.score; });
}

/// The definition of AXIS_ALIGNED_BBOX_TRANSFORM in double.
inline ReferenceBox transformed(const ReferenceBox& box, const double* deltas, double imageHeight,
                                double imageWidth) {
    const double width = box.a2 - box.a1, height = box.b2 - box.b1;
    const double x = box.a1 + width / 2 + deltas[0] * width;
    const double y = box.b1 + height / 2 + deltas[1] * height;
    const double newWidth = std::exp(deltas[2]) * width;
    const double newHeight = std::exp(deltas[3]) * height;
    const auto inside = [](double side, double most) { return std::clamp(side, 0.0, most); };
    return {inside(x - newWidth / 2, imageWidth), inside(y - newHeight / 2, imageHeight),
            inside(x + newWidth / 2, imageWidth), inside(y + newHeight / 2, imageHeight)};
}

/// Kinds of operands of one flavor of the detection operators.
struct DetectionKinds {
    OperandKind scores, deltas, boxes, anchors;

    static DetectionKinds random(Random& random) {
        switch (random.between(0, 3)) {
            case 0:
                return floats(hw::TensorType::kFloat32);
            case 1:
                return floats(hw::TensorType::kFloat16);
            case 2:
                return quantized(hw::TensorType::kQuant8Asymm, 0, 128);
            default:
                return quantized(hw::TensorType::kQuant8AsymmSigned, -128, 0);
        }
    }
    static DetectionKinds floats(hw::TensorType type) { return {{type}, {type}, {type}, {type}}; }
    static DetectionKinds quantized(hw::TensorType type, std::int32_t low, std::int32_t middle) {
        return {{type, 1.0F / 256, low},
                {type, 1.0F / 100, middle},
                {hw::TensorType::kQuant16Asymm, 0.125F},
                {hw::TensorType::kQuant16Symm, 0.125F}};
    }
    bool isQuantized() const { return boxes.scale > 0.0F; }
    /// For coordinates up to 64.
    double boxTolerance() const {
        return isQuantized() ? 0.126 : boxes.type == hw::TensorType::kFloat16 ? 0.04 : 1e-4;
    }
    double scoreTolerance() const {
        return isQuantized() ? 0.004 : scores.type == hw::TensorType::kFloat16 ? 1e-3 : 1e-6;
    }
};

/// Boxes of a positive size, sides between low and high.
inline RealTensor randomBoxes(Random& random, const OperandKind& kind,
                              const hw::Dimensions& dimensions, double low, double high) {
    std::vector<double> sides;
    const auto place = [&] {
        return std::round(low + (static_cast<double>(random.real()) + 1) / 2 * (high - low - 8));
    };
    for (std::size_t box = 0; box * 4 < dimensions.elements(); ++box) {
        const double a = place(), b = place();
        sides.insert(sides.end(), {a, b, a + static_cast<double>(random.between(3, 8)),
                                   b + static_cast<double>(random.between(3, 8))});
    }
    return tensorOf(kind, dimensions, sides);
}

inline void append(std::vector<double>& sides, const ReferenceBox& box) {
    sides.insert(sides.end(), {box.a1, box.b1, box.a2, box.b2});
}

}  // namespace vnpu::test
