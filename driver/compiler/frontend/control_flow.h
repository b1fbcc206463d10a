// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/frontend/base/graph_builder.h"

namespace vnpu::driver {

/// Lowers an IF or WHILE with all operations of its subgraphs, each of which is given to
/// `lowerInner`.
Checked<void> lowerControlFlow(GraphBuilder& builder, const OperationReader& operation,
                               Lowering lowerInner);

}  // namespace vnpu::driver
