// SPDX-License-Identifier: Apache-2.0
#include "sim/client/model_runner.h"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/client/burst_calls.h"
#include "sim/client/device_calls.h"
#include "sim/client/request_pool.h"
#include "sim/client/state_tensors.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kOperandAlignment = 64;  // chosen: one burst of the DMA

/// A pool with room for all tensors but the states.
RequestPool makePool(const std::vector<TensorDescription>& tensors,
                     std::span<const StatePair> states, std::uint32_t StatePair::*index) {
    std::vector<std::uint64_t> sizes;
    for (const TensorDescription& tensor : tensors) {
        if (tensor.sizeBytes == 0) {
            throw std::runtime_error(
                    fmt::format("{} has unknown dimensions, expected all known", tensor.name));
        }
        sizes.push_back(tensor.sizeBytes);
    }
    for (const StatePair& pair : states) {
        sizes[pair.*index] = 0;
    }
    return RequestPool::create(sizes, kOperandAlignment);
}

class PreparedRunner : public ModelRunner {
  public:
    PreparedRunner(ClientContext& context, const Network& network,
                   android::sp<nn::IPreparedModel> preparedModel, std::span<const StatePair> states)
        : context_(context),
          preparedModel_(std::move(preparedModel)),
          states_(context, preparedModel_, network, states),
          inputs_(makePool(network.inputs, states, &StatePair::input)),
          outputs_(makePool(network.outputs, states, &StatePair::output)),
          requests_{makeRequest(inputs_, network.inputs.size(), outputs_, network.outputs.size()),
                    makeRequest(inputs_, network.inputs.size(), outputs_, network.outputs.size())} {
        for (const std::size_t turn : {0U, 1U}) {
            states_.addTo(requests_[turn], turn);
        }
    }

    std::span<std::byte> input(std::size_t index) override { return inputs_.argument(index); }
    std::span<const std::byte> output(std::size_t index) const override {
        return outputs_.argument(index);
    }

    using ModelRunner::execute;
    ExecutionResult execute(ExecutionPath path,
                            std::optional<std::chrono::nanoseconds> deadline) override {
        const CallResult call =
                executeOn(requests_[states_.turn()], {.path = path, .deadline = deadline});
        if (call.status == nn::ErrorStatus::NONE) {
            states_.advance();
        }
        ExecutionResult result;
        result.status = call.status;
        for (const nn12::OutputShape& shape : call.outputShapes) {
            result.outputDimensions.emplace_back(shape.dimensions);
        }
        result.timeOnDeviceUs = call.timing.timeOnDevice;
        result.timeInDriverUs = call.timing.timeInDriver;
        result.begin = call.begin;
        result.end = call.end;
        return result;
    }

    android::sp<nn::IPreparedModel> preparedModel() const override { return preparedModel_; }

  private:
    /// All executions on the path of bursts share one burst, because their pools are the same.
    CallResult executeOn(const nn::Request& request, const ExecutionOptions& options) {
        if (options.path != ExecutionPath::kBurst) {
            return sim::execute(context_, preparedModel_, request, options);
        }
        if (burst_ == nullptr) {
            burst_ = BurstSeries::begin(context_, preparedModel_);
        }
        return burst_ == nullptr ? CallResult() : burst_->execute(request, options);
    }

    ClientContext& context_;
    android::sp<nn::IPreparedModel> preparedModel_;
    StateTensors states_;
    RequestPool inputs_, outputs_;
    nn::Request requests_[2];  // by turn of the states
    std::unique_ptr<BurstSeries> burst_;
};

}  // namespace

std::unique_ptr<ModelRunner> ModelRunner::prepare(ClientContext& context, const Network& network,
                                                  nn::Priority priority,
                                                  std::span<const StatePair> states,
                                                  nn11::ExecutionPreference preference) {
    PrepareResult prepared =
            prepareModel(context, network.model, {.priority = priority, .preference = preference});
    if (prepared.status != nn::ErrorStatus::NONE) {
        throw PrepareError(
                fmt::format("{} is not prepared: {}", network.name, nameOf(prepared.status)),
                prepared.status);
    }
    return std::make_unique<PreparedRunner>(context, network, std::move(prepared.preparedModel),
                                            states);
}

}  // namespace vnpu::sim
