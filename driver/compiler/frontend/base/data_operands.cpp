// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/data_operands.h"

#include <fmt/format.h>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandType;

Checked<DataOperands> readDataOperands(GraphBuilder& builder, const OperationReader& operation) {
    VNPU_TRY_ASSIGN(const auto input, builder.input(operation, 0, "input"));
    VNPU_TRY(requireType(builder.tensor(input), "input", dataTypes()));
    const OperandType type[] = {builder.tensor(input).type};
    VNPU_TRY(requireType(builder.declaredOutput(operation), "output", type));
    VNPU_TRY_ASSIGN(const auto output, builder.output(operation, builder.tensor(input).shape));
    return DataOperands{input, output};
}

Checked<void> requireProbability(const Tensor& output) {
    constexpr float kProbabilityScale = 1.0F / 256.0F;  // source: NNAPI, LOGISTIC and SOFTMAX
    if (output.elementType() == hw::ElementType::kFloat32) {
        return {};
    }
    const std::int32_t zeroPoint = lowestValue(output.elementType());
    if (output.scale != kProbabilityScale || output.zeroPoint != zeroPoint) {
        return unsupported(
                fmt::format("output has scale {} and zero point {}, expected 1/256 and {}",
                            output.scale, output.zeroPoint, zeroPoint));
    }
    return {};
}

}  // namespace vnpu::driver
