// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "hw_model/kernels/operators/image_layout.h"
#include "hw_model/kernels/operators/operator_call.h"

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

/// Checks and reads inputs 0 to 6 and settles output 0 for them; nothing, and the call is refused,
/// if a region lies outside its image or has no order.
std::optional<RegionCall> beginRegions(OperatorCall& call, bool isNchw);

JobStatus roiAlign(OperatorCall& call);    // roi_align.cpp
JobStatus roiPooling(OperatorCall& call);  // roi_pooling.cpp

}  // namespace vnpu::hw::kernels
