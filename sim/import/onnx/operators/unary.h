// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/graph/elementwise.h"
#include "sim/import/onnx/operator_context.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

/// The first input as it is held, for formulas: reals as float32, small integers as int32.
Real operandOf(Context& context);
/// The result in the order of dimensions and of the type of the first input.
void outUnary(Context& context, const Real& result);

/// NNAPI or the common graph has the operator; on quantized values where it can.
template <graph::Unary kOp>
void importUnary(Context& context) {
    const Held held = context.held(0);
    if (!isRealType(held.type)) {
        outUnary(context, operandOf(context).of(kOp));
        return;
    }
    const Target target = context.target();
    context.outTo(target, graph::unary(context.emitter(), kOp, held.value, target.form), held.type,
                  held.isChannelsLast);
}

}  // namespace vnpu::sim::onnx
