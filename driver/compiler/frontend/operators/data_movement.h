// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/lowering_row.h"

namespace vnpu::driver {

/// Operations that move, repeat or insert elements and compute none.
LoweringRows concatenationRows();
LoweringRows paddingRows();
LoweringRows reshapingRows();
LoweringRows slicingRows();
LoweringRows spaceRows();
LoweringRows transpositionRows();

}  // namespace vnpu::driver
