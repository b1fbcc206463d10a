// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/reduction/normalization_lines.h"

namespace vnpu::hw::kernels {
std::optional<LineShape> settleLines(OperatorCall& call, std::size_t axisInput) {
    const Dimensions& dimensions = call.input(0).dimensions;
    VNPU_TRY_ASSIGN(const std::size_t axis,
                    resolveAxis(call, call.int32(axisInput, -1), dimensions.rank()));
    return call.settle(0, dimensions) == JobStatus::kOk
                   ? std::optional(LineShape(dimensions, axis, axis + 1))
                   : std::nullopt;
}

void transformFloatLines(OperatorCall& call, const LineShape& shape, std::size_t cost,
                         const std::function<LineFunction()>& makeFunction) {
    withElement<kFloatTypes>(call.input(0).type, [&](auto element) {
        using T = decltype(element);
        const T* input = call.input(0).as<T>();
        T* output = call.write<T>(0);
        forEachLines(shape, cost, [&](std::size_t first, std::size_t last) {
            std::vector<float> values(shape.length);
            const LineFunction function = makeFunction();
            for (std::size_t line = first; line < last; ++line) {
                const std::size_t start = startOf(shape, line);
                for (std::size_t x = 0; x < shape.length; ++x) {
                    values[x] = static_cast<float>(input[start + x * shape.inner]);
                }
                function(values);
                for (std::size_t x = 0; x < shape.length; ++x) {
                    output[start + x * shape.inner] = static_cast<T>(values[x]);
                }
            }
        });
    });
}

}  // namespace vnpu::hw::kernels
