// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operator_table.h"

namespace vnpu::hw::kernels {

std::span<const OperatorEntry> elementwiseOperators() {
    return {};
}

}  // namespace vnpu::hw::kernels
