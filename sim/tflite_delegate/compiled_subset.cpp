// SPDX-License-Identifier: Apache-2.0
#include "sim/tflite_delegate/compiled_subset.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/client/device_calls.h"
#include "sim/models/file_values.h"
#include "sim/models/operand_types.h"
#include "sim/tflite_delegate/compilation_cache.h"
#include "sim/tflite_delegate/int_array.h"

namespace vnpu::sim::tflite_delegate {

namespace {

/// The bytes of a tensor for the operand, which must be as many as its description says.
std::span<std::byte> bytesOf(const abi::TfLiteTensor& tensor,
                             const TensorDescription& description) {
    const std::uint64_t expected = fileBytes(description);
    if (tensor.data == nullptr || tensor.bytes != expected) {
        throw std::runtime_error(
                fmt::format("tensor {} has {} bytes{}, expected {}", description.name, tensor.bytes,
                            tensor.data == nullptr ? " and no memory" : "", expected));
    }
    return {static_cast<std::byte*>(tensor.data), tensor.bytes};
}

std::unique_ptr<ModelRunner> prepare(DelegateDevice& device, const ImportedSubset& subset,
                                     const Options& options) {
    ClientContext& context = device.context();
    const PrepareOptions how{.priority = options.priority, .preference = options.preference};
    PrepareResult prepared = options.cacheFolder.empty()
                                     ? prepareModel(context, subset.network.model, how)
                                     : prepareWithCache(context, subset, options, how);
    if (prepared.status != nn::ErrorStatus::NONE) {
        throw std::runtime_error(fmt::format("the device does not prepare them: {}{}",
                                             nameOf(prepared.status), device.lastReason()));
    }
    return ModelRunner::adopt(context, subset.network, std::move(prepared.preparedModel));
}

}  // namespace

CompiledSubset::CompiledSubset(std::shared_ptr<DelegateDevice> device, ImportedSubset subset,
                               const Options& options)
    : device_(std::move(device)),
      subset_(std::move(subset)),
      runner_(prepare(*device_, subset_, options)) {
    const bool relaxed = subset_.network.model.relaxComputationFloat32toFloat16;
    subset_.network.model = {};  // the device has it
    subset_.network.model.relaxComputationFloat32toFloat16 = relaxed;
    if (!options.takesDynamic) {
        subset_.file = {};
    }
}

bool CompiledSubset::fits(const abi::TfLiteContext& context) const {
    for (std::size_t i = 0; i < subset_.inputs.size(); ++i) {
        const auto shape = shapeOf(context.tensors[subset_.inputs[i]]);
        const auto& expected = subset_.network.inputs[i].dimensions;
        const bool isScalar = shape.empty() && elementCount(expected) == 1;
        if (shape != expected && !isScalar) {
            return false;
        }
    }
    return true;
}

std::unique_ptr<CompiledSubset> CompiledSubset::again(const abi::TfLiteContext& context,
                                                      const Options& options) const {
    return std::make_unique<CompiledSubset>(device_, importAgain(context, subset_), options);
}

void CompiledSubset::copyIn(const abi::TfLiteContext& context) {
    const auto copy = [&](int tensor, std::size_t input) {
        const TensorDescription& description = subset_.network.inputs[input];
        const auto bytes = bytesOf(context.tensors[tensor], description);
        if (description.fileType == FileType::kAsOperand) {
            std::copy(bytes.begin(), bytes.end(), runner_->input(input).begin());
        } else {
            const auto operand = operandFromFile(description, bytes);
            std::copy(operand.begin(), operand.end(), runner_->input(input).begin());
        }
    };
    for (std::size_t i = 0; i < subset_.inputs.size(); ++i) {
        copy(subset_.inputs[i], i);
    }
    for (std::size_t i = 0; i < subset_.states.size(); ++i) {
        copy(subset_.states[i], subset_.network.states[i].input);
    }
}

void CompiledSubset::copyOut(abi::TfLiteContext& context) {
    const auto copy = [&](int tensor, std::size_t output) {
        const TensorDescription& description = subset_.network.outputs[output];
        const auto bytes = bytesOf(context.tensors[tensor], description);
        const auto result = runner_->output(output);
        if (description.fileType == FileType::kAsOperand) {
            std::copy(result.begin(), result.end(), bytes.begin());
        } else {
            const auto file = fileFromOperand(description, result);
            std::copy(file.begin(), file.end(), bytes.begin());
        }
    };
    for (std::size_t i = 0; i < subset_.outputs.size(); ++i) {
        copy(subset_.outputs[i], i);
    }
    for (std::size_t i = 0; i < subset_.states.size(); ++i) {
        copy(subset_.states[i], subset_.network.states[i].output);
    }
}

void CompiledSubset::execute(abi::TfLiteContext& context, const Options& options) {
    copyIn(context);
    std::optional<std::chrono::nanoseconds> deadline;
    if (options.timeout) {
        deadline = device_->context().now() + *options.timeout;
    }
    const ExecutionResult run = runner_->execute(ExecutionPath::kSync, deadline);
    if (run.status != nn::ErrorStatus::NONE) {
        throw std::runtime_error(fmt::format("the execution ended with {}{}", nameOf(run.status),
                                             device_->lastReason()));
    }
    resizeOutputs(context, subset_);
    copyOut(context);
}

void resizeOutputs(abi::TfLiteContext& context, const ImportedSubset& subset) {
    for (std::size_t i = 0; i < subset.outputs.size(); ++i) {
        abi::TfLiteTensor& tensor = context.tensors[subset.outputs[i]];
        const auto& dimensions = subset.network.outputs[i].dimensions;
        const auto shape = shapeOf(tensor);
        const bool isScalar = shape.empty() && elementCount(dimensions) == 1;
        const bool hasMemory = tensor.allocation_type != abi::kTfLiteDynamic ||
                               tensor.bytes == fileBytes(subset.network.outputs[i]);
        if ((shape == dimensions || isScalar) && hasMemory) {
            continue;
        }
        IntArray size(std::vector<int>(dimensions.begin(), dimensions.end()));
        if (context.ResizeTensor(&context, &tensor, size.release()) != abi::kTfLiteOk) {
            throw std::runtime_error(fmt::format("tensor {} does not become {}",
                                                 subset.network.outputs[i].name,
                                                 describeDimensions(dimensions)));
        }
    }
}

}  // namespace vnpu::sim::tflite_delegate
