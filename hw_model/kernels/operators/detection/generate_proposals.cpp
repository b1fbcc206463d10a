// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hw_model/kernels/operators/detection/boxes.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::kernels {
namespace {

class GenerateProposals {
  public:
    // Inputs and outputs, as in NNAPI 1.3.
    enum : std::size_t {
        kScores,
        kDeltas,
        kAnchors,
        kImages,
        kStrideY,
        kStrideX,
        kMostBefore,
        kMostAfter,
        kOverlapThreshold,
        kLeastSize,
        kIsNchw
    };
    enum : std::size_t { kScoresOut, kBoxesOut, kBatchesOut };

    explicit GenerateProposals(OperatorCall& call) : call_(call) {}

    JobStatus run() {
        VNPU_TRY(check());
        scores_ = RealValues(call_, kScores);
        deltas_ = RealValues(call_, kDeltas);
        anchorBoxes_ = RealValues(call_, kAnchors);
        const RealValues images(call_, kImages);
        VNPU_TRY(requireValidBoxes(call_, "anchor", anchorBoxes_.data(), anchors_));
        for (std::uint32_t b = 0; b < batch_; ++b) {
            propose(b, images[std::size_t{b} * 2], images[std::size_t{b} * 2 + 1]);
        }
        return writeOutputs();
    }

  private:
    JobStatus check() {
        isNchw_ = call_.flag(kIsNchw);
        const Dimensions& scores = call_.input(kScores).dimensions;
        batch_ = scores[0];
        height_ = scores[isNchw_ ? 2 : 1];
        width_ = scores[isNchw_ ? 3 : 2];
        anchors_ = scores[isNchw_ ? 1 : 3];
        if (anchors_ > UINT32_MAX / kBoxSides) {
            return call_.refuse(fmt::format("{} anchors are too many", anchors_));
        }
        const std::uint32_t sides = anchors_ * kBoxSides;
        VNPU_TRY(requireDimensions(call_, kDeltas,
                                   isNchw_ ? Dimensions{batch_, sides, height_, width_}
                                           : Dimensions{batch_, height_, width_, sides}));
        VNPU_TRY(requireDimensions(call_, kAnchors, {anchors_, kBoxSides}));
        return requireDimensions(call_, kImages, {batch_, 2});
    }

    // The index of a channel at a pixel, in tensors of `channels`.
    std::size_t at(std::size_t b, std::size_t pixel, std::size_t channel,
                   std::size_t channels) const {
        const std::size_t pixels = std::size_t{height_} * width_;
        return isNchw_ ? (b * channels + channel) * pixels + pixel
                       : (b * pixels + pixel) * channels + channel;
    }

    void propose(std::uint32_t b, float imageHeight, float imageWidth) {
        std::vector<Candidate> candidates = bestCandidates(b);
        for (Candidate& candidate : candidates) {
            candidate.box = regionOf(b, candidate.index, imageHeight, imageWidth);
        }
        const float least = call_.real(kLeastSize);
        std::erase_if(candidates, [&](const Candidate& candidate) {
            const Box& box = candidate.box;
            const float width = box.x2 - box.x1, height = box.y2 - box.y1;
            const bool isKept = width > least && height > least &&
                                box.x1 + width / 2 < imageWidth &&
                                box.y1 + height / 2 < imageHeight;
            return !isKept;
        });
        const std::int32_t most = call_.int32(kMostAfter);
        for (Candidate& proposal : suppressHard(
                     std::move(candidates), call_.real(kOverlapThreshold), most > 0 ? most : -1)) {
            proposal.index = b;
            proposals_.push_back(proposal);
        }
    }

    // Candidates without boxes: in order of pixel and anchor, or by descending score if there are
    // more than wanted.
    std::vector<Candidate> bestCandidates(std::size_t b) const {
        std::vector<Candidate> candidates;
        const std::size_t pixels = std::size_t{height_} * width_;
        candidates.reserve(pixels * anchors_);
        for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
            for (std::size_t a = 0; a < anchors_; ++a) {
                candidates.push_back({{},
                                      scores_[at(b, pixel, a, anchors_)],
                                      static_cast<std::uint32_t>(pixel * anchors_ + a)});
            }
        }
        const std::int32_t most = call_.int32(kMostBefore);
        if (most > 0 && static_cast<std::size_t>(most) < candidates.size()) {
            std::stable_sort(candidates.begin(), candidates.end(), hasHigherScore);
            candidates.resize(static_cast<std::size_t>(most));
        }
        return candidates;
    }

    Box regionOf(std::size_t b, std::size_t index, float imageHeight, float imageWidth) const {
        const std::size_t pixel = index / anchors_, anchor = index % anchors_;
        const std::size_t column = pixel % width_, row = pixel / width_;
        const float x = static_cast<float>(column) * call_.real(kStrideX);
        const float y = static_cast<float>(row) * call_.real(kStrideY);
        const Box box = Box::read(anchorBoxes_.data() + anchor * kBoxSides);
        float deltas[kBoxSides];
        for (std::size_t side = 0; side < kBoxSides; ++side) {
            deltas[side] = deltas_[at(b, pixel, anchor * kBoxSides + side,
                                      std::size_t{anchors_} * kBoxSides)];
        }
        return transformBox({box.x1 + x, box.y1 + y, box.x2 + x, box.y2 + y}, deltas, imageHeight,
                            imageWidth);
    }

    JobStatus writeOutputs() {
        const auto count = static_cast<std::uint32_t>(proposals_.size());
        const Dimensions outputs[] = {{count}, {count, kBoxSides}, {count}};
        VNPU_TRY(call_.settleAll(outputs));
        RealResult scores(call_, kScoresOut), boxes(call_, kBoxesOut);
        for (std::size_t i = 0; i < proposals_.size(); ++i) {
            scores[i] = proposals_[i].score;
            proposals_[i].box.write(boxes.data() + i * kBoxSides);
            call_.write<std::int32_t>(kBatchesOut)[i] =
                    static_cast<std::int32_t>(proposals_[i].index);
        }
        scores.store();
        boxes.store();
        return JobStatus::kOk;
    }

    OperatorCall& call_;
    RealValues scores_, deltas_, anchorBoxes_;
    std::uint32_t batch_ = 0, height_ = 0, width_ = 0, anchors_ = 0;
    bool isNchw_ = false;
    std::vector<Candidate> proposals_;  // with indices of images
};

constexpr OperatorEntry kProposalEntries[] = {
        {Operator::kGenerateProposals,
         {"T4T4N2R2ffiiffb", "TRv", kRealTypes},
         [](OperatorCall& call) { return GenerateProposals(call).run(); }}};

}  // namespace

std::span<const OperatorEntry> proposalOperators() {
    return kProposalEntries;
}

}  // namespace vnpu::hw::kernels
