// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "driver/compiler/compiler.h"
#include "driver/compiler/ir/compiled_model.h"
#include "driver/port/device_info.h"
#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {

struct InterpretedRun {
    std::vector<Bytes> outputs;
    std::vector<std::vector<std::uint32_t>> shapes;  // of the outputs
    std::string error;  // empty: the stream is valid and ran to its end
};

/// Runs a compiled model on plain byte arrays, one command at a time, in an order that only the
/// tokens and the controller's steps bind: each engine takes its commands in order, but which
/// engine goes next is drawn from `seed`. A wait that is missing shows as a wrong result under some
/// seed. Checks every command with the device's validator, that each waits for earlier commands of
/// the stream only (or the in-order controller would stall), and that memory starts out as noise.
/// At every checkpoint all engines finish, and what is not live there becomes noise again.
InterpretedRun interpret(const CompiledModel& model, const DeviceInfo& device,
                         std::span<const PoolView> pools, std::span<const Bytes> inputs,
                         std::uint32_t seed);

}  // namespace vnpu::driver::test
