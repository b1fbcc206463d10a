// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

JobStatus topK(OperatorCall& call);  // top_k.cpp

}  // namespace vnpu::hw::kernels
