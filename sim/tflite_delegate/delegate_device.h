// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/platform/platform.h"
#include "sim/tflite_delegate/options.h"

namespace vnpu::sim::tflite_delegate {

/// The device that delegates use: one of a service, or the one in this process. Any thread.
class DelegateDevice {
  public:
    virtual ~DelegateDevice() = default;

    /// Throws InputError for a wrong configuration or pace, or where the process already has
    /// another device; std::runtime_error where the device does not boot or there is no service.
    static std::shared_ptr<DelegateDevice> open(const Options& options);

    virtual ClientContext& context() = 0;
    /// ": " and the driver's last reason for a refusal or failure; empty where none is known.
    virtual std::string lastReason() const = 0;
};

/// Whether the device executes each operation of the model. Throws std::runtime_error if the call
/// fails.
std::vector<bool> supportedOperations(ClientContext& context, const nn::Model& model);

}  // namespace vnpu::sim::tflite_delegate
