// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/detection/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/kernels/support/exponential.h"

namespace vnpu::hw::kernels {
namespace {

float area(const Box& box) {
    return (box.x2 - box.x1) * (box.y2 - box.y1);
}

std::size_t limitOf(std::int64_t most, std::size_t count) {
    return most < 0 ? count : static_cast<std::size_t>(most);
}

}  // namespace

float intersectionOverUnion(const Box& a, const Box& b) {
    const float width = std::max(std::min(a.x2, b.x2) - std::max(a.x1, b.x1), 0.0F);
    const float height = std::max(std::min(a.y2, b.y2) - std::max(a.y1, b.y1), 0.0F);
    const float common = width * height;
    return common / (area(a) + area(b) - common);
}

Box transformBox(const Box& box, const float* deltas, float imageHeight, float imageWidth) {
    const float width = box.x2 - box.x1, height = box.y2 - box.y1;
    const float x = (box.x1 + box.x2) / 2 + deltas[0] * width;
    const float y = (box.y1 + box.y2) / 2 + deltas[1] * height;
    const float halfWidth = exponential(deltas[2]) * width / 2;
    const float halfHeight = exponential(deltas[3]) * height / 2;
    const auto clip = [](float side, float limit) { return std::min(std::max(side, 0.0F), limit); };
    return {clip(x - halfWidth, imageWidth), clip(y - halfHeight, imageHeight),
            clip(x + halfWidth, imageWidth), clip(y + halfHeight, imageHeight)};
}

bool hasHigherScore(const Candidate& a, const Candidate& b) {
    return std::isnan(b.score) ? !std::isnan(a.score) : a.score > b.score;
}

std::vector<Candidate> suppressHard(std::vector<Candidate> candidates, float threshold,
                                    std::int64_t most) {
    std::stable_sort(candidates.begin(), candidates.end(), hasHigherScore);
    const std::size_t limit = limitOf(most, candidates.size());
    std::vector<Candidate> taken;
    for (const Candidate& candidate : candidates) {
        if (taken.size() >= limit) {
            break;
        }
        const bool isOverlapped =
                std::any_of(taken.begin(), taken.end(), [&](const Candidate& better) {
                    return intersectionOverUnion(candidate.box, better.box) >= threshold;
                });
        if (!isOverlapped) {
            taken.push_back(candidate);
        }
    }
    return taken;
}

std::vector<Candidate> suppressSoft(std::vector<Candidate> candidates,
                                    const std::function<float(float)>& factor, float leastScore,
                                    std::int64_t most) {
    const std::size_t limit = limitOf(most, candidates.size());
    std::vector<Candidate> taken;
    while (!candidates.empty() && taken.size() < limit) {
        // The first of several best candidates, so that the others keep their order.
        const auto best = std::min_element(candidates.begin(), candidates.end(), hasHigherScore);
        taken.push_back(*best);
        candidates.erase(best);
        for (Candidate& candidate : candidates) {
            candidate.score *= factor(intersectionOverUnion(candidate.box, taken.back().box));
        }
        std::erase_if(candidates, [&](const Candidate& c) { return c.score < leastScore; });
    }
    return taken;
}

JobStatus requireValidBoxes(OperatorCall& call, const char* name, const float* sides,
                            std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Box box = Box::read(sides + i * kBoxSides);
        if (!box.isValid()) {
            return call.refuse(fmt::format("{} {} is {}, {} to {}, {}: turned inside out", name, i,
                                           box.x1, box.y1, box.x2, box.y2));
        }
    }
    return JobStatus::kOk;
}

}  // namespace vnpu::hw::kernels
