// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/lowering_row.h"

namespace vnpu::driver {

/// Operations on the rows and columns of images, without the MAC array.
LoweringRows poolingRows();
LoweringRows resizingRows();

}  // namespace vnpu::driver
