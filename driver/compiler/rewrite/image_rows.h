// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/compile_options.h"
#include "driver/compiler/ir/graph.h"
#include "driver/compiler/ir/refusal.h"

namespace vnpu::driver {

/// Lets the DMA read inputs and write outputs that lie in images with gaps between the rows
/// (CompileOptions::inputImages). All other nodes see dense tensors, and the gaps stay as they are.
/// To be called before the other rewritings. kExhausted for an image of 2 GiB or more.
Checked<void> addImageCopies(Graph& graph, const CompileOptions& options);

}  // namespace vnpu::driver
