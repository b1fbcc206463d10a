// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Adds a tensor that is a copy of a constant filter in SRAM (StorageKind::kSramCopy), but no node
/// that fills it.
TensorId addFilterCopy(Graph& graph, TensorId filter);

/// Lets convolutions and matrix products that share a constant filter, as the steps of a recurrent
/// layer do, read a copy of it in SRAM, which is loaded before the first of
/// them. The memory planner keeps the copy where that pays. For graphs without control flow.
void copySharedFilters(Graph& graph);

}  // namespace vnpu::driver
