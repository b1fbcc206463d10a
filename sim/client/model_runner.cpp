// SPDX-License-Identifier: Apache-2.0
#include "sim/client/model_runner.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/client/device_calls.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kOperandAlignment = 64;  // chosen: one burst of the DMA

/// A pool with room for all tensors but the states.
RequestPool makePool(const std::vector<TensorDescription>& tensors,
                     std::span<const NetworkState> states, std::uint32_t NetworkState::*index) {
    std::vector<std::uint64_t> sizes;
    for (const TensorDescription& tensor : tensors) {
        if (tensor.sizeBytes == 0) {
            throw std::runtime_error(
                    fmt::format("{} has unknown dimensions, expected all known", tensor.name));
        }
        sizes.push_back(tensor.sizeBytes);
    }
    for (const NetworkState& pair : states) {
        sizes[pair.*index] = 0;
    }
    return RequestPool::create(sizes, kOperandAlignment);
}

}  // namespace

ModelRunner::ModelRunner(ClientContext& context, const Network& network,
                         android::sp<nn::IPreparedModel> preparedModel,
                         std::span<const NetworkState> states)
    : context_(context),
      preparedModel_(std::move(preparedModel)),
      states_(context, preparedModel_, network, states),
      inputs_(makePool(network.inputs, states, &NetworkState::input)),
      outputs_(makePool(network.outputs, states, &NetworkState::output)),
      requests_{makeRequest(inputs_, network.inputs.size(), outputs_, network.outputs.size()),
                makeRequest(inputs_, network.inputs.size(), outputs_, network.outputs.size())} {
    for (const std::size_t turn : {0U, 1U}) {
        states_.addTo(requests_[turn], turn);
    }
}

std::unique_ptr<ModelRunner> ModelRunner::prepare(ClientContext& context, const Network& network,
                                                  nn::Priority priority,
                                                  std::span<const NetworkState> states,
                                                  nn11::ExecutionPreference preference) {
    PrepareResult prepared =
            prepareModel(context, network.model, {.priority = priority, .preference = preference});
    if (prepared.status != nn::ErrorStatus::NONE) {
        throw PrepareError(
                fmt::format("{} is not prepared: {}", network.name, nameOf(prepared.status)),
                prepared.status);
    }
    return std::unique_ptr<ModelRunner>(
            new ModelRunner(context, network, std::move(prepared.preparedModel), states));
}

std::unique_ptr<ModelRunner> ModelRunner::adopt(ClientContext& context, const Network& network,
                                                android::sp<nn::IPreparedModel> preparedModel) {
    return std::unique_ptr<ModelRunner>(
            new ModelRunner(context, network, std::move(preparedModel), {}));
}

ExecutionResult ModelRunner::execute(ExecutionPath path,
                                     std::optional<std::chrono::nanoseconds> deadline) {
    const CallResult call =
            executeOn(requests_[states_.turn()], {.path = path, .deadline = deadline});
    if (call.status == nn::ErrorStatus::NONE) {
        states_.advance();
    }
    ExecutionResult result{.status = call.status,
                           .outputDimensions = {},
                           .timeOnDeviceUs = call.timing.timeOnDevice,
                           .timeInDriverUs = call.timing.timeInDriver,
                           .begin = call.begin,
                           .end = call.end};
    for (const nn12::OutputShape& shape : call.outputShapes) {
        result.outputDimensions.emplace_back(shape.dimensions);
    }
    return result;
}

/// All executions on the burst path share one burst, because their pools are the same.
CallResult ModelRunner::executeOn(const nn::Request& request, const ExecutionOptions& options) {
    if (options.path != ExecutionPath::kBurst) {
        return sim::execute(context_, preparedModel_, request, options);
    }
    if (burst_ == nullptr) {
        burst_ = BurstSeries::begin(context_, preparedModel_);
    }
    return burst_ == nullptr ? CallResult() : burst_->execute(request, options);
}

}  // namespace vnpu::sim
