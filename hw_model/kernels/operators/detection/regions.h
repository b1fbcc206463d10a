// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "hw_model/kernels/operators/image_layout.h"
#include "hw_model/kernels/operators/operator_call.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {

/// A rectangle in one of the input's images, in its pixels.
struct Region {
    std::uint32_t batch;
    float left, top, right, bottom;
};

/// Shared by ROI_ALIGN and ROI_POOLING: inputs 0 to 6, checked, and the settled output.
struct RegionCall {
    ImageShape from;
    ImageShape to;  // one image per region
    ImageStrides fromStrides;
    ImageStrides toStrides;
    std::vector<Region> regions;
};

/// Checks and reads inputs 0 to 6 and settles output 0; refuses the call and returns nothing if a
/// region lies outside its image or is inverted.
std::optional<RegionCall> beginRegions(OperatorCall& call, bool isNchw);

/// Calls computeRow(region, row, output) for each row of bins of each region, possibly on several
/// threads; `cost` is that of an element. T is the elements' type.
template <typename T, typename ComputeRow>
void forEachBinRow(OperatorCall& call, const RegionCall& regions, std::uint64_t cost,
                   const ComputeRow& computeRow) {
    const std::uint64_t rows = regions.to.rows;
    T* const out = call.write<T>(0);
    const std::uint64_t work = regions.to.elements() * cost;
    forEachTask(work == 0 ? 0 : regions.regions.size() * rows, work, [&](std::size_t task) {
        const auto row = static_cast<std::int64_t>(task % rows);
        const auto region = static_cast<std::int64_t>(task / rows);
        computeRow(regions.regions[task / rows], static_cast<std::uint32_t>(row),
                   out + region * regions.toStrides.batch + row * regions.toStrides.row);
    });
}

JobStatus roiAlign(OperatorCall& call);    // roi_align.cpp
JobStatus roiPooling(OperatorCall& call);  // roi_pooling.cpp

}  // namespace vnpu::hw::kernels
