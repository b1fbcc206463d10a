// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/lowering_row.h"

namespace vnpu::driver {

/// Operations on the MAC array.
LoweringRows convolutionRows();
LoweringRows fullyConnectedRows();
LoweringRows transposeConvolutionRows();

}  // namespace vnpu::driver
