// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// For devices that ask memory for one pixel at a time (CONFIG_SRAM_PORT.PIXEL_READS): sets
/// Storage::pixelBytes of the inputs whose pixels a convolution reads and that are shorter than a
/// burst.
void readByPixel(Graph& graph);

}  // namespace vnpu::driver
