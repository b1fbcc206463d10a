// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/cli/operations/probe_operands.h"
#include "sim/models/network.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

/// Every operation of NNAPI 1.3, in alphabetical order.
std::span<const nn::OperationType> probedOperations();

/// The types that HAL 1.3 allows for an operation, in the order of NNAPI's numbers, each with every
/// type of a second operand (a filter, the result of a cast) that may differ.
std::vector<ProbeTypes> probeTypes(nn::OperationType operation);

/// "QUANT8_ASYMM", "QUANT8_ASYMM, QUANT8_SYMM_PER_CHANNEL", or "any".
std::string nameOf(const ProbeTypes& types);

/// A small model of that one operation. Shapes are static unless the operation computes them.
Network makeProbe(nn::OperationType operation, const ProbeTypes& types);

}  // namespace vnpu::sim
