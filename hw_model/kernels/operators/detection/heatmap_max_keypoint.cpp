// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/kernels/operators/detection/boxes.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/support/parallel_tasks.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::kernels {
namespace {

/// A maximum between the pixels of a heatmap.
struct Peak {
    float x = 0.0F;  // relative to the middle pixel
    float y = 0.0F;
    float score = 0.0F;
};

/// The extremum of the quadratic with the first and second differences of a 3 x 3 neighborhood, at
/// most 1.5 pixels from its middle; the middle itself if there is no unique extremum.
Peak refine(const float (&g)[3][3], float tolerance) {
    constexpr float kFarthest = 1.5F;
    Peak peak{.score = g[1][1]};
    const float slopeX = -(g[1][2] - g[1][0]) / 2, slopeY = -(g[2][1] - g[0][1]) / 2;
    const float xx = g[1][0] - 2 * g[1][1] + g[1][2];
    const float yy = g[0][1] - 2 * g[1][1] + g[2][1];
    const float xy = (g[2][2] - g[2][0] - g[0][2] + g[0][0]) / 4;
    const float determinant = xx * yy - xy * xy;
    // chosen: the rule of NNAPI's reference for a missing unique solution
    if (!(std::fabs(determinant) >= tolerance + tolerance * (xx * yy))) {
        return peak;
    }
    peak.x = (yy * slopeX - xy * slopeY) / determinant;
    peak.y = (xx * slopeY - xy * slopeX) / determinant;
    const float farthest = std::max(std::fabs(peak.x), std::fabs(peak.y));
    if (farthest > kFarthest) {
        peak.x *= kFarthest / farthest;
        peak.y *= kFarthest / farthest;
    }
    peak.score = g[1][1] - slopeX * peak.x - slopeY * peak.y +
                 ((xx * peak.x + xy * peak.y) * peak.x + (xy * peak.x + yy * peak.y) * peak.y) / 2;
    return peak;
}

class HeatmapMaxKeypoint {
  public:
    enum : std::size_t { kHeatmaps, kBoxes, kIsNchw };  // as in NNAPI 1.3
    enum : std::size_t { kScoresOut, kPointsOut };

    explicit HeatmapMaxKeypoint(OperatorCall& call) : call_(call) {}

    JobStatus run() {
        VNPU_TRY(check());
        const Dimensions outputs[] = {{count_, keypoints_}, {count_, keypoints_, 2}};
        VNPU_TRY(call_.settleAll(outputs));
        heatmaps_ = RealValues(call_, kHeatmaps);
        boxes_ = RealValues(call_, kBoxes);
        VNPU_TRY(requireValidBoxes(call_, "box", boxes_.data(), count_));
        compute();
        return JobStatus::kOk;
    }

  private:
    JobStatus check() {
        isNchw_ = call_.flag(kIsNchw);
        const Dimensions& heatmaps = call_.input(kHeatmaps).dimensions;
        count_ = heatmaps[0];
        size_ = heatmaps[2];
        keypoints_ = heatmaps[isNchw_ ? 1 : 3];
        const std::uint32_t other = heatmaps[isNchw_ ? 3 : 1];
        if (size_ != other || size_ < 2) {
            return call_.refuse(fmt::format("heatmaps of {} and {}, expected a square of 2 or more",
                                            size_, other));
        }
        tolerance_ = call_.input(kHeatmaps).type == TensorType::kFloat16 ? 1e-3F : 1e-5F;
        return requireDimensions(call_, kBoxes, {count_, kBoxSides});
    }

    void compute() {
        RealResult scores(call_, kScoresOut), points(call_, kPointsOut);
        forEachTask(count_, heatmaps_.size(), [&](std::size_t i) {
            const Box box = Box::read(boxes_.data() + i * kBoxSides);
            for (std::size_t k = 0; k < keypoints_; ++k) {
                const std::size_t at = i * keypoints_ + k;
                const Peak peak = find(i, k);
                const auto size = static_cast<float>(size_);
                scores[at] = peak.score;
                points[2 * at] = (peak.x + 0.5F) / size * (box.x2 - box.x1) + box.x1;
                points[2 * at + 1] = (peak.y + 0.5F) / size * (box.y2 - box.y1) + box.y1;
            }
        });
        scores.store();
        points.store();
    }

    float value(std::size_t i, std::size_t keypoint, std::size_t pixel) const {
        const std::size_t pixels = std::size_t{size_} * size_;
        return heatmaps_[isNchw_ ? (i * keypoints_ + keypoint) * pixels + pixel
                                 : (i * pixels + pixel) * keypoints_ + keypoint];
    }

    // The peak in pixels, relative to the corner.
    Peak find(std::size_t i, std::size_t keypoint) const {
        std::size_t best = 0;
        float bestValue = std::numeric_limits<float>::lowest();
        for (std::size_t pixel = 0; pixel < std::size_t{size_} * size_; ++pixel) {
            const float candidate = value(i, keypoint, pixel);
            if (bestValue < candidate) {
                bestValue = candidate;
                best = pixel;
            }
        }
        const std::size_t x = best % size_, y = best / size_;
        float neighborhood[3][3];
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 3; ++column) {
                neighborhood[row][column] =
                        value(i, keypoint, mirrored(y + row) * size_ + mirrored(x + column));
            }
        }
        Peak peak = refine(neighborhood, tolerance_);
        peak.x += static_cast<float>(x);
        peak.y += static_cast<float>(y);
        return peak;
    }

    // Maps a position, counted from one before the heatmap, by mirroring at the outermost pixels.
    std::size_t mirrored(std::size_t place) const {
        if (place == 0) {
            return 1;
        }
        return place > size_ ? size_ - 2 : place - 1;
    }

    OperatorCall& call_;
    RealValues heatmaps_, boxes_;
    std::uint32_t count_ = 0, size_ = 0, keypoints_ = 0;
    float tolerance_ = 0.0F;
    bool isNchw_ = false;
};

constexpr OperatorEntry kKeypointEntries[] = {
        {Operator::kHeatmapMaxKeypoint, {"T4R2b", "TR", kRealTypes}, [](OperatorCall& call) {
             return HeatmapMaxKeypoint(call).run();
         }}};

}  // namespace

std::span<const OperatorEntry> keypointOperators() {
    return kKeypointEntries;
}

}  // namespace vnpu::hw::kernels
