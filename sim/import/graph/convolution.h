// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "sim/import/graph/window.h"

namespace vnpu::sim::graph {

/// Weights are output channels x height x width x input channels of a group. Weights of another
/// type than the input (hybrid models) and forms that NNAPI lacks are computed in float32. `bias`
/// may be absent.
Value conv2d(Emitter& emitter, const Value& input, const Value& weights,
             const std::optional<Value>& bias, const Window& window, Clamp clamp, const Form& form);
/// Weights are 1 x height x width x channels of the result.
Value depthwiseConv2d(Emitter& emitter, const Value& input, const Value& weights,
                      const std::optional<Value>& bias, const Window& window, Clamp clamp,
                      const Form& form);
/// Weights are output channels x height x width x input channels; `outputSize` is height and width
/// of the result.
Value transposeConv2d(Emitter& emitter, const Value& input, const Value& weights,
                      const std::optional<Value>& bias, const Window& window,
                      std::array<std::uint32_t, 2> outputSize, Clamp clamp, const Form& form);

}  // namespace vnpu::sim::graph
