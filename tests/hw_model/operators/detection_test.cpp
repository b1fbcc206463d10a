// SPDX-License-Identifier: Apache-2.0
// Boxes: transformed, and selected by their scores.
#include <doctest/doctest.h>

#include "tests/hw_model/operators/detection_reference.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

RealTensor integers(const std::vector<std::int64_t>& values) {
    return storedTensor({TensorType::kInt32}, {static_cast<std::uint32_t>(values.size())}, values);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("AXIS_ALIGNED_BBOX_TRANSFORM moves, scales and clips boxes [E-8]") {
    Random random(51);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const DetectionKinds kinds = DetectionKinds::random(random);
        const auto boxes = random.pick<std::uint32_t>(0, 9),
                   classes = random.pick<std::uint32_t>(1, 4),
                   images = random.pick<std::uint32_t>(1, 3);
        const RealTensor roi = randomBoxes(random, kinds.boxes, {boxes, 4}, 0, 60);
        const RealTensor deltas = randomReals(random, kinds.deltas, {boxes, classes * 4});
        const RealTensor sizes = randomReals(random, kinds.boxes, {images, 2}, 30, 64);
        std::vector<std::int64_t> image;
        for (std::uint32_t b = 0; b < boxes; ++b) {
            image.push_back(random.between(0, images - 1));
        }
        OperatorCase call(Operator::kAxisAlignedBboxTransform);
        roi.addTo(call);
        deltas.addTo(call);
        integers(image).addTo(call);
        sizes.addTo(call);
        call.output(kinds.boxes);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        CHECK(call.dimensions(0) == Dimensions{boxes, classes * 4});
        std::vector<double> expected;
        for (std::size_t at = 0; at < std::size_t{boxes} * classes; ++at) {
            const auto in = static_cast<std::size_t>(image[at / classes]);
            append(expected, transformed(boxAt(roi, at / classes), &deltas.reals[at * 4],
                                         sizes[in * 2], sizes[in * 2 + 1]));
        }
        CHECK(difference(realOutput(call, 0, kinds.boxes), expected, kinds.boxTolerance()) == "");
    }
}

TEST_CASE("AXIS_ALIGNED_BBOX_TRANSFORM refuses inverted boxes and invalid images [E-8]") {
    const OperandKind kind{TensorType::kFloat32};
    const auto refusal = [&](const std::vector<double>& box, std::int64_t image) {
        OperatorCase call(Operator::kAxisAlignedBboxTransform);
        tensorOf(kind, {1, 4}, box).addTo(call);
        tensorOf(kind, {1, 4}, std::vector<double>(4)).addTo(call);
        integers({image}).addTo(call);
        tensorOf(kind, {2, 2}, {9, 9, 9, 9}).addTo(call);
        call.output(kind);
        return call.run() == JobStatus::kBadOperand ? call.reason() : "nothing";
    };
    CHECK(refusal({0, 0, 1, 1}, 1) == "nothing");
    CHECK(refusal({0, 0, 0, 0}, 1) == "nothing");
    CHECK(refusal({2, 0, 1, 1}, 0) == "box 0 is 2, 0 to 1, 1: turned inside out");
    CHECK(refusal({0, 0, 1, NAN}, 0) == "box 0 is 0, 0 to 1, nan: turned inside out");
    CHECK(refusal({0, 0, 1, 1}, 2) == "box 0 is in image 2, expected less than 2");
    CHECK(refusal({0, 0, 1, 1}, -1) == "box 0 is in image -1, expected less than 2");
}

namespace {

struct NmsCase {
    DetectionKinds kinds;
    std::uint32_t boxes, classes;
    RealTensor scores, rois;
    std::vector<std::int64_t> images;
    double scoreThreshold, leastScore, sigma;
    std::int32_t most, method;

    explicit NmsCase(Random& random) : kinds(DetectionKinds::random(random)) {
        boxes = random.pick<std::uint32_t>(0, 30);
        classes = random.pick<std::uint32_t>(2, 4);
        scores = randomReals(random, kinds.scores, {boxes, classes}, 0.01, 0.99);
        rois = randomBoxes(random, kinds.boxes, {boxes, classes * 4}, 0, 25);
        for (std::uint32_t b = 0, image = 0; b < boxes; ++b) {
            image += random.oneIn(8) ? random.pick<std::uint32_t>(1, 2) : 0;
            images.push_back(image);
        }
        const TensorType type = kinds.isQuantized() ? TensorType::kFloat32 : kinds.scores.type;
        scoreThreshold = roundedReal(type, 0.213);
        leastScore = roundedReal(type, random.oneIn(3) ? 0.0 : 0.1571);
        sigma = roundedReal(type, 0.5);
        most = random.oneIn(2) ? -1 : random.pick<std::int32_t>(0, 6);
        method = random.pick<std::int32_t>(0, 2);
    }

    void addTo(OperatorCase& call) const {
        scores.addTo(call);
        rois.addTo(call);
        integers(images).addTo(call);
        addReal(call, scores.kind.type, scoreThreshold);
        call.int32(most).int32(method);
        addReal(call, scores.kind.type, kOverlapThreshold);
        addReal(call, scores.kind.type, sigma);
        addReal(call, scores.kind.type, leastScore);
        call.output(kinds.scores).output(kinds.boxes);
        call.output({TensorType::kInt32}).output({TensorType::kInt32});
    }

    double factor(double common) const {
        const double threshold = roundedReal(scores.kind.type, kOverlapThreshold);
        if (method == 2) {
            return std::exp(-common * common / sigma);
        }
        return common < threshold ? 1.0 : method == 1 ? 1.0 - common : 0.0;
    }

    // Of the boxes [first, last) of one image.
    std::vector<ReferenceDetection> expectedOf(std::size_t first, std::size_t last) const {
        std::vector<ReferenceDetection> all;
        for (std::size_t c = 1; c < classes; ++c) {
            std::vector<ReferenceDetection> pending;
            for (std::size_t b = first; b < last; ++b) {
                const std::size_t at = b * classes + c;
                if (scores[at] > scoreThreshold) {
                    pending.push_back({boxAt(rois, at), scores[at], b, c});
                }
            }
            const auto taken = select(
                    pending, [&](double common) { return factor(common); }, leastScore, most);
            all.insert(all.end(), taken.begin(), taken.end());
        }
        sortByScore(all);
        if (most >= 0 && all.size() > static_cast<std::size_t>(most)) {
            all.resize(static_cast<std::size_t>(most));
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& p, const auto& q) { return p.type < q.type; });
        return all;
    }

    std::vector<ReferenceDetection> expected() const {
        std::vector<ReferenceDetection> all;
        for (std::size_t first = 0, last = 0; first < boxes; first = last) {
            while (last < boxes && images[last] == images[first]) {
                ++last;
            }
            const auto ofImage = expectedOf(first, last);
            all.insert(all.end(), ofImage.begin(), ofImage.end());
        }
        return all;
    }
};

}  // namespace

TEST_CASE("BOX_WITH_NMS_LIMIT selects boxes class by class [E-8]") {
    Random random(52);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        const NmsCase nms(random);
        CAPTURE(nms.method);
        OperatorCase call(Operator::kBoxWithNmsLimit);
        nms.addTo(call);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        std::vector<double> scores, sides, classes, images;
        for (const ReferenceDetection& detection : nms.expected()) {
            scores.push_back(detection.score);
            append(sides, detection.box);
            classes.push_back(static_cast<double>(detection.type));
            images.push_back(static_cast<double>(nms.images[detection.index]));
        }
        const auto count = static_cast<std::uint32_t>(scores.size());
        CHECK(call.dimensions(0) == Dimensions{count});
        CHECK(call.dimensions(1) == Dimensions{count, 4});
        CHECK(call.dimensions(2) == Dimensions{count});
        CHECK(call.dimensions(3) == Dimensions{count});
        CHECK(difference(realOutput(call, 0, nms.kinds.scores), scores,
                         nms.kinds.scoreTolerance()) == "");
        CHECK(realOutput(call, 1, nms.kinds.boxes) == sides);
        CHECK(call.numbers(2) == classes);
        CHECK(call.numbers(3) == images);
    }
}

TEST_CASE("BOX_WITH_NMS_LIMIT accepts NaN scores and sides [E-8]") {
    const OperandKind kind{TensorType::kFloat32};
    for (const std::int32_t method : {0, 1, 2}) {
        OperatorCase call(Operator::kBoxWithNmsLimit);
        tensorOf(kind, {3, 2}, {0, NAN, 0, 0.5, 0, 0.6}).addTo(call);
        tensorOf(kind, {3, 8}, std::vector<double>(24, INFINITY)).addTo(call);
        integers({0, 0, 0}).addTo(call);
        call.real(0.1F).int32(-1).int32(method).real(0.5F).real(1.0F).real(0.0F);
        call.output(kind).output(kind).output({TensorType::kInt32}).output({TensorType::kInt32});
        REQUIRE(call.run() == JobStatus::kOk);
        CHECK(call.numbers(0).front() == doctest::Approx(0.6));
    }
}

TEST_CASE("BOX_WITH_NMS_LIMIT refuses invalid operands [E-8]") {
    const OperandKind kind{TensorType::kFloat32};
    const auto refusal = [&](const Dimensions& scores, std::int32_t method, float sigma) {
        Random random(1);
        OperatorCase call(Operator::kBoxWithNmsLimit);
        randomReals(random, kind, scores).addTo(call);
        randomReals(random, kind, {3, 8}).addTo(call);
        integers({0, 0, 0}).addTo(call);
        call.real(0.1F).int32(-1).int32(method).real(0.5F).real(sigma).real(0.0F);
        call.output(kind).output(kind).output({TensorType::kInt32}).output({TensorType::kInt32});
        return call.run() == JobStatus::kBadOperand ? call.reason() : "nothing";
    };
    CHECK(refusal({3, 2}, 0, 0.0F) == "nothing");
    CHECK(refusal({3, 2}, 3, 1.0F) == "kernel is 3, expected 0, 1 or 2");
    CHECK(refusal({3, 2}, 2, 0.0F) == "sigma is 0, expected a positive number");
    CHECK(refusal({3, 1}, 0, 1.0F) ==
          "1 classes, expected at least 2: the first is the background");
    CHECK(refusal({2, 2}, 0, 1.0F) == "input 1 has dimensions [3, 8], expected [2, 8]");
}

TEST_SUITE_END();
