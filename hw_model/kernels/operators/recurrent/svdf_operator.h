// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// SVDF: a fully connected layer whose filters are products of a vector over the features and one
/// over the last steps.
JobStatus svdf(OperatorCall& call);

}  // namespace vnpu::hw::kernels
