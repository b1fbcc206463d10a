// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// QUANTIZED_16BIT_LSTM: 8-bit weights in eight parts, 16-bit cell state, no variants.
JobStatus quantized16BitLstm(OperatorCall& call);

/// QUANTIZED_LSTM of NNAPI 1.3, with all its variants.
JobStatus quantizedLstm(OperatorCall& call);

}  // namespace vnpu::hw::kernels
