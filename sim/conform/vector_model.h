// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client/request_pool.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// The NNAPI model of an example, laid out as the HAL's own suite does it, with a pool of this kind
/// for the constants. Throws std::runtime_error without memory.
nn::Model makeModel(const Example& example, PoolKind kind = PoolKind::kAshmem);

/// Takes from the model's outputs their dimensions, but not their rank.
void leaveOutputsOpen(nn::Model& model);

}  // namespace vnpu::sim
