// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

JobStatus softmaxOperator(OperatorCall& call);
JobStatus logSoftmaxOperator(OperatorCall& call);

}  // namespace vnpu::hw::kernels
