// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/window/convolution_drain.h"
#include "hw_model/kernels/operators/window/convolution_plan.h"

namespace vnpu::hw::kernels {

/// Of a filter laid out for the product. chosen: no network comes near, and a hostile one does not
/// take the machine's memory.
inline constexpr std::uint64_t kMaxFilterWords = std::uint64_t{1} << 29;

/// Computes a convolution as matrix products, group by group: filter [outputs][rows][columns]
/// [inputs of a group]. `output` is NHWC of the working type. Refuses filters that are too large to
/// be laid out for the product.
[[nodiscard]] JobStatus convolveGroups(OperatorCall& call, const Convolution& convolution,
                                       const ConvolutionDrain& drain, std::byte* output);

/// Computes a depthwise convolution: filter [rows][columns][outputs]; output channel c reads input
/// channel c / (outputs / inputs).
[[nodiscard]] JobStatus convolveDepthwise(OperatorCall& call, const Convolution& convolution,
                                          const ConvolutionDrain& drain, std::byte* output);

}  // namespace vnpu::hw::kernels
