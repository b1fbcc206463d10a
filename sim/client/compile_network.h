// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "hw_model/timing/npu_config.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// A value of a register of the device.
struct RegisterValue {
    std::uint32_t offset = 0;
    std::uint32_t value = 0;
};

/// A network in the form that the driver compiles for a device.
struct CompiledNetwork {
    std::shared_ptr<const driver::CompiledModel> model;
    std::vector<RegisterValue> configuration;  // the device's CONFIG registers, by offset
};

/// Compiles on a device of its own: once per process. Errors as runPlatform().
CompiledNetwork compileOn(const hw::NpuConfig& config, const Network& network,
                          std::uint64_t checkpointCycles);

}  // namespace vnpu::sim
