// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

Value softmax(Emitter& emitter, const Value& value, float beta, std::uint32_t axis,
              const Form& form);
Value logSoftmax(Emitter& emitter, const Value& value, float beta, std::uint32_t axis,
                 const Form& form);
Value l2Normalize(Emitter& emitter, const Value& value, std::uint32_t axis, const Form& form);
/// Over `radius` channels on both sides along the last axis; alpha is not divided by the width.
Value localResponseNormalize(Emitter& emitter, const Value& value, std::int32_t radius, float bias,
                             float alpha, float beta, const Form& form);

}  // namespace vnpu::sim::graph
