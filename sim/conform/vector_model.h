// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/client/request_pool.h"
#include "sim/conform/vector_file.h"

namespace vnpu::sim {

/// The NNAPI model of an example, laid out as in the HAL's own suite, with a pool of this kind for
/// the constants. Throws std::runtime_error without memory.
nn::Model makeModel(const Example& example, PoolKind kind = PoolKind::kAshmem);

/// Removes the dimensions of the model's outputs, but not their rank.
void leaveOutputsOpen(nn::Model& model);

}  // namespace vnpu::sim
