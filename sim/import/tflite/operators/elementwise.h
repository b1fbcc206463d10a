// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/tflite/call.h"

namespace vnpu::sim::tflite {

// Operators that the file format has twice: as its own, and as those of StableHLO.

template <Unary kOp>
void importUnary(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, graph::unary(call.emitter(), kOp, call.in(0), call.form()));
}

template <Binary kOp>
void importBinary(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::binary(call.emitter(), kOp, call.in(0), call.in(1), call.form()));
}

inline void importSelectV2(Call& call) {
    call.requireInputs(3, 3);
    call.set(0, graph::select(call.emitter(), call.in(0), call.in(1), call.in(2), call.form()));
}

inline void importCast(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, graph::cast(call.emitter(), call.in(0), call.form()));
}

}  // namespace vnpu::sim::tflite
