// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/window/convolution_checks.h"

#include <fmt/format.h>

namespace vnpu::hw::kernels {
namespace {

// chosen: taps are planned one by one; no network has filters that large
constexpr std::uint32_t kMaxFilterExtent = 1 << 20;

bool isPerChannel(const Tensor& filter) {
    return filter.type == TensorType::kQuant8SymmPerChannel;
}

/// Bias and per-channel scales must match the outputs.
JobStatus requireChannels(OperatorCall& call, std::uint32_t dimension) {
    const Tensor& filter = call.input(kFilter);
    const Tensor& bias = call.input(kBias);
    const std::uint32_t outputs = filter.dimensions[dimension];
    if (bias.dimensions.rank() != 1 || bias.dimensions[0] != outputs) {
        return call.refuse(
                fmt::format("input 2 (bias) has {} elements, expected {} in one dimension",
                            bias.elements(), outputs));
    }
    if (isPerChannel(filter) &&
        (filter.channelDimension != dimension || filter.channelScales.size() != outputs)) {
        return call.refuse(fmt::format(
                "input 1 (filter) has {} scales along dimension {}, expected {} along dimension {}",
                filter.channelScales.size(), filter.channelDimension, outputs, dimension));
    }
    return JobStatus::kOk;
}

}  // namespace

JobStatus requireFilter(OperatorCall& call, std::uint32_t channelDimension) {
    const Tensor& filter = call.input(kFilter);
    const Dimensions& dimensions = filter.dimensions;
    if (filter.elements() == 0) {
        return call.refuse(fmt::format(
                "input 1 (filter) has rank {} and {} elements, expected rank {} and none of size 0",
                dimensions.rank(), filter.elements(), dimensions.rank()));
    }
    const bool isTooLarge = dimensions.rank() == 4 &&
                            (dimensions[1] > kMaxFilterExtent || dimensions[2] > kMaxFilterExtent);
    if (isTooLarge) {
        return call.refuse(
                fmt::format("input 1 (filter) has {} rows and {} columns, expected at most {}",
                            dimensions[1], dimensions[2], kMaxFilterExtent));
    }
    return requireChannels(call, channelDimension);
}

}  // namespace vnpu::hw::kernels
