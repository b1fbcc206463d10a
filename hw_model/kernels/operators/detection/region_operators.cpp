// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>

#include "hw_model/kernels/operators/detection/regions.h"
#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/real_values.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::size_t kCoordinates = 4;  // left, top, right, bottom

/// Image elements per unit of the coordinates, along both axes.
struct Scales {
    float down;
    float across;
};

/// Region `i` in pixels of `from`; refuses the call and returns nothing if it is not inside.
std::optional<Region> readRegion(OperatorCall& call, const RealValues& corners, std::uint32_t i,
                                 const ImageShape& from, const Scales& scales) {
    const auto at = [&](std::size_t c) { return corners[kCoordinates * i + c]; };
    const std::int32_t batch = call.input(2).as<std::int32_t>()[i];
    if (batch < 0 || static_cast<std::uint32_t>(batch) >= from.batches) {
        return call.refuse(fmt::format("batch of region {} is {}, expected 0 to {}", i, batch,
                                       from.batches - 1LL));
    }
    const double right = double{call.real(6)} * from.columns;
    const double bottom = double{call.real(5)} * from.rows;
    const bool isInside = at(0) >= 0.0F && at(0) <= at(2) && double{at(2)} <= right &&
                          at(1) >= 0.0F && at(1) <= at(3) && double{at(3)} <= bottom;
    if (!isInside) {
        return call.refuse(
                fmt::format("region {} is ({}, {}) to ({}, {}), expected an area inside ({}, {})",
                            i, at(0), at(1), at(2), at(3), right, bottom));
    }
    return Region{static_cast<std::uint32_t>(batch), at(0) * scales.across, at(1) * scales.down,
                  at(2) * scales.across, at(3) * scales.down};
}

}  // namespace

std::optional<RegionCall> beginRegions(OperatorCall& call, bool isNchw) {
    const Dimensions& shape = call.input(1).dimensions;
    if (shape[1] != kCoordinates) {
        return call.refuse(
                fmt::format("the regions have shape {}, expected [n, 4]", describe(shape)));
    }
    if (call.input(2).elements() != shape[0]) {
        return call.refuse(
                fmt::format("{} batch indexes for {} regions", call.input(2).elements(), shape[0]));
    }
    const std::int32_t rows = call.int32(3);
    const std::int32_t columns = call.int32(4);
    const Scales scales{1.0F / call.real(5), 1.0F / call.real(6)};
    if (rows < 1 || columns < 1 || !(scales.down > 0.0F && std::isfinite(scales.down)) ||
        !(scales.across > 0.0F && std::isfinite(scales.across))) {
        return call.refuse(fmt::format(
                "{} rows and {} columns of strides {} and {}, expected positive numbers", rows,
                columns, call.real(5), call.real(6)));
    }
    const ImageShape from = ImageShape::of(call.input(0).dimensions, isNchw);
    const ImageShape to{call.input(1).dimensions[0], static_cast<std::uint32_t>(rows),
                        static_cast<std::uint32_t>(columns), from.channels};
    if (call.settle(0, to.dimensions(isNchw)) != JobStatus::kOk) {
        return std::nullopt;
    }
    RegionCall regions{from, to, ImageStrides(from, isNchw), ImageStrides(to, isNchw), {}};
    const RealValues corners(call, 1);
    for (std::uint32_t i = 0; i < to.batches; ++i) {
        VNPU_TRY_ASSIGN(const Region region, readRegion(call, corners, i, from, scales));
        regions.regions.push_back(region);
    }
    if (to.batches != 0 && (from.rows == 0 || from.columns == 0)) {
        return call.refuse("the images have no pixels");
    }
    return regions;
}

std::span<const OperatorEntry> regionOperators() {
    static constexpr OperatorEntry kEntries[] = {
            {Operator::kRoiAlign, {"T4R2v1iiffiib", "T", kRealTypes}, roiAlign},
            {Operator::kRoiPooling, {"T4R2v1iiffb", "T", kRealTypes}, roiPooling}};
    return kEntries;
}

}  // namespace vnpu::hw::kernels
