// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Relations of scales and zero points for the rows of the operation tables. Each takes an operation
// that fits its signature. Operands without quantisation have scale and zero point 0.

std::optional<std::string> outputIsQuantisedAsInput(const OperationView& operation,
                                                    std::size_t input);
/// Output 0 has scale and zero point of input `Input`.
template <std::size_t Input>
std::optional<std::string> outputIsQuantisedAs(const OperationView& operation) {
    return outputIsQuantisedAsInput(operation, Input);
}
/// Every output has scale and zero point of input 0.
std::optional<std::string> everyOutputIsQuantisedAsInput(const OperationView& operation);
/// A quantised output 0 has scale 1/256 and its zero point at the lowest value.
std::optional<std::string> outputIsQuantisedAsProbability(const OperationView& operation);
/// A quantised output 0 has scale 1/128 and its zero point in the middle.
std::optional<std::string> outputIsQuantisedAsUnitRange(const OperationView& operation);
/// Before 1.2, quantised inputs have scale and zero point of output 0.
std::optional<std::string> earlyPartsAreQuantisedAsOutput(const OperationView& operation);
/// Before 1.2, what input 0 is padded with is defined for zero point 0 alone.
std::optional<std::string> earlyPaddingIsZero(const OperationView& operation);
/// The scale of a quantised output 0 is above the product of the inputs' scales.
std::optional<std::string> outputScaleExceedsProduct(const OperationView& operation);
/// The same, before 1.2; the second input is the filter.
std::optional<std::string> earlyOutputExceedsProduct(const OperationView& operation);
/// A quantised bias (input 2) has the product of the scales of data and filter as its scale; 0 for
/// a per-channel filter.
std::optional<std::string> biasMatchesFilter(const OperationView& operation);
/// Every operand of 16 bits is quantised in eighths from 0.
std::optional<std::string> coordinatesAreEighths(const OperationView& operation);
/// Output 1 of a lookup counts hits: scale 1, zero point 0.
std::optional<std::string> hitsAreCounted(const OperationView& operation);
/// The fixed ranges of QUANTIZED_16BIT_LSTM, its one quantisation of weights, its bias scales.
std::optional<std::string> quantised16BitLstmHasItsScales(const OperationView& operation);

}  // namespace vnpu::driver
