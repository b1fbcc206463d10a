// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/delegate.h"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

#include "sim/tflite_delegate/int_array.h"

namespace vnpu::sim::tflite_delegate {

namespace {

abi::TfLiteStatus prepareDelegate(abi::TfLiteContext* context, abi::TfLiteDelegate* handle) {
    return guarded(*context, Delegate::of(*handle).log(),
                   [&] { Delegate::of(*handle).prepare(*context); });
}

}  // namespace

Delegate::Delegate(const Options& options, std::shared_ptr<DelegateDevice> device,
                   const abi::TfLiteRegistration& kernel)
    : options_(options),
      device_(std::move(device)),
      kernel_(kernel),
      log_(options.log, options.reportFile) {
    handle_.data_ = this;
    handle_.Prepare = prepareDelegate;
    handle_.flags = options.takesDynamic ? abi::kTfLiteDelegateFlagsAllowDynamicTensors
                                         : abi::kTfLiteDelegateFlagsNone;
}

std::unique_ptr<Delegate> Delegate::create(const Options& options,
                                           const abi::TfLiteRegistration& kernel) {
    return std::unique_ptr<Delegate>(new Delegate(options, DelegateDevice::open(options), kernel));
}

void Delegate::prepare(abi::TfLiteContext& context) {
    Choice choice = chooseNodes(context, device_, options_);
    log_.report(choice);
    if (choice.chosen.empty()) {
        return;
    }
    {
        const std::lock_guard guard(mutex_);
        ready_[&context] = std::move(choice.subsets);
    }
    const IntArray nodes(choice.chosen);
    const abi::TfLiteStatus status =
            context.ReplaceNodeSubsetsWithDelegateKernels(&context, kernel_, nodes.get(), &handle_);
    {
        const std::lock_guard guard(mutex_);
        ready_.erase(&context);  // what no kernel took
    }
    if (status != abi::kTfLiteOk) {
        throw std::runtime_error("the interpreter does not replace the nodes");
    }
}

std::unique_ptr<CompiledSubset> Delegate::takeSubset(abi::TfLiteContext& context,
                                                     const abi::TfLiteDelegateParams& params) {
    const std::vector<int> numbers(params.nodes_to_replace->begin(),
                                   params.nodes_to_replace->end());
    {
        const std::lock_guard guard(mutex_);
        if (const auto graph = ready_.find(&context); graph != ready_.end()) {
            if (auto subset = graph->second.extract(numbers)) {
                return std::move(subset.mapped());
            }
        }
    }
    ImportOutcome outcome = importSubset(context, subsetOf(context, params), options_);
    if (!outcome.subset) {
        throw std::runtime_error(outcome.error);
    }
    return std::make_unique<CompiledSubset>(device_, std::move(*outcome.subset), options_);
}

}  // namespace vnpu::sim::tflite_delegate
