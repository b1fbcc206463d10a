// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/import/tflite/call.h"

namespace vnpu::sim::tflite {

// Inputs of LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM behind the weights.
inline constexpr std::size_t kOutputState = 18, kCellState = 19;
inline constexpr std::size_t kNormalization = 20;  // four, which old files do not have

/// A layer with 8-bit activations and weights and a 16-bit cell state: QUANTIZED_LSTM for each
/// step.
void importQuantizedLstm(Call& call, const schema::UnidirectionalSequenceLstmOptions& options,
                         std::uint32_t units, std::uint32_t output);

}  // namespace vnpu::sim::tflite
