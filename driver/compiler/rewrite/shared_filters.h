// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Lets convolutions and matrix products that share a constant filter, as the steps of a recurrent
/// layer do, read a copy in SRAM (StorageKind::kSramCopy), which is loaded before the first of
/// them. The memory planner keeps the copy where that pays. For graphs without control flow.
void copySharedFilters(Graph& graph);

}  // namespace vnpu::driver
