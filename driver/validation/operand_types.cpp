// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/operand_types.h"

#include <algorithm>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandType;

std::optional<OperandTypeFacts> factsOf(OperandType type) {
    using Scale = OperandTypeFacts::Scale;
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::INT32:
        case OperandType::UINT32:
            return OperandTypeFacts{true, 4, Scale::kZero, 0, 0};
        case OperandType::FLOAT16:
            return OperandTypeFacts{true, 2, Scale::kZero, 0, 0};
        case OperandType::BOOL:
            return OperandTypeFacts{true, 1, Scale::kZero, 0, 0};
        case OperandType::SUBGRAPH:
            return OperandTypeFacts{true, 0, Scale::kZero, 0, 0};
        case OperandType::OEM:
            return OperandTypeFacts{true, 0, Scale::kAny, std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max()};
        case OperandType::TENSOR_OEM_BYTE:
            return OperandTypeFacts{false, 1, Scale::kAny, std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max()};
        case OperandType::TENSOR_FLOAT32:
            return OperandTypeFacts{false, 4, Scale::kZero, 0, 0};
        case OperandType::TENSOR_FLOAT16:
            return OperandTypeFacts{false, 2, Scale::kZero, 0, 0};
        case OperandType::TENSOR_BOOL8:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:  // its scales are extra parameters
            return OperandTypeFacts{false, 1, Scale::kZero, 0, 0};
        case OperandType::TENSOR_INT32:
            return OperandTypeFacts{false, 4, Scale::kNotNegative, 0, 0};
        case OperandType::TENSOR_QUANT8_ASYMM:
            return OperandTypeFacts{false, 1, Scale::kPositive, 0, 255};
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return OperandTypeFacts{false, 1, Scale::kPositive, -128, 127};
        case OperandType::TENSOR_QUANT8_SYMM:
            return OperandTypeFacts{false, 1, Scale::kPositive, 0, 0};
        case OperandType::TENSOR_QUANT16_ASYMM:
            return OperandTypeFacts{false, 2, Scale::kPositive, 0, 65535};
        case OperandType::TENSOR_QUANT16_SYMM:
            return OperandTypeFacts{false, 2, Scale::kPositive, 0, 0};
    }
    return std::nullopt;
}

bool hasExtension(const android::hardware::neuralnetworks::V1_3::Model& model,
                  std::uint16_t prefix) {
    const auto& known = model.extensionNameToPrefix;
    return std::any_of(known.begin(), known.end(),
                       [&](const auto& entry) { return entry.prefix == prefix; });
}

std::optional<std::uint32_t> sizeOfData(
        OperandType type, const android::hardware::hidl_vec<std::uint32_t>& dimensions) {
    const auto facts = factsOf(type);
    if (!facts || facts->elementBytes == 0) {
        return std::nullopt;
    }
    std::uint64_t bytes = facts->elementBytes;
    if (facts->isScalar) {
        return facts->elementBytes;
    }
    if (dimensions.size() == 0) {
        return std::nullopt;
    }
    for (const std::uint32_t dimension : dimensions) {
        bytes *= dimension;  // both below 2^32
        if (bytes == 0 || bytes > std::numeric_limits<std::uint32_t>::max()) {
            return std::nullopt;
        }
    }
    return static_cast<std::uint32_t>(bytes);
}

}  // namespace vnpu::driver
