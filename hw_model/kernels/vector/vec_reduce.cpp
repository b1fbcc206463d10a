// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "hw_model/kernels/kernels.h"
#include "hw_model/kernels/support/element_access.h"

namespace vnpu::hw::kernels {
namespace {

// Floats are summed in double, in memory order.
template <typename T>
using Sum = std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>;

struct Shape {
    std::array<std::size_t, 4> outputStrides{};  // 0 where the dimension is reduced
    std::size_t outputs = 1;
    std::size_t reduced = 1;
};

Shape shapeOf(const VecReduce& work) {
    Shape shape;
    for (std::size_t d = 4; d-- > 0;) {
        if (((work.reduceMask >> d) & 1U) != 0) {
            shape.reduced *= work.dims[d];
        } else {
            shape.outputStrides[d] = shape.outputs;
            shape.outputs *= work.dims[d];
        }
    }
    return shape;
}

template <typename T>
void addUp(const VecReduce& work, const Shape& shape, const std::byte* input, Sum<T>* sums) {
    const auto& stride = shape.outputStrides;
    for (std::size_t i = 0; i < work.dims[0]; ++i) {
        for (std::size_t j = 0; j < work.dims[1]; ++j) {
            for (std::size_t k = 0; k < work.dims[2]; ++k) {
                Sum<T>* row = sums + i * stride[0] + j * stride[1] + k * stride[2];
                for (std::size_t x = 0; x < work.dims[3]; ++x) {
                    row[x * stride[3]] += static_cast<Sum<T>>(loadElement<T>(input, x));
                }
                input += work.dims[3] * sizeof(T);
            }
        }
    }
}

template <typename T>
T meanOf(const VecReduce& work, Sum<T> sum, std::size_t reduced) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(sum / static_cast<double>(reduced));
    } else {
        const auto count = static_cast<std::int64_t>(reduced);
        const std::int64_t zeroPoint = work.inputZeroPoint;
        return static_cast<T>(zeroPoint + roundingDivide(sum - count * zeroPoint, count));
    }
}

}  // namespace

void vecReduce(const VecReduce& work, std::byte* sram) {
    const Shape shape = shapeOf(work);
    withElementType(work.type, [&](auto tag) {
        using T = decltype(tag);
        thread_local std::vector<Sum<T>> sums;
        sums.assign(shape.outputs, Sum<T>{0});
        addUp<T>(work, shape, sram + work.inputSram, sums.data());
        std::byte* output = sram + work.outputSram;
        for (std::size_t i = 0; i < shape.outputs; ++i) {
            storeElement<T>(output, i, meanOf<T>(work, sums[i], shape.reduced));
        }
    });
}

}  // namespace vnpu::hw::kernels
