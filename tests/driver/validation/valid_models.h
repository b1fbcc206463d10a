// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <string>
#include <vector>

#include "driver/validation/model_validation.h"
#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::Operation;

/// Builds models whose operands have a usual quantization and whose constants are zeroes.
class ValidModelBuilder : public ModelBuilder {
  public:
    std::uint32_t add(OperandType type, const Dimensions& dimensions, OperandLifeTime lifetime,
                      float scale = 0, std::int32_t zeroPoint = 0);
    std::uint32_t input(OperandType type, const Dimensions& dimensions);
    std::uint32_t output(OperandType type, const Dimensions& dimensions);
    std::uint32_t temporary(OperandType type, const Dimensions& dimensions);
    /// A constant in operandValues, or in pool 0.
    std::uint32_t constant(OperandType type, const Dimensions& dimensions, float scale = 0,
                           bool isInPool = false);
    std::uint32_t scalar(OperandType type) { return constant(type, {}); }
    /// `count` INT32 constants.
    std::vector<std::uint32_t> integers(std::size_t count);

    /// With a pool of the right size and no memory behind it.
    Model build() const;
};

/// A scale and zero point that the type may have.
float usualScale(OperandType type);

// Operands of convolutionModel(), by index.
inline constexpr std::uint32_t kConvInput = 0;    // 1x4x4x2, scale 0.5
inline constexpr std::uint32_t kConvFilter = 1;   // 3x1x1x2 in operandValues, scale 0.25
inline constexpr std::uint32_t kConvBias = 2;     // 3 in pool 0, scale 0.125
inline constexpr std::uint32_t kConvPadding = 3;  // the first of four INT32 scalars
inline constexpr std::uint32_t kConvMiddle =
        7;  // temporary, between the convolution and the second operation
inline constexpr std::uint32_t kConvOutput = 8;

/// CONV_2D, then RELU, of 8-bit quantized tensors.
Model convolutionModel();

// Operands of additionModel(), by index.
inline constexpr std::uint32_t kAddLeft = 0;
inline constexpr std::uint32_t kAddRight = 1;
inline constexpr std::uint32_t kAddActivation = 2;
inline constexpr std::uint32_t kAddOutput = 3;

/// One ADD of two inputs of 2x3 float32.
Model additionModel();

/// Checks that validateModel refuses with INVALID_ARGUMENT and a reason that holds `reason`.
void checkInvalid(const Model& model, const std::string& reason);
void checkValid(const Model& model);

/// The element appended; hidl_vec has no push_back.
template <typename T>
android::hardware::hidl_vec<T> appended(const android::hardware::hidl_vec<T>& list,
                                        const T& element) {
    std::vector<T> longer(list.begin(), list.end());
    longer.push_back(element);
    return longer;
}

// Operands of the first operation.
inline Operand& inputOf(Model& model, std::size_t i) {
    return model.main.operands[model.main.operations[0].inputs[i]];
}

inline Operand& outputOf(Model& model, std::size_t i = 0) {
    return model.main.operands[model.main.operations[0].outputs[i]];
}

}  // namespace vnpu::driver::test
