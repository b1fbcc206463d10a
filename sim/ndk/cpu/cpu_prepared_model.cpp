// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/cpu/cpu_prepared_model.h"

#include <cstring>
#include <utility>

#include "driver/validation/dimensions.h"

namespace vnpu::sim::ndk {

using hw::kernels::Tensor;

namespace {

constexpr std::chrono::nanoseconds kDefaultLoopTime{
        static_cast<std::int64_t>(nn::V1_3::LoopTimeoutDurationNs::DEFAULT)};

/// The value of an input, whose bytes stay in place where the kernels can use them.
Result<TensorValue> inputValue(const Argument& input, const nn::V1_3::Operand& operand) {
    nn::V1_3::Operand complete = operand;
    VNPU_TRY_ASSIGN(const Dimensions shape,
                    asBadData(driver::combineDimensions(operand.dimensions, input.dimensions),
                              "shape of an input"));
    complete.dimensions = shape;
    VNPU_TRY_ASSIGN(Tensor tensor, tensorOf(complete));
    if (operand.extraParams.getDiscriminator() ==
        nn::V1_2::Operand::ExtraParams::hidl_discriminator::channelQuant) {
        const auto& scales = operand.extraParams.channelQuant().scales;
        tensor.channelScales = {scales.data(), scales.size()};
    }
    tensor.isOmitted = input.isAbsent;
    if (input.isAbsent) {
        return TensorValue{std::move(tensor), nullptr};
    }
    const bool isImage = input.memory != nullptr && input.memory->image();
    const std::uint64_t length = isImage ? input.memory->sizeBytes() : input.length;
    if (length != tensor.sizeBytes()) {
        return badData("input has {} bytes, expected the {} of its shape", length,
                       tensor.sizeBytes());
    }
    if (!isImage) {
        return valueAt(tensor, input.bytes());
    }
    TensorValue value{std::move(tensor), allocateBytes(length)};
    if (value.storage == nullptr) {
        return failed(ANEURALNETWORKS_OUT_OF_MEMORY, "no memory for {} bytes", length);
    }
    value.tensor.data = reinterpret_cast<std::byte*>(value.storage.get());
    const hal::HardwareBufferLayout& layout = *input.memory->image();
    hal::copyRows(layout, value.tensor.data, layout.rowBytes, input.memory->bytes(),
                  layout.strideBytes);
    return value;
}

/// Takes a result to its place; false if there is too little room.
bool deliver(const Tensor& result, const Argument& output) {
    if (output.isAbsent) {
        return true;
    }
    const std::uint64_t bytes = result.sizeBytes();
    if (output.memory != nullptr && output.memory->image()) {
        const hal::HardwareBufferLayout& layout = *output.memory->image();
        if (bytes != layout.packedBytes()) {
            return false;
        }
        hal::copyRows(layout, output.memory->bytes(), layout.strideBytes, result.data,
                      layout.rowBytes);
        return true;
    }
    if (bytes > output.length) {
        return false;
    }
    if (bytes != 0) {
        std::memcpy(output.bytes(), result.data, bytes);
    }
    return true;
}

}  // namespace

CpuPreparedModel::CpuPreparedModel(std::shared_ptr<const FinishedModel> model)
    : model_(std::move(model)), constants_(constantsOf(*model_)) {}

Result<std::vector<TensorValue>> CpuPreparedModel::inputsOf(const Call& call) const {
    const nn::V1_3::Subgraph& graph = model_->hal.main;
    std::vector<TensorValue> inputs;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        VNPU_TRY_ASSIGN(auto value,
                        inputValue(call.inputs[i], graph.operands[graph.inputIndexes[i]]));
        inputs.push_back(std::move(value));
    }
    return inputs;
}

Result<CallOutcome> CpuPreparedModel::tryCompute(const Call& call) const {
    if (!constants_) {
        return tl::unexpected(constants_.error());
    }
    if (call.deadline && *call.deadline <= std::chrono::steady_clock::now()) {
        return failed(ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT, "deadline has passed already");
    }
    VNPU_TRY_ASSIGN(auto inputs, inputsOf(call));
    Interpreter interpreter(*model_, *constants_,
                            {.deadline = call.deadline,
                             .loopTimeout = call.loopTimeout.value_or(kDefaultLoopTime)});
    VNPU_TRY_ASSIGN(const auto results, interpreter.run(std::move(inputs)));
    CallOutcome outcome{ANEURALNETWORKS_NO_ERROR, {}, kNoTiming};
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Tensor& result = results[i].tensor;
        const bool isSufficient = deliver(result, call.outputs[i]);
        outcome.shapes.push_back(
                {Dimensions(result.dimensions.begin(), result.dimensions.end()), isSufficient});
        if (!isSufficient) {
            outcome.code = ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
        }
    }
    return outcome;
}

CallOutcome CpuPreparedModel::compute(const Call& call) {
    auto outcome = tryCompute(call);
    if (!outcome) {
        logLine("nnapi-reference: " + outcome.error().reason);
        return {.code = outcome.error().code, .shapes = {}};
    }
    return *std::move(outcome);
}

}  // namespace vnpu::sim::ndk
