// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "driver/port/device_info.h"
#include "hw_model/timing/npu_config.h"
#include "sim/cli/operations/operation_probes.h"

namespace vnpu::sim {

/// How an operation runs on a device, read from the commands of its probe.
struct OperationReport {
    struct Share {
        std::string engine;                 // "mac", "vector", "dma", "dsp", "controller"
        std::vector<std::string> formulas;  // of its different commands
    };

    nn::OperationType operation{};
    ProbeTypes types{};
    std::vector<Share> shares{};  // none: it became an alias or a constant
    std::uint32_t commands = 0;
    bool isWhole = false;   // untiled, on the DSP
    std::string refusal{};  // the driver's reason to refuse it

    /// "mac, dma"; "alias" where no command runs.
    std::string engines() const;
    /// "tiled", "whole" (untiled on the DSP), or "-" where there is nothing to tile.
    std::string place() const;
    /// "mac: ...; dma: ...".
    std::string cost() const;
};

/// Compiles the probe for the device. For control flow only the steps of the controller are
/// reported; the operations of the subgraphs run as they do elsewhere.
OperationReport reportOperation(nn::OperationType operation, const ProbeTypes& types,
                                const driver::DeviceInfo& device, const hw::NpuConfig& config);

}  // namespace vnpu::sim
