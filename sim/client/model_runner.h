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

#include "sim/client/burst_calls.h"
#include "sim/client/call_types.h"
#include "sim/client/request_pool.h"
#include "sim/client/state_tensors.h"
#include "sim/models/network.h"
#include "sim/platform/platform.h"

namespace vnpu::sim {

struct ExecutionResult {
    nn::ErrorStatus status{};
    /// Empty where the driver reported none.
    std::vector<std::vector<std::uint32_t>> outputDimensions;
    std::uint64_t timeOnDeviceUs = UINT64_MAX;
    std::uint64_t timeInDriverUs = UINT64_MAX;
    std::chrono::nanoseconds begin{}, end{};  // of the call, in device time
};

/// The driver did not prepare a model.
class PrepareError : public std::runtime_error {
  public:
    PrepareError(const std::string& what, nn::ErrorStatus status)
        : std::runtime_error(what), status_(status) {}
    nn::ErrorStatus status() const { return status_; }

  private:
    nn::ErrorStatus status_;
};

/// A client's prepared model with its request pools (ashmem), which all executions reuse.
class ModelRunner {
  public:
    /// Prepares the network; throws PrepareError with the name of the status, and
    /// std::runtime_error where there is no memory for the pools. The tensors of `states` stay on
    /// the device (state_tensors.h): after each successful execution its outputs are the inputs of
    /// the next one.
    static std::unique_ptr<ModelRunner> prepare(
            ClientContext& context, const Network& network, nn::Priority priority,
            std::span<const NetworkState> states = {},
            nn11::ExecutionPreference preference = nn11::ExecutionPreference::FAST_SINGLE_ANSWER);
    /// Takes a model that the caller prepared from this network. Throws std::runtime_error where
    /// there is no memory for the pools.
    static std::unique_ptr<ModelRunner> adopt(ClientContext& context, const Network& network,
                                              android::sp<nn::IPreparedModel> preparedModel);

    /// The bytes of input or output `index` in their pool; none where it is a state.
    std::span<std::byte> input(std::size_t index) { return inputs_.argument(index); }
    std::span<const std::byte> output(std::size_t index) const { return outputs_.argument(index); }

    /// Runs the model on the present contents of the inputs. The driver gets `deadline`, in device
    /// time.
    ExecutionResult execute(ExecutionPath path,
                            std::optional<std::chrono::nanoseconds> deadline = std::nullopt);
    const android::sp<nn::IPreparedModel>& preparedModel() const { return preparedModel_; }

  private:
    ModelRunner(ClientContext& context, const Network& network,
                android::sp<nn::IPreparedModel> preparedModel,
                std::span<const NetworkState> states);
    CallResult executeOn(const nn::Request& request, const ExecutionOptions& options);

    ClientContext& context_;
    android::sp<nn::IPreparedModel> preparedModel_;
    StateTensors states_;
    RequestPool inputs_, outputs_;
    nn::Request requests_[2];  // by turn of the states
    std::unique_ptr<BurstSeries> burst_;
};

}  // namespace vnpu::sim
