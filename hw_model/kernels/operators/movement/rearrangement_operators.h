// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

// Kernels of the family's files.

// shape_operators.cpp
JobStatus reshape(OperatorCall& call);
JobStatus squeeze(OperatorCall& call);
JobStatus expandDims(OperatorCall& call);
JobStatus fill(OperatorCall& call);
JobStatus rank(OperatorCall& call);

// rearrangement_operators.cpp
JobStatus transpose(OperatorCall& call);
JobStatus channelShuffle(OperatorCall& call);
JobStatus tile(OperatorCall& call);

// concatenation.cpp, padding.cpp
JobStatus concatenation(OperatorCall& call);
JobStatus pad(OperatorCall& call);
JobStatus padWithValue(OperatorCall& call);

// block_operators.cpp
JobStatus depthToSpace(OperatorCall& call);
JobStatus spaceToDepth(OperatorCall& call);
JobStatus batchToSpace(OperatorCall& call);
JobStatus spaceToBatch(OperatorCall& call);

}  // namespace vnpu::hw::kernels
