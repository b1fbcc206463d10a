// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/validation/operation_table.h"

namespace vnpu::driver {

// Which optional inputs of an LSTM cell go together. An input with lifetime NO_VALUE is left out. A
// request may still leave out an input of the model, so that such an input fits everything.

Result<void> checkGates(const OperationView& operation, std::size_t cell);
Result<void> checkNormalizations(const OperationView& operation, std::size_t cell,
                                 std::size_t first);

/// Input weights, state weights and bias of the input gate are there together, as are the
/// peepholes; a projection's bias needs the projection. `Cell` is the input before the cell's
/// weights.
template <std::size_t Cell>
Result<void> gatesFit(const OperationView& operation) {
    return checkGates(operation, Cell);
}
/// The four normalizations from input `First` on are there together; that of the input gate is not
/// if the gate is not. A form without these inputs fits.
template <std::size_t Cell, std::size_t First>
Result<void> normalizationsFit(const OperationView& operation) {
    return checkNormalizations(operation, Cell, First);
}

}  // namespace vnpu::driver
