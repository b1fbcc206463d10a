// SPDX-License-Identifier: Apache-2.0
// Boxes decoded from anchors.
#include <doctest/doctest.h>

#include "tests/hw_model/operators/detection_reference.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

struct ProposalCase {
    DetectionKinds kinds;
    std::uint32_t batch, height, width, anchorCount;
    bool isNchw;
    RealTensor scores, deltas, anchors, images;
    std::int32_t mostBefore, mostAfter;
    double leastSize;

    explicit ProposalCase(Random& random) : kinds(DetectionKinds::random(random)) {
        batch = random.pick<std::uint32_t>(0, 2);
        height = random.pick<std::uint32_t>(1, 4);
        width = random.pick<std::uint32_t>(1, 4);
        anchorCount = random.pick<std::uint32_t>(1, 3);
        isNchw = random.oneIn(2);
        scores = randomReals(random, kinds.scores, shape(anchorCount), 0.01, 0.99);
        deltas = randomReals(random, kinds.deltas, shape(anchorCount * 4), -0.3, 0.3);
        anchors = randomBoxes(random, kinds.anchors, {anchorCount, 4}, -4, 12);
        images = randomReals(random, kinds.boxes, {batch, 2}, 20, 40);
        mostBefore = random.oneIn(2) ? -1 : random.pick<std::int32_t>(0, 20);
        mostAfter = random.oneIn(2) ? -1 : random.pick<std::int32_t>(0, 8);
        leastSize = roundedReal(scores.kind.type, 1.517);
    }
    Dimensions shape(std::uint32_t channels) const {
        return isNchw ? Dimensions{batch, channels, height, width}
                      : Dimensions{batch, height, width, channels};
    }
    std::size_t at(std::size_t b, std::size_t y, std::size_t x, std::size_t c,
                   std::size_t channels) const {
        return isNchw ? ((b * channels + c) * height + y) * width + x
                      : ((b * height + y) * width + x) * channels + c;
    }

    void addTo(OperatorCase& call) const {
        for (const RealTensor* tensor : {&scores, &deltas, &anchors, &images}) {
            tensor->addTo(call);
        }
        addReal(call, scores.kind.type, 5.0);  // strides
        addReal(call, scores.kind.type, 6.0);
        call.int32(mostBefore).int32(mostAfter);
        addReal(call, scores.kind.type, kOverlapThreshold);
        addReal(call, scores.kind.type, leastSize);
        call.flag(isNchw);
        call.output(kinds.scores).output(kinds.boxes).output({TensorType::kInt32});
    }

    std::vector<ReferenceDetection> expectedOf(std::size_t b) const {
        std::vector<ReferenceDetection> all;
        const double imageHeight = images[b * 2], imageWidth = images[b * 2 + 1];
        for (std::size_t y = 0; y < height; ++y) {
            for (std::size_t x = 0; x < width; ++x) {
                for (std::size_t a = 0; a < anchorCount; ++a) {
                    ReferenceBox box = boxAt(anchors, a);
                    box.a1 += 6.0 * static_cast<double>(x);
                    box.a2 += 6.0 * static_cast<double>(x);
                    box.b1 += 5.0 * static_cast<double>(y);
                    box.b2 += 5.0 * static_cast<double>(y);
                    double d[4];
                    for (std::size_t k = 0; k < 4; ++k) {
                        d[k] = deltas[at(b, y, x, a * 4 + k, std::size_t{anchorCount} * 4)];
                    }
                    all.push_back({transformed(box, d, imageHeight, imageWidth),
                                   scores[at(b, y, x, a, anchorCount)], 0, b});
                }
            }
        }
        if (mostBefore > 0 && all.size() > static_cast<std::size_t>(mostBefore)) {
            sortByScore(all);
            all.resize(static_cast<std::size_t>(mostBefore));
        }
        std::erase_if(all, [&](const ReferenceDetection& detection) {
            const ReferenceBox& box = detection.box;
            return box.a2 - box.a1 <= leastSize || box.b2 - box.b1 <= leastSize ||
                   (box.a1 + box.a2) / 2 >= imageWidth || (box.b1 + box.b2) / 2 >= imageHeight;
        });
        return selectHard(all, roundedReal(scores.kind.type, kOverlapThreshold),
                          mostAfter > 0 ? mostAfter : -1);
    }
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("GENERATE_PROPOSALS decodes, filters and selects boxes [E-8]") {
    Random random(61);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        const ProposalCase proposal(random);
        OperatorCase call(Operator::kGenerateProposals);
        proposal.addTo(call);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        std::vector<double> scores, sides, images;
        for (std::size_t b = 0; b < proposal.batch; ++b) {
            for (const ReferenceDetection& detection : proposal.expectedOf(b)) {
                scores.push_back(detection.score);
                append(sides, detection.box);
                images.push_back(static_cast<double>(b));
            }
        }
        const auto count = static_cast<std::uint32_t>(scores.size());
        CHECK(call.dimensions(0) == Dimensions{count});
        CHECK(call.dimensions(1) == Dimensions{count, 4});
        CHECK(difference(realOutput(call, 0, proposal.kinds.scores), scores, 1e-6) == "");
        CHECK(difference(realOutput(call, 1, proposal.kinds.boxes), sides,
                         proposal.kinds.boxTolerance()) == "");
        CHECK(call.numbers(2) == images);
    }
}

namespace {

struct PostprocessingCase {
    TensorType type;
    std::uint32_t batch, anchorCount, classes, codeSize;
    RealTensor scores, deltas, anchors;
    bool isRegular, countsBackground;
    std::int32_t most, mostClasses, mostOfClass;
    double threshold;

    explicit PostprocessingCase(Random& random)
        : type(random.oneIn(3) ? TensorType::kFloat16 : TensorType::kFloat32) {
        batch = random.pick<std::uint32_t>(0, 2);
        anchorCount = random.pick<std::uint32_t>(0, 20);
        classes = random.pick<std::uint32_t>(2, 5);
        codeSize = random.pick<std::uint32_t>(4, 6);
        scores = randomReals(random, {type}, {batch, anchorCount, classes}, 0.01, 0.99);
        deltas = randomReals(random, {type}, {batch, anchorCount, codeSize});
        anchors = randomReals(random, {type}, {anchorCount, 4}, 0.2, 1.0);
        isRegular = random.oneIn(2);
        countsBackground = random.oneIn(2);
        most = random.pick<std::int32_t>(1, 8);
        mostClasses = random.pick<std::int32_t>(1, 6);
        mostOfClass = random.pick<std::int32_t>(1, 4);
        threshold = roundedReal(type, 0.413);
    }

    void addTo(OperatorCase& call) const {
        for (const RealTensor* tensor : {&scores, &deltas, &anchors}) {
            tensor->addTo(call);
        }
        for (const double scale : {10.0, 8.0, 5.0, 4.0}) {
            addReal(call, type, scale);
        }
        call.flag(isRegular).int32(most).int32(mostClasses).int32(mostOfClass);
        addReal(call, type, threshold);
        addReal(call, type, kOverlapThreshold);
        call.flag(countsBackground);
        call.output({type}).output({type});
        call.output({TensorType::kInt32}).output({TensorType::kInt32});
    }
    std::uint32_t room() const {
        return static_cast<std::uint32_t>(isRegular ? most : most * mostClasses);
    }

    ReferenceBox decoded(std::size_t b, std::size_t a) const {
        const double* d = &deltas.reals[(b * anchorCount + a) * codeSize];
        const double y = anchors[a * 4] + d[0] / 10 * anchors[a * 4 + 2];
        const double x = anchors[a * 4 + 1] + d[1] / 8 * anchors[a * 4 + 3];
        const double height = anchors[a * 4 + 2] * std::exp(d[2] / 5);
        const double width = anchors[a * 4 + 3] * std::exp(d[3] / 4);
        return {y - height / 2, x - width / 2, y + height / 2, x + width / 2};
    }
    std::vector<ReferenceDetection> classesOf(std::size_t b, std::size_t a) const {
        std::vector<ReferenceDetection> all;
        for (std::size_t c = 1; c < classes; ++c) {
            all.push_back({decoded(b, a), scores[(b * anchorCount + a) * classes + c], a, c});
        }
        return all;
    }

    std::vector<ReferenceDetection> regular(std::size_t b) const {
        std::vector<ReferenceDetection> all;
        for (std::size_t c = 1; c < classes; ++c) {
            std::vector<ReferenceDetection> pending;
            for (std::size_t a = 0; a < anchorCount; ++a) {
                const ReferenceDetection one = classesOf(b, a)[c - 1];
                if (one.score > threshold) {
                    pending.push_back(one);
                }
            }
            const auto taken =
                    selectHard(pending, roundedReal(type, kOverlapThreshold), mostOfClass);
            all.insert(all.end(), taken.begin(), taken.end());
        }
        sortByScore(all);
        all.resize(std::min(all.size(), static_cast<std::size_t>(most)));
        return all;
    }
    std::vector<ReferenceDetection> fast(std::size_t b) const {
        std::vector<ReferenceDetection> pending;
        for (std::size_t a = 0; a < anchorCount; ++a) {
            auto all = classesOf(b, a);
            sortByScore(all);
            if (all.front().score > threshold) {
                pending.push_back(all.front());
            }
        }
        std::vector<ReferenceDetection> shown;
        for (const auto& taken : selectHard(pending, roundedReal(type, kOverlapThreshold), most)) {
            auto all = classesOf(b, taken.index);
            sortByScore(all);
            all.resize(std::min(all.size(), static_cast<std::size_t>(mostClasses)));
            shown.insert(shown.end(), all.begin(), all.end());
        }
        return shown;
    }
};

}  // namespace

TEST_CASE("DETECTION_POSTPROCESSING decodes anchors and selects detections [E-8]") {
    Random random(62);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        const PostprocessingCase c(random);
        CAPTURE(c.isRegular);
        OperatorCase call(Operator::kDetectionPostprocessing);
        c.addTo(call);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        std::vector<double> scores, sides, classes, counts;
        for (std::size_t b = 0; b < c.batch; ++b) {
            const auto detections = c.isRegular ? c.regular(b) : c.fast(b);
            for (const ReferenceDetection& detection : detections) {
                scores.push_back(detection.score);
                append(sides, detection.box);
                classes.push_back(static_cast<double>(detection.type) -
                                  (c.countsBackground ? 0 : 1));
            }
            counts.push_back(static_cast<double>(detections.size()));
            scores.resize((b + 1) * c.room());
            sides.resize((b + 1) * c.room() * 4);
            classes.resize((b + 1) * c.room());
        }
        CHECK(call.dimensions(0) == Dimensions{c.batch, c.room()});
        CHECK(call.dimensions(1) == Dimensions{c.batch, c.room(), 4});
        CHECK(call.dimensions(2) == Dimensions{c.batch, c.room()});
        CHECK(call.dimensions(3) == Dimensions{c.batch});
        const double tolerance = c.type == TensorType::kFloat16 ? 2e-3 : 1e-6;
        CHECK(difference(call.numbers(0), scores, 1e-6) == "");
        CHECK(difference(call.numbers(1), sides, tolerance) == "");
        CHECK(call.numbers(2) == classes);
        CHECK(call.numbers(3) == counts);
    }
}

TEST_CASE("DETECTION_POSTPROCESSING refuses limits and scales below their minimum [E-8]") {
    Random random(63);
    PostprocessingCase base(random);
    base.isRegular = true;
    const auto refusal = [&](const PostprocessingCase& c) {
        OperatorCase call(Operator::kDetectionPostprocessing);
        c.addTo(call);
        return call.run() == JobStatus::kBadOperand ? call.reason() : "nothing";
    };
    CHECK(refusal(base) == "nothing");
    PostprocessingCase wrong = base;
    wrong.most = 0;
    CHECK(refusal(wrong) == "input 8 is 0, expected a positive number");
    wrong = base;
    wrong.mostOfClass = -1;
    CHECK(refusal(wrong) == "input 10 is -1, expected a positive number");
    wrong = base;
    wrong.isRegular = false;
    wrong.mostClasses = 0;
    CHECK(refusal(wrong) == "input 9 is 0, expected a positive number");
    wrong.mostClasses = wrong.most = INT32_MAX;
    CHECK(refusal(wrong).find("expected at most 2147483647") != std::string::npos);
    wrong = base;
    wrong.threshold = -1;
    CHECK(refusal(wrong) == "input 11 is -1, expected 0 or more");
}

TEST_SUITE_END();
