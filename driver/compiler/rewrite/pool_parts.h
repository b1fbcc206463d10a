// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Replaces a pool of a CONCATENATION of channels by pools of its parts and a concatenation of
/// their results, if nothing else reads the parts or the whole. A part can then go through the SRAM
/// from its producer to its pool (cascade.h). Before writePartsInPlace, without control flow.
void poolParts(Graph& graph);

}  // namespace vnpu::driver
