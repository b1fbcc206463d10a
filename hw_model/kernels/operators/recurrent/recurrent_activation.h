// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// Activation functions of recurrent layers. source: NNAPI 1.3, operation LSTM (input 20), and
/// FusedActivationFunc for the first four.
enum class RecurrentActivation : std::int32_t {
    kNone = 0,
    kRelu = 1,
    kRelu1 = 2,
    kRelu6 = 3,
    kTanh = 4,
    kSigmoid = 6,
};

/// Reads scalar input `i`; refuses the call if its value is not an activation.
std::optional<RecurrentActivation> readCellActivation(OperatorCall& call, std::size_t i);

/// In place.
void activate(RecurrentActivation activation, float* values, std::size_t count);

}  // namespace vnpu::hw::kernels
