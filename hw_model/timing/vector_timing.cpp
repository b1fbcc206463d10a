// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/vector_timing.h"

namespace vnpu::hw {
namespace {

// A tensor type with the same number of lanes, integer or float.
TensorType laneType(ElementType type) {
    switch (type) {
        case ElementType::kInt8:
            return TensorType::kQuant8AsymmSigned;
        case ElementType::kUint8:
            return TensorType::kQuant8Asymm;
        case ElementType::kInt32:
            return TensorType::kInt32;
        case ElementType::kFloat32:
            break;
    }
    return TensorType::kFloat32;
}

std::uint64_t elementsOf(const std::uint32_t (&dims)[4]) {
    return std::uint64_t{dims[0]} * dims[1] * dims[2] * dims[3];
}

}  // namespace

OperatorWork vectorWork(const VecPool& work) {
    const std::uint64_t outputs =
            std::uint64_t{work.outputHeight} * work.outputWidth * work.channels;
    const std::uint64_t taps = std::uint64_t{work.windowHeight} * work.windowWidth;
    OperatorWork sum{.type = laneType(work.type)};
    sum.passes[0] = {.elements = outputs * taps, .steps = 1};
    if (work.kind == PoolKind::kAverage) {
        sum.passes[1] = {.elements = outputs, .exponentials = 1};
    }
    return sum;
}

OperatorWork vectorWork(const VecEltwise& work) {
    OperatorWork sum{.type = laneType(work.type)};
    sum.passes[0] = {.elements = elementsOf(work.dims), .steps = 1};
    return sum;
}

OperatorWork vectorWork(const VecUnary& work) {
    const bool isWidening = elementBytes(work.outputType) > elementBytes(work.inputType);
    OperatorWork sum{.type = laneType(isWidening ? work.outputType : work.inputType)};
    sum.passes[0] = {.elements = work.count, .steps = 1};
    if (work.kind == UnaryKind::kLogistic) {
        sum.passes[0].exponentials = 2;
    }
    return sum;
}

OperatorWork vectorWork(const VecSoftmax& work) {
    const std::uint64_t sums = std::uint64_t{work.outer} * work.inner;
    constexpr std::uint64_t kPasses = 3;  // greatest, exponentials and their sum, scaling
    OperatorWork sum{.type = laneType(work.type)};
    sum.passes[0] = {.elements = sums * work.axis, .steps = kPasses, .exponentials = 1};
    sum.passes[1] = {.elements = sums, .exponentials = 1};
    return sum;
}

OperatorWork vectorWork(const VecReduce& work) {
    std::uint64_t outputs = 1;
    for (unsigned d = 0; d < 4; ++d) {
        outputs *= ((work.reduceMask >> d) & 1U) != 0 ? 1 : work.dims[d];
    }
    OperatorWork sum{.type = laneType(work.type)};
    sum.passes[0] = {.elements = elementsOf(work.dims), .steps = 1};
    sum.passes[1] = {.elements = outputs, .exponentials = 1};
    return sum;
}

}  // namespace vnpu::hw
