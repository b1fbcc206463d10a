// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

/// Geometry of a window over height and width of an image batch x height x width x channels.
struct Window {
    enum class Padding { kSame, kValid, kExplicit } padding = Padding::kValid;
    std::array<std::int64_t, 2> stride = {1, 1};  // height, width
    std::array<std::int64_t, 2> dilation = {1, 1};
    std::array<std::int64_t, 2> before = {0, 0}, after = {0, 0};  // kExplicit
};

/// Output extent of one dimension; refuses windows that do not fit.
std::uint32_t windowOutput(std::uint32_t input, std::int64_t size, const Window& window,
                           std::size_t dimension);

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
enum class Pool { kAverage, kMax, kL2 };
Value pool2d(Emitter& emitter, Pool op, const Value& input, std::array<std::int64_t, 2> size,
             const Window& window, Clamp clamp, const Form& form);

struct Resize {
    std::uint32_t height = 1, width = 1;
    bool isBilinear = true, alignCorners = false, halfPixelCenters = false;
};
Value resize2d(Emitter& emitter, const Value& input, const Resize& resize, const Form& form);

/// blockSize x blockSize pixels to channels and back, in the order of TensorFlow.
Value spaceToDepth(Emitter& emitter, const Value& input, std::uint32_t blockSize);
Value depthToSpace(Emitter& emitter, const Value& input, std::uint32_t blockSize);

/// One or two block sizes, for the dimensions behind the batch; paddings or crops of each.
Value spaceToBatch(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after);
Value batchToSpace(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after);

}  // namespace vnpu::sim::graph
