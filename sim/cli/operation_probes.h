// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/models/network.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

/// How the values of a probed operation are stored.
enum class ProbeType { kFloat32, kUint8, kInt8, kInt8PerChannel };

inline constexpr ProbeType kProbeTypes[] = {ProbeType::kFloat32, ProbeType::kUint8,
                                            ProbeType::kInt8, ProbeType::kInt8PerChannel};
std::string_view nameOf(ProbeType type);

/// Operations of which the program can make a small model to ask a device about, in alphabetical
/// order.
std::span<const nn::OperationType> probedOperations();

/// A model of that one operation, or nothing where NNAPI has it not for the type.
std::optional<Network> makeProbe(nn::OperationType operation, ProbeType type);

}  // namespace vnpu::sim
