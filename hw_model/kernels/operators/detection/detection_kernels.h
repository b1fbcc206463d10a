// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

// Operators of object detection. Quantized operands are computed as floats; among boxes of equal
// scores the first one goes first.

JobStatus axisAlignedBboxTransform(OperatorCall& call);
JobStatus boxWithNmsLimit(OperatorCall& call);
JobStatus detectionPostprocessing(OperatorCall& call);
JobStatus generateProposals(OperatorCall& call);
JobStatus heatmapMaxKeypoint(OperatorCall& call);

}  // namespace vnpu::hw::kernels
