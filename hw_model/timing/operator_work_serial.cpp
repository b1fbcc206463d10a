// SPDX-License-Identifier: Apache-2.0
// Sorting, look-ups, random numbers, boxes and regions.
#include <algorithm>

#include "hw_model/timing/operator_work.h"

namespace vnpu::hw::work {
namespace {

/// Steps to compare one box with another: four comparisons, two areas, the compared quotient.
constexpr std::uint64_t kOverlapSteps = 8;

/// Steps to decode one box from its deltas, per coordinate: an exponential, products and additions.
constexpr std::uint64_t kDecodeSteps = 4;

/// A sort of each of `lists` lists.
std::uint64_t sorts(std::uint64_t lists, std::uint64_t count) {
    return times(lists, times(count, log2Up(count)));
}

/// A suppression in each of `lists` lists of boxes, in the worst case each box against each other.
LanePass suppression(std::uint64_t lists, std::uint64_t boxes) {
    return {times(lists, times(boxes, boxes)), kOverlapSteps, 1};
}

OperatorWork topK(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kNoInput = SIZE_MAX;  // always along the last axis
    const std::uint64_t axis = operands.axis(kNoInput);
    work.serialSteps = axis == 0 ? 0 : sorts(operands.n() / axis, axis);
    return work;
}

OperatorWork embeddingLookup(const Operands& operands) {
    OperatorWork work = perRowRead(operands, 0);
    work.serialSteps = operands.elements(0);
    return work;
}

OperatorWork hashtableLookup(const Operands& operands) {
    OperatorWork work = perRowRead(operands, 0);
    work.serialSteps = times(operands.elements(0), log2Up(operands.elements(1)));
    return work;
}

OperatorWork lshProjection(const Operands& operands) {
    OperatorWork work;
    work.serialSteps = times(operands.elements(0), operands.elements(1));
    return work;
}

OperatorWork multinomial(const Operands& operands) {
    constexpr std::uint64_t kRandomSteps = 10;  // source: rounds of Philox-4x32, Salmon et al. 2011
    OperatorWork work;
    work.passes[0] = {operands.n(), 1, 1};
    work.serialSteps = times(operands.m(), plus(kRandomSteps, log2Up(operands.n(1))));
    return work;
}

OperatorWork boxWithNms(const Operands& operands) {
    OperatorWork work;
    const std::uint64_t boxes = operands.n(0);
    const std::uint64_t classes = operands.n(1);
    work.passes[0] = {operands.n(), 1, 0};
    work.passes[1] = suppression(classes, boxes);
    work.serialSteps = sorts(classes, boxes);
    return work;
}

OperatorWork generateProposals(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kDeltas = 1, kMostBefore = 6;
    const std::uint64_t batches = operands.n(0);
    const std::uint64_t boxes = batches == 0 ? 0 : operands.n() / batches;
    const std::int64_t limit = operands.value(kMostBefore, 0);
    const std::uint64_t kept =
            limit > 0 ? std::min(boxes, static_cast<std::uint64_t>(limit)) : boxes;
    work.passes[0] = {operands.elements(kDeltas), kDecodeSteps, 1};
    work.passes[1] = suppression(batches, kept);
    work.serialSteps = sorts(batches, boxes);
    return work;
}

OperatorWork detectionPostprocessing(const Operands& operands) {
    OperatorWork work;
    constexpr std::size_t kIsRegular = 7;
    const std::uint64_t batches = operands.n(0);
    const std::uint64_t boxes = operands.n(1);
    const bool isRegular = operands.value(kIsRegular, 1) != 0;
    const std::uint64_t lists = isRegular ? times(batches, operands.n(2)) : batches;
    work.passes[0] = {times(4, times(batches, boxes)), kDecodeSteps, 1};
    work.passes[1] = {operands.n(), 1, 0};
    work.passes[2] = suppression(lists, boxes);
    work.serialSteps = sorts(lists, boxes);
    return work;
}

OperatorWork heatmapKeypoint(const Operands& operands) {
    // source: the operation's definition, a Taylor step: nine values, a 2 x 2 system, its score
    constexpr std::uint64_t kRefinementSteps = 40;
    OperatorWork work;
    work.passes[0] = {operands.n(), 1, 0};
    work.passes[1] = {operands.m(0), kRefinementSteps, 2};
    return work;
}

OperatorWork roiAlign(const Operands& operands) {
    constexpr std::size_t kHeight = 3, kWidth = 4, kSamplesHigh = 7, kSamplesWide = 8;
    constexpr std::size_t kIsChannelsFirst = 9;
    const std::size_t rows = operands.value(kIsChannelsFirst, 0) != 0 ? 2 : 1;
    // 0 samples mean one per pixel of the region and output; the worst case is a region of the
    // whole map.
    const auto samples = [&](std::size_t given, std::size_t extent, std::size_t pixels) {
        return operands.value(given, 0) > 0 ? operands.factor(given)
                                            : divideUp(operands.n(extent), operands.factor(pixels));
    };
    const std::uint64_t points =
            times(samples(kSamplesHigh, rows, kHeight), samples(kSamplesWide, rows + 1, kWidth));
    OperatorWork work;
    work.passes[0] = {times(operands.m(), points), 4, 0};
    work.passes[1] = {operands.m(), 0, 1};
    return work;
}

OperatorWork roiPooling(const Operands& operands) {
    constexpr std::size_t kRegions = 1;
    const std::uint64_t batches = operands.n(0);
    const std::uint64_t map = batches == 0 ? 0 : operands.n() / batches;
    OperatorWork work;
    work.passes[0] = {times(operands.extent(kRegions, 0), map), 1, 0};
    return work;
}

using enum Operator;

constexpr OperatorCost kSerialCosts[] = {
        {kEmbeddingLookup, embeddingLookup, "m/L + lookups*S", 1},
        {kHashtableLookup, hashtableLookup, "m/L + lookups*log2(keys)*S", 2},
        {kLshProjection, lshProjection, "hashes*n*S", 1},
        {kAxisAlignedBboxTransform, perOutput<kDecodeSteps, 1>, "m/L*(4 + E)"},
        {kBoxWithNmsLimit, boxWithNms,
         "n/L + classes*boxes^2/L*(8 + E) + classes*boxes*log2(boxes)*S"},
        {kDetectionPostprocessing, detectionPostprocessing,
         "4*batches*boxes/L*(4 + E) + n/L + lists*boxes^2/L*(8 + E) + lists*boxes*log2(boxes)*S; "
         "lists: batches, regular: batches*classes"},
        {kGenerateProposals, generateProposals,
         "deltas/L*(4 + E) + batches*kept^2/L*(8 + E) + batches*boxes*log2(boxes)*S"},
        {kHeatmapMaxKeypoint, heatmapKeypoint, "n/L + keypoints/L*(40 + 2E)"},
        {kRandomMultinomial, multinomial, "n/L*(1 + E) + m*(10 + log2(classes))*S"},
        {kRoiAlign, roiAlign, "m*samples/L*4 + m/L*E"},
        {kRoiPooling, roiPooling, "regions*(a batch's elements)/L"},
        {kTopkV2, topK, "n*log2(axis)*S"},
};

}  // namespace

std::span<const OperatorCost> serialCosts() {
    return kSerialCosts;
}

}  // namespace vnpu::hw::work
