// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/import/onnx/operator_context.h"

namespace vnpu::sim::onnx {

/// The weights with their dimensions in another order; scales per channel stay with their
/// dimension.
Value moveWeights(Context& context, const Value& weights, const std::vector<std::uint32_t>& order);

/// A constant real bias as the integers that NNAPI adds to sums of 8-bit products; any other bias
/// as it is.
std::optional<Value> biasFor(const Value& input, const Value& weights,
                             const std::optional<Value>& bias, const Form& form);

}  // namespace vnpu::sim::onnx
