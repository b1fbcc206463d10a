// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/import/graph/elementwise_kinds.h"
#include "sim/import/graph/emitter.h"

namespace vnpu::sim::graph {

/// NNAPI's operation for an operator, and the forms that it takes.
struct Direct {
    nn::OperationType type{};
    bool takesReal = true, takesInteger = false, takesTruth = false, takesQuantized = false;

    bool takes(const Form& form) const;
};

/// Nothing where NNAPI has no operation for the operator.
std::optional<Direct> directUnary(Unary op);
std::optional<Direct> directBinary(Binary op);

/// Whether NNAPI's operation for `op` can have a fused activation.
bool hasFuse(Binary op);
/// NNAPI's number for the activation; refuses kTanh, which it cannot fuse.
std::int32_t fuseCode(Clamp clamp);

/// Shapes of two operands and their result with at most four dimensions where that is possible:
/// neighboring dimensions that both operands have or lack become one.
struct Broadcast {
    Dims a, b, result;
};
Broadcast collapse(const Value& a, const Value& b, const Dims& dims);

/// One operation of two operands that broadcast.
Value emitBinary(Emitter& emitter, const Direct& direct, Binary op, const Value& a, const Value& b,
                 const Form& form, Clamp fused);

}  // namespace vnpu::sim::graph
