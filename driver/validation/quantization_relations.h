// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Relations of scales and zero points for the rows of the operation tables. Each takes an operation
// that fits its signature. Operands without quantization have scale and zero point 0.

Result<void> outputIsQuantizedAsInput(const OperationView& operation, std::size_t input);
/// Output 0 has scale and zero point of input `Input`.
template <std::size_t Input>
Result<void> outputIsQuantizedAs(const OperationView& operation) {
    return outputIsQuantizedAsInput(operation, Input);
}
/// Every output has scale and zero point of input 0.
Result<void> everyOutputIsQuantizedAsInput(const OperationView& operation);
/// A quantized output 0 has scale 1/256 and its zero point at the lowest value.
Result<void> outputIsQuantizedAsProbability(const OperationView& operation);
/// A quantized output 0 has scale 1/128 and its zero point in the middle.
Result<void> outputIsQuantizedAsUnitRange(const OperationView& operation);
/// Before 1.2, quantized inputs have scale and zero point of output 0.
Result<void> earlyPartsAreQuantizedAsOutput(const OperationView& operation);
/// Before 1.2, padding is defined only for an input with zero point 0.
Result<void> earlyPaddingIsZero(const OperationView& operation);
/// The scale of a quantized output 0 is above the product of the inputs' scales.
Result<void> outputScaleExceedsProduct(const OperationView& operation);
/// The same, before 1.2; the second input is the filter.
Result<void> earlyOutputExceedsProduct(const OperationView& operation);
/// A quantized bias (input 2) has the product of the scales of data and filter as its scale; 0 for
/// a per-channel filter.
Result<void> biasMatchesFilter(const OperationView& operation);
/// Every 16-bit operand has scale 1/8 and zero point 0.
Result<void> coordinatesAreEighths(const OperationView& operation);
/// Output 1 of a lookup counts hits: scale 1, zero point 0.
Result<void> hitsAreCounted(const OperationView& operation);
/// The fixed ranges of QUANTIZED_16BIT_LSTM, its one quantization of weights, its bias scales.
Result<void> quantized16BitLstmHasItsScales(const OperationView& operation);

}  // namespace vnpu::driver
