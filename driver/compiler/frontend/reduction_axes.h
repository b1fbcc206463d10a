// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/compiler/frontend/model_reader.h"
#include "driver/compiler/ir/shape.h"

namespace vnpu::driver {

/// Input 1 of a reduction of `rank` dimensions. Bit d set: dimension d is reduced.
Checked<std::uint32_t> readReductionAxes(const OperationReader& operation, std::size_t rank);

/// Of a reduction's output.
Shape reducedShape(const Shape& shape, std::uint32_t mask, bool keepsDimensions);

}  // namespace vnpu::driver
