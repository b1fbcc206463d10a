// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/client/call_types.h"
#include "sim/models/network.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

struct ExecutionResult {
    android::hardware::neuralnetworks::V1_3::ErrorStatus status{};
    std::vector<std::vector<std::uint32_t>>
            outputDimensions;  // empty where the driver reported none
    std::uint64_t timeOnDeviceUs = UINT64_MAX;
    std::uint64_t timeInDriverUs = UINT64_MAX;
    std::chrono::nanoseconds begin{}, end{};  // of the call, in device time
};

/// The driver did not prepare a model.
class PrepareError : public std::runtime_error {
  public:
    PrepareError(const std::string& what,
                 android::hardware::neuralnetworks::V1_3::ErrorStatus status)
        : std::runtime_error(what), status_(status) {}
    android::hardware::neuralnetworks::V1_3::ErrorStatus status() const { return status_; }

  private:
    android::hardware::neuralnetworks::V1_3::ErrorStatus status_;
};

/// A client's prepared model with its request pools (ashmem), which all executions reuse.
class ModelRunner {
  public:
    /// Prepares the network; throws PrepareError with the name of the status, and
    /// std::runtime_error where there is no memory for the pools. The tensors of `states` stay on
    /// the device (state_tensors.h): after each successful execution its outputs are the inputs of
    /// the next one.
    static std::unique_ptr<ModelRunner> prepare(
            ClientContext& context, const Network& network,
            android::hardware::neuralnetworks::V1_3::Priority priority,
            std::span<const StatePair> states = {},
            android::hardware::neuralnetworks::V1_1::ExecutionPreference preference = android::
                    hardware::neuralnetworks::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER);
    virtual ~ModelRunner() = default;

    /// The bytes of input or output `index` in their pool; none where it is a state.
    virtual std::span<std::byte> input(std::size_t index) = 0;
    virtual std::span<const std::byte> output(std::size_t index) const = 0;

    /// Runs the model on the present contents of the inputs. The driver gets `deadline`, in device
    /// time.
    virtual ExecutionResult execute(ExecutionPath path,
                                    std::optional<std::chrono::nanoseconds> deadline) = 0;
    ExecutionResult execute(ExecutionPath path) { return execute(path, std::nullopt); }
    virtual android::sp<android::hardware::neuralnetworks::V1_3::IPreparedModel> preparedModel()
            const = 0;
};

}  // namespace vnpu::sim
