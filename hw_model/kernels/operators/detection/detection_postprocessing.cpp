// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hw_model/kernels/operators/detection/boxes.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/support/exponential.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::kernels {
namespace {

class DetectionPostprocessing {
  public:
    // Inputs and outputs, as in NNAPI 1.3.
    enum : std::size_t {
        kScores,
        kDeltas,
        kAnchors,
        kScaleY,
        kScaleX,
        kScaleHeight,
        kScaleWidth,
        kIsRegular,
        kMost,
        kMostClasses,
        kMostOfClass,
        kScoreThreshold,
        kOverlapThreshold,
        kCountsBackground
    };
    enum : std::size_t { kScoresOut, kBoxesOut, kClassesOut, kCountsOut };

    explicit DetectionPostprocessing(OperatorCall& call) : call_(call) {}

    JobStatus run() {
        VNPU_TRY(check());
        const Dimensions outputs[] = {
                {batch_, room_}, {batch_, room_, kBoxSides}, {batch_, room_}, {batch_}};
        VNPU_TRY(call_.settleAll(outputs));
        compute();
        return JobStatus::kOk;
    }

  private:
    JobStatus check() {
        const Dimensions& scores = call_.input(kScores).dimensions;
        batch_ = scores[0];
        anchors_ = scores[1];
        classes_ = scores[2];
        codeSize_ = call_.input(kDeltas).dimensions[2];
        if (classes_ <= 1) {
            return call_.refuse(fmt::format(
                    "{} classes, expected at least 2: the first is the background", classes_));
        }
        if (codeSize_ < kBoxSides) {
            return call_.refuse(
                    fmt::format("input 1 has {} columns, expected at least 4", codeSize_));
        }
        VNPU_TRY(requireDimensions(call_, kDeltas, {batch_, anchors_, codeSize_}));
        VNPU_TRY(requireDimensions(call_, kAnchors, {anchors_, kBoxSides}));
        return checkScalars();
    }

    JobStatus checkScalars() {
        for (const std::size_t i :
             {kScaleY, kScaleX, kScaleHeight, kScaleWidth, kScoreThreshold, kOverlapThreshold}) {
            const bool isScale = i <= kScaleWidth;
            const float value = call_.real(i);
            if (!(isScale ? value > 0.0F : value >= 0.0F)) {
                return call_.refuse(fmt::format("input {} is {}, expected {}", i, value,
                                                isScale ? "a positive number" : "0 or more"));
            }
        }
        isRegular_ = call_.flag(kIsRegular);
        for (const std::size_t i : {kMost, isRegular_ ? kMostOfClass : kMostClasses}) {
            if (call_.int32(i) <= 0) {
                return call_.refuse(fmt::format("input {} is {}, expected a positive number", i,
                                                call_.int32(i)));
            }
        }
        const std::int64_t classesOfBox = isRegular_ ? 1 : call_.int32(kMostClasses);
        const std::int64_t room = call_.int32(kMost) * classesOfBox;
        if (room > INT32_MAX) {
            return call_.refuse(fmt::format("{} detections, expected at most {}", room, INT32_MAX));
        }
        room_ = static_cast<std::uint32_t>(room);
        return JobStatus::kOk;
    }

    void compute() {
        scores_ = RealValues(call_, kScores);
        deltas_ = RealValues(call_, kDeltas);
        anchorBoxes_ = RealValues(call_, kAnchors);
        RealResult scores(call_, kScoresOut), boxes(call_, kBoxesOut);
        std::fill_n(scores.data(), scores.size(), 0.0F);
        std::fill_n(boxes.data(), boxes.size(), 0.0F);
        std::int32_t* const classes = call_.write<std::int32_t>(kClassesOut);
        std::fill_n(classes, scores.size(), 0);
        const std::uint32_t firstClass = call_.flag(kCountsBackground) ? 0 : 1;
        for (std::size_t b = 0; b < batch_; ++b) {
            const std::vector<Candidate> detections = isRegular_ ? regular(b) : fast(b);
            for (std::size_t i = 0; i < detections.size(); ++i) {
                const std::size_t at = b * room_ + i;
                scores[at] = detections[i].score;
                detections[i].box.write(boxes.data() + at * kBoxSides);
                classes[at] =
                        static_cast<std::int32_t>(detections[i].index % classes_ - firstClass);
            }
            call_.write<std::int32_t>(kCountsOut)[b] = static_cast<std::int32_t>(detections.size());
        }
        scores.store();
        boxes.store();
    }

    // The sides of a box are top, left, bottom, right; an anchor is given by center and size.
    Box decode(std::size_t b, std::size_t anchor) const {
        const float* const a = anchorBoxes_.data() + anchor * kBoxSides;
        const float* const d = deltas_.data() + (b * anchors_ + anchor) * codeSize_;
        const float y = a[0] + a[2] * d[0] / call_.real(kScaleY);
        const float x = a[1] + a[3] * d[1] / call_.real(kScaleX);
        const float halfHeight = a[2] * exponential(d[2] / call_.real(kScaleHeight)) * 0.5F;
        const float halfWidth = a[3] * exponential(d[3] / call_.real(kScaleWidth)) * 0.5F;
        return {y - halfHeight, x - halfWidth, y + halfHeight, x + halfWidth};
    }

    const float* scoresOf(std::size_t b, std::size_t anchor) const {
        return scores_.data() + (b * anchors_ + anchor) * classes_;
    }

    // Suppresses boxes class by class.
    std::vector<Candidate> regular(std::size_t b) const {
        std::vector<Candidate> taken;
        for (std::uint32_t c = 1; c < classes_; ++c) {
            std::vector<Candidate> ofClass;
            for (std::uint32_t a = 0; a < anchors_; ++a) {
                const float score = scoresOf(b, a)[c];
                if (score > call_.real(kScoreThreshold)) {
                    ofClass.push_back({decode(b, a), score, a * classes_ + c});
                }
            }
            ofClass = suppressHard(std::move(ofClass), call_.real(kOverlapThreshold),
                                   call_.int32(kMostOfClass));
            taken.insert(taken.end(), ofClass.begin(), ofClass.end());
        }
        std::stable_sort(taken.begin(), taken.end(), hasHigherScore);
        taken.resize(std::min<std::size_t>(taken.size(), room_));
        return taken;
    }

    // Suppresses boxes by their best class; each selected box reports its best classes.
    std::vector<Candidate> fast(std::size_t b) const {
        std::vector<Candidate> candidates;
        for (std::uint32_t a = 0; a < anchors_; ++a) {
            const Candidate best = ranking(b, a, 1).front();
            if (best.score > call_.real(kScoreThreshold)) {
                candidates.push_back({decode(b, a), best.score, a});
            }
        }
        candidates = suppressHard(std::move(candidates), call_.real(kOverlapThreshold),
                                  call_.int32(kMost));
        const auto count = static_cast<std::uint32_t>(call_.int32(kMostClasses));
        std::vector<Candidate> taken;
        for (const Candidate& candidate : candidates) {
            for (Candidate& ranked : ranking(b, candidate.index, std::min(count, classes_ - 1))) {
                ranked.box = candidate.box;
                taken.push_back(ranked);
            }
        }
        return taken;
    }

    // The best classes of an anchor, as candidates without boxes.
    std::vector<Candidate> ranking(std::size_t b, std::uint32_t anchor, std::uint32_t count) const {
        std::vector<Candidate> ranked;
        for (std::uint32_t c = 1; c < classes_; ++c) {
            ranked.push_back({{}, scoresOf(b, anchor)[c], anchor * classes_ + c});
        }
        const auto isBetter = [](const Candidate& a, const Candidate& other) {
            return hasHigherScore(a, other) || (!hasHigherScore(other, a) && a.index < other.index);
        };
        std::partial_sort(ranked.begin(), ranked.begin() + count, ranked.end(), isBetter);
        ranked.resize(count);
        return ranked;
    }

    OperatorCall& call_;
    RealValues scores_, deltas_, anchorBoxes_;
    std::uint32_t batch_ = 0, anchors_ = 0, classes_ = 0, codeSize_ = 0;
    std::uint32_t room_ = 0;  // detections per image
    bool isRegular_ = false;
};

constexpr OperatorEntry kPostprocessingEntries[] = {
        {Operator::kDetectionPostprocessing,
         {"T3T3T2ffffbiiiffb", "TTvv", kFloatTypes},
         [](OperatorCall& call) { return DetectionPostprocessing(call).run(); }}};

}  // namespace

std::span<const OperatorEntry> postprocessingOperators() {
    return kPostprocessingEntries;
}

}  // namespace vnpu::hw::kernels
