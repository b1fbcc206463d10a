// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace vnpu::sim {

/// Reads a register without side effects; false if it cannot be read.
using PeekRegister = std::function<bool(std::uint32_t offset, std::uint32_t& value)>;

/// One line for each register that can be read, with its name, value and fields. Elements of
/// register arrays that are zero are left out.
std::string registerText(const PeekRegister& peek);

}  // namespace vnpu::sim
