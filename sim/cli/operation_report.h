// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "driver/port/device_info.h"
#include "hw_model/timing/npu_config.h"
#include "sim/cli/operation_probes.h"

namespace vnpu::sim {

/// How the operation of a probe runs on a device: what its commands tell.
struct OperationReport {
    struct Share {
        std::string engine;                 // "mac", "vector", "dma", "dsp", "controller"
        std::vector<std::string> formulas;  // of its different commands
    };

    nn::OperationType operation{};
    ProbeTypes types{};
    std::vector<Share> shares{};  // none: it became an alias or a constant
    std::uint32_t commands = 0;
    bool isWhole = false;   // by the DSP
    std::string refusal{};  // why the driver does not take it

    /// "mac, dma"; "alias" where nothing runs.
    std::string engines() const;
    /// "tiled", "whole", or "-" where there is nothing to cut.
    std::string place() const;
    /// "mac: ...; dma: ...".
    std::string cost() const;
};

/// Compiles the probe for the device. Of control flow only the controller's steps are reported:
/// what subgraphs hold runs as it does elsewhere.
OperationReport reportOperation(nn::OperationType operation, const ProbeTypes& types,
                                const driver::DeviceInfo& device, const hw::NpuConfig& config);

}  // namespace vnpu::sim
