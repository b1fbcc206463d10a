// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/ndk/base/result.h"

namespace vnpu::sim::ndk {

/// An order of execution, as indexes of operations: each after those whose outputs it reads, and
/// otherwise as added. BAD_DATA for a cycle, or an operand that is read but never written.
/// `isGiven`: by operand, whether it has a value before the first operation.
Result<std::vector<std::uint32_t>> orderOperations(
        const std::vector<android::hardware::neuralnetworks::V1_3::Operation>& operations,
        const std::vector<bool>& isGiven);

}  // namespace vnpu::sim::ndk
