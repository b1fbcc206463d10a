// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "hw_model/regs/command_stream.h"

namespace vnpu::driver::test {

/// The bytes from a reference to the end of its region; empty for no region.
using Resolver = std::function<std::span<std::byte>(const hw::MemoryRef&)>;

/// Runs a whole operator on plain byte arrays: descriptors, inputs and shapes are read, outputs and
/// shapes written. Empty, or why it fails.
std::string runDspOperator(const hw::DspOperator& work, const Resolver& resolve);

}  // namespace vnpu::driver::test
