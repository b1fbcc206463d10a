// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hw_model/kernels/operators/detection/boxes.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/support/exponential.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw::kernels {
namespace {

class BoxWithNmsLimit {
  public:
    // Inputs and outputs, as in NNAPI 1.3.
    enum : std::size_t {
        kScores,
        kBoxes,
        kBatches,
        kScoreThreshold,
        kMost,
        kMethod,
        kOverlapThreshold,
        kSigma,
        kLeastScore
    };
    enum : std::size_t { kScoresOut, kBoxesOut, kClassesOut, kBatchesOut };
    enum Method : std::int32_t { kHard = 0, kLinear = 1, kGaussian = 2 };

    explicit BoxWithNmsLimit(OperatorCall& call) : call_(call) {}

    JobStatus run() {
        VNPU_TRY(check());
        scores_ = RealValues(call_, kScores);
        boxes_ = RealValues(call_, kBoxes);
        const auto batches = call_.input(kBatches).values<std::int32_t>();
        // Boxes of one image are consecutive.
        for (std::size_t first = 0; first < batches.size();) {
            std::size_t last = first + 1;
            while (last < batches.size() && batches[last] == batches[first]) {
                ++last;
            }
            selectFromImage(first, last);
            first = last;
        }
        return writeOutputs();
    }

  private:
    JobStatus check() {
        const Dimensions& scores = call_.input(kScores).dimensions;
        classes_ = scores[1];
        if (classes_ <= 1 || classes_ > UINT32_MAX / kBoxSides) {
            return call_.refuse(fmt::format(
                    "{} classes, expected at least 2: the first is the background", classes_));
        }
        VNPU_TRY(requireDimensions(call_, kBoxes, {scores[0], classes_ * kBoxSides}));
        VNPU_TRY(requireDimensions(call_, kBatches, {scores[0]}));
        const std::int32_t method = call_.int32(kMethod);
        if (method < kHard || method > kGaussian) {
            return call_.refuse(fmt::format("kernel is {}, expected 0, 1 or 2", method));
        }
        const float sigma = call_.real(kSigma);
        return method != kGaussian || sigma > 0.0F
                       ? JobStatus::kOk
                       : call_.refuse(
                                 fmt::format("sigma is {}, expected a positive number", sigma));
    }

    // The factor of a score, as a function of the overlap with a better box.
    std::function<float(float)> factor() const {
        const float threshold = call_.real(kOverlapThreshold);
        switch (call_.int32(kMethod)) {
            case kHard:
                return [=](float overlap) { return overlap < threshold ? 1.0F : 0.0F; };
            case kLinear:
                return [=](float overlap) { return overlap < threshold ? 1.0F : 1.0F - overlap; };
            default:
                return [sigma = call_.real(kSigma)](float overlap) {
                    return exponential(-overlap * overlap / sigma);
                };
        }
    }

    void selectFromImage(std::size_t first, std::size_t last) {
        const std::int32_t most = call_.int32(kMost);
        std::vector<Candidate> taken;
        for (std::uint32_t c = 1; c < classes_; ++c) {
            std::vector<Candidate> ofClass = suppressSoft(candidates(first, last, c), factor(),
                                                          call_.real(kLeastScore), most);
            taken.insert(taken.end(), ofClass.begin(), ofClass.end());
        }
        std::stable_sort(taken.begin(), taken.end(), hasHigherScore);
        if (most >= 0 && taken.size() > static_cast<std::size_t>(most)) {
            taken.resize(static_cast<std::size_t>(most));
        }
        std::stable_sort(taken.begin(), taken.end(), [&](const Candidate& a, const Candidate& b) {
            return a.index % classes_ < b.index % classes_;
        });
        selected_.insert(selected_.end(), taken.begin(), taken.end());
    }

    std::vector<Candidate> candidates(std::size_t first, std::size_t last, std::uint32_t c) const {
        std::vector<Candidate> found;
        const float threshold = call_.real(kScoreThreshold);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t index = i * classes_ + c;
            if (scores_[index] > threshold) {
                found.push_back({Box::read(boxes_.data() + index * kBoxSides), scores_[index],
                                 static_cast<std::uint32_t>(index)});
            }
        }
        return found;
    }

    JobStatus writeOutputs() {
        const auto count = static_cast<std::uint32_t>(selected_.size());
        const Dimensions outputs[] = {{count}, {count, kBoxSides}, {count}, {count}};
        VNPU_TRY(call_.settleAll(outputs));
        RealResult scores(call_, kScoresOut);
        const std::size_t boxBytes =
                std::size_t{kBoxSides} * elementBytes(call_.input(kBoxes).type);
        for (std::size_t i = 0; i < selected_.size(); ++i) {
            const std::uint32_t index = selected_[i].index;
            scores[i] = selected_[i].score;
            std::memcpy(call_.write<std::byte>(kBoxesOut) + i * boxBytes,
                        call_.input(kBoxes).data + index * boxBytes, boxBytes);
            call_.write<std::int32_t>(kClassesOut)[i] = static_cast<std::int32_t>(index % classes_);
            call_.write<std::int32_t>(kBatchesOut)[i] =
                    call_.input(kBatches).as<std::int32_t>()[index / classes_];
        }
        scores.store();
        return JobStatus::kOk;
    }

    OperatorCall& call_;
    RealValues scores_, boxes_;
    std::uint32_t classes_ = 0;
    std::vector<Candidate> selected_;
};

constexpr OperatorEntry kNmsEntries[] = {
        {Operator::kBoxWithNmsLimit, {"T2R2v1fiifff", "TRvv", kRealTypes}, [](OperatorCall& call) {
             return BoxWithNmsLimit(call).run();
         }}};

}  // namespace

std::span<const OperatorEntry> nmsOperators() {
    return kNmsEntries;
}

}  // namespace vnpu::hw::kernels
