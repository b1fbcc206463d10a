// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "driver/compiler/emit/emission.h"
#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"

namespace vnpu::driver {

/// Places every intermediate storage that is not resident in SRAM in scratch memory; storages that
/// are not live at the same time share their bytes. Returns the bytes needed.
std::uint64_t placeScratch(Graph& graph,
                           const std::vector<std::optional<std::uint32_t>>& residentAt);

/// Sets result.regions and the place of every storage in them. kExhausted beyond hw::kMaxRegions.
Checked<void> layOutRegions(const Graph& graph, std::span<const PoolView> pools,
                            CompiledModel& result, StoragePlaces& places);

}  // namespace vnpu::driver
