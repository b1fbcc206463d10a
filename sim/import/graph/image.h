// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

// Operations on images batch x height x width x channels that compute no sums of products.

struct Resize {
    std::uint32_t height = 1, width = 1;
    bool isBilinear = true, alignCorners = false, halfPixelCenters = false;
};
Value resize2d(Emitter& emitter, const Value& input, const Resize& resize, const Form& form);

/// Moves blocks of blockSize x blockSize pixels to the channels and back, in the order of
/// TensorFlow.
Value spaceToDepth(Emitter& emitter, const Value& input, std::uint32_t blockSize);
Value depthToSpace(Emitter& emitter, const Value& input, std::uint32_t blockSize);

/// `blocks` has one or two block sizes, for the dimensions behind the batch; `before` and `after`
/// are the paddings or crops of these dimensions.
Value spaceToBatch(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after);
Value batchToSpace(Emitter& emitter, const Value& value, std::span<const std::int64_t> blocks,
                   std::span<const std::int64_t> before, std::span<const std::int64_t> after);

}  // namespace vnpu::sim::graph
