// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/hw_model/operators/detection_reference.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

struct HeatmapCase {
    DetectionKinds kinds;
    std::uint32_t boxes, size, keypoints;
    bool isNchw;
    RealTensor heatmaps, rois;

    explicit HeatmapCase(Random& random) : kinds(DetectionKinds::random(random)) {
        boxes = random.pick<std::uint32_t>(0, 3);
        size = random.pick<std::uint32_t>(2, 7);
        keypoints = random.pick<std::uint32_t>(1, 3);
        isNchw = random.oneIn(2);
        heatmaps = randomReals(random, kinds.scores,
                               isNchw ? Dimensions{boxes, keypoints, size, size}
                                      : Dimensions{boxes, size, size, keypoints},
                               0, 0.99);
        rois = randomBoxes(random, kinds.boxes, {boxes, 4}, 0, 50);
    }
    double at(std::size_t b, std::size_t k, std::int64_t y, std::int64_t x) const {
        const auto mirror = [&](std::int64_t place) {
            return static_cast<std::size_t>(place < 0       ? -place
                                            : place >= size ? 2 * (std::int64_t{size} - 1) - place
                                                            : place);
        };
        const std::size_t row = mirror(y), column = mirror(x);
        return heatmaps[isNchw ? ((b * keypoints + k) * size + row) * size + column
                               : ((b * size + row) * size + column) * keypoints + k];
    }
};

struct Point {
    double x, y, score;
};

// The largest pixel moved to the stationary point of the Taylor series about it.
Point expectedPoint(const HeatmapCase& c, std::size_t b, std::size_t k) {
    std::int64_t top = 0, left = 0;
    for (std::int64_t y = 0; y < c.size; ++y) {
        for (std::int64_t x = 0; x < c.size; ++x) {
            if (c.at(b, k, y, x) > c.at(b, k, top, left)) {
                top = y;
                left = x;
            }
        }
    }
    const auto v = [&](std::int64_t dy, std::int64_t dx) {
        return c.at(b, k, top + dy, left + dx);
    };
    const double gx = (v(0, 1) - v(0, -1)) / 2, gy = (v(1, 0) - v(-1, 0)) / 2;
    const double xx = v(0, 1) - 2 * v(0, 0) + v(0, -1), yy = v(1, 0) - 2 * v(0, 0) + v(-1, 0);
    const double xy = (v(1, 1) - v(1, -1) - v(-1, 1) + v(-1, -1)) / 4;
    const double determinant = xx * yy - xy * xy;
    const double tolerance = c.kinds.scores.type == TensorType::kFloat16 ? 1e-3 : 1e-5;
    double dx = 0, dy = 0, score = v(0, 0);
    if (std::fabs(determinant) >= tolerance + tolerance * xx * yy) {
        dx = -(yy * gx - xy * gy) / determinant;
        dy = -(xx * gy - xy * gx) / determinant;
        const double farthest = std::max(std::fabs(dx), std::fabs(dy));
        const double shrink = farthest > 1.5 ? 1.5 / farthest : 1;
        dx *= shrink;
        dy *= shrink;
        score += gx * dx + gy * dy + (xx * dx * dx + 2 * xy * dx * dy + yy * dy * dy) / 2;
    }
    const ReferenceBox box = boxAt(c.rois, b);
    const auto inBox = [&](double place, double low, double high) {
        return low + (place + 0.5) / c.size * (high - low);
    };
    return {inBox(static_cast<double>(left) + dx, box.a1, box.a2),
            inBox(static_cast<double>(top) + dy, box.b1, box.b2), score};
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("HEATMAP_MAX_KEYPOINT finds peaks between the pixels [E-8]") {
    Random random(71);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        const HeatmapCase c(random);
        OperatorCase call(Operator::kHeatmapMaxKeypoint);
        c.heatmaps.addTo(call);
        c.rois.addTo(call);
        call.flag(c.isNchw).output(c.kinds.scores).output(c.kinds.boxes);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        CHECK(call.dimensions(0) == Dimensions{c.boxes, c.keypoints});
        CHECK(call.dimensions(1) == Dimensions{c.boxes, c.keypoints, 2});
        std::vector<double> scores, points;
        for (std::size_t b = 0; b < c.boxes; ++b) {
            for (std::size_t k = 0; k < c.keypoints; ++k) {
                const Point point = expectedPoint(c, b, k);
                // What 8 bits can hold.
                const bool saturates = c.kinds.isQuantized() && point.score > 255.0 / 256;
                scores.push_back(saturates ? 255.0 / 256 : point.score);
                points.insert(points.end(), {point.x, point.y});
            }
        }
        CHECK(difference(realOutput(call, 0, c.kinds.scores), scores,
                         c.kinds.isQuantized() ? 0.004 : c.kinds.scoreTolerance(), 1e-3) == "");
        CHECK(difference(realOutput(call, 1, c.kinds.boxes), points,
                         std::max(c.kinds.boxTolerance(), 1e-3)) == "");
    }
}

TEST_CASE("HEATMAP_MAX_KEYPOINT refuses heatmaps that are not square and inverted boxes [E-8]") {
    const OperandKind kind{TensorType::kFloat32};
    const auto refusal = [&](const Dimensions& heatmap, const std::vector<double>& box) {
        Random random(1);
        OperatorCase call(Operator::kHeatmapMaxKeypoint);
        randomReals(random, kind, heatmap).addTo(call);
        tensorOf(kind, {1, 4}, box).addTo(call);
        call.flag(false).output(kind).output(kind);
        return call.run() == JobStatus::kBadOperand ? call.reason() : "nothing";
    };
    CHECK(refusal({1, 4, 4, 2}, {0, 0, 1, 1}) == "nothing");
    CHECK(refusal({1, 4, 5, 2}, {0, 0, 1, 1}) ==
          "heatmaps of 5 and 4, expected a square of 2 or more");
    CHECK(refusal({1, 1, 1, 2}, {0, 0, 1, 1}) ==
          "heatmaps of 1 and 1, expected a square of 2 or more");
    CHECK(refusal({2, 4, 4, 2}, {0, 0, 1, 1}) == "input 1 has dimensions [1, 4], expected [2, 4]");
    CHECK(refusal({1, 4, 4, 2}, {0, 2, 1, 1}) == "box 0 is 0, 2 to 1, 1: turned inside out");
}

TEST_CASE("HEATMAP_MAX_KEYPOINT accepts heatmaps of NaN [E-8]") {
    const OperandKind kind{TensorType::kFloat32};
    OperatorCase call(Operator::kHeatmapMaxKeypoint);
    tensorOf(kind, {1, 2, 2, 1}, std::vector<double>(4, NAN)).addTo(call);
    tensorOf(kind, {1, 4}, {0, 0, 4, 4}).addTo(call);
    call.flag(false).output(kind).output(kind);
    CHECK(call.run() == JobStatus::kOk);
    CHECK(call.numbers(1) == std::vector<double>{1, 1});
}

TEST_SUITE_END();
