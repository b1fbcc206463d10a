// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/lowering_row.h"

namespace vnpu::driver {

/// Operations in which the elements along one or more axes depend on each other.
LoweringRows normalizationRows();
LoweringRows reductionRows();
LoweringRows selectionRows();

}  // namespace vnpu::driver
