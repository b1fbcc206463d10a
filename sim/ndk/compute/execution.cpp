// SPDX-License-Identifier: Apache-2.0
// The arguments and results of an execution. execution_compute.cpp has the computation.
#include "sim/ndk/compute/execution.h"

#include <algorithm>
#include <utility>

#include "driver/validation/operand_types.h"

namespace vnpu::sim::ndk {

using std::chrono::nanoseconds;

namespace {

constexpr nanoseconds kMostLoopTime{
        static_cast<std::int64_t>(nn::V1_3::LoopTimeoutDurationNs::MAXIMUM)};

bool isKnown(const Dimensions& shape, const nn::V1_3::Operand& operand) {
    const auto facts = driver::factsOf(operand.type);
    return (facts && facts->isScalar) ||
           (!shape.empty() && std::find(shape.begin(), shape.end(), 0U) == shape.end());
}

/// The shape that a type gives: all that the model knows of it, and sizes that the model left open.
Result<Dimensions> completedBy(const ANeuralNetworksOperandType& type, const Dimensions& known,
                               const char* what) {
    const std::span given(type.dimensions, type.dimensionCount);
    const Dimensions shape(given.begin(), given.end());
    if (known.empty()) {
        return shape;
    }
    if (shape.size() != known.size()) {
        return badData("type given with an {} has rank {}, expected that of the model: {}", what,
                       shape.size(), known.size());
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (known[i] != 0 && shape[i] != known[i]) {
            return badData(
                    "dimension {} of a type given with an {} is {}, expected that of the "
                    "model: {}",
                    i, what, shape[i], known[i]);
        }
    }
    return shape;
}

std::uint64_t toNanoseconds(std::uint64_t microseconds) {
    return microseconds >= UINT64_MAX / 1000 ? UINT64_MAX : microseconds * 1000;
}

}  // namespace

Execution::Execution(std::shared_ptr<const Compilation> compilation)
    : compilation_(std::move(compilation)),
      areInputsSet_(compilation_->model().hal.main.inputIndexes.size()),
      areOutputsSet_(compilation_->model().hal.main.outputIndexes.size()) {
    call_.inputs.resize(areInputsSet_.size());
    call_.outputs.resize(areOutputsSet_.size());
}

Result<void> Execution::checkIsOpen() const {
    if (state_ != State::kOpen) {
        return badState("execution has been started");
    }
    return {};
}

Result<Dimensions> Execution::shapeFrom(const nn::V1_3::Operand& operand, Type type,
                                        bool isInput) const {
    const char* const what = isInput ? "input" : "output";
    Dimensions shape = operand.dimensions;
    if (type != nullptr) {
        if (type->type != static_cast<std::int32_t>(operand.type) || type->scale != operand.scale ||
            type->zeroPoint != operand.zeroPoint) {
            return badData(
                    "type given with an {} is {} with scale {} and zero point {}, expected "
                    "that of the model: {}",
                    what, type->type, type->scale, type->zeroPoint, toString(operand));
        }
        const auto facts = driver::factsOf(operand.type);
        if (facts && facts->isScalar && type->dimensionCount != 0) {
            return badData("scalar {} gets {} dimensions", what, type->dimensionCount);
        }
        VNPU_TRY_ASSIGN(shape, completedBy(*type, shape, what));
    }
    if (isInput && !isKnown(shape, operand) && !driver::isExtension(operand.type)) {
        return badData("shape of an input is not fully known");
    }
    return shape;
}

Result<void> Execution::checkLength(const nn::V1_3::Operand& operand, const Dimensions& shape,
                                    std::size_t length) const {
    if (length > UINT32_MAX) {
        return badData("argument has {} bytes, expected less than 4 GiB", length);
    }
    const auto expected = driver::sizeOfData(operand.type, shape);
    if (expected && *expected != length) {
        return badData("argument has {} bytes, expected the {} of its shape", length, *expected);
    }
    return {};
}

void Execution::set(bool isInput, std::int32_t index, Argument argument) {
    const auto i = static_cast<std::size_t>(index);
    (isInput ? call_.inputs : call_.outputs)[i] = std::move(argument);
    (isInput ? areInputsSet_ : areOutputsSet_)[i] = true;
}

Result<void> Execution::setPointer(bool isInput, std::int32_t index, Type type, std::byte* pointer,
                                   std::size_t length) {
    VNPU_TRY(checkIsOpen());
    const auto* operand = compilation_->operandOf(isInput, static_cast<std::uint32_t>(index));
    if (operand == nullptr) {
        return badData("no {} {}", isInput ? "input" : "output", index);
    }
    Argument argument;
    argument.isAbsent = pointer == nullptr;
    if (!argument.isAbsent) {
        VNPU_TRY_ASSIGN(const Dimensions shape, shapeFrom(*operand, type, isInput));
        VNPU_TRY(checkLength(*operand, shape, length));
        argument.pointer = pointer;
        argument.length = static_cast<std::uint32_t>(length);
        if (type != nullptr) {
            argument.dimensions = shape;
        }
    }
    set(isInput, index, std::move(argument));
    return {};
}

Result<void> Execution::setMemory(bool isInput, std::int32_t index, Type type,
                                  const SharedMemory& memory, std::size_t offset,
                                  std::size_t length) {
    VNPU_TRY(checkIsOpen());
    const auto* operand = compilation_->operandOf(isInput, static_cast<std::uint32_t>(index));
    if (operand == nullptr) {
        return badData("no {} {}", isInput ? "input" : "output", index);
    }
    Argument argument;
    argument.memory = memory;
    if ((memory->image() || memory->roles() != nullptr) && (offset != 0 || length != 0)) {
        return badData("{} bytes at {} of an image or a memory from a description, expected 0 at 0",
                       length, offset);
    }
    if (!isInput && !memory->isWritable()) {
        return badData("memory of output {} cannot be written", index);
    }
    Dimensions shape;
    if (MemoryRoles* const roles = memory->roles(); roles != nullptr) {
        if (!roles->includes({compilation_, isInput, static_cast<std::uint32_t>(index)})) {
            return badData("memory was not described for {} {}", isInput ? "input" : "output",
                           index);
        }
        VNPU_TRY_ASSIGN(shape, shapeFrom(*operand, type, false));
        VNPU_TRY(asBadData(driver::combineDimensions(shape, roles->operand().dimensions),
                           "shape given with a memory"));
        length = argument.isWhole() ? 0 : memory->sizeBytes();
    } else {
        VNPU_TRY_ASSIGN(shape, shapeFrom(*operand, type, isInput));
        if (!argument.isWhole()) {
            VNPU_TRY(checkLength(*operand, shape, length));
            if (offset > memory->sizeBytes() || length > memory->sizeBytes() - offset ||
                offset > UINT32_MAX) {
                return badData("argument lies at {} with {} bytes, the memory has {}", offset,
                               length, memory->sizeBytes());
            }
        }
    }
    argument.offset = static_cast<std::uint32_t>(offset);
    argument.length = static_cast<std::uint32_t>(length);
    if (type != nullptr) {
        argument.dimensions = shape;
    }
    set(isInput, index, std::move(argument));
    return {};
}

Result<void> Execution::setMeasureTiming(bool isMeasured) {
    if (isMeasured && !compilation_->isForOneChosenDevice()) {
        return badData("timing of a compilation that is not for exactly one chosen device");
    }
    VNPU_TRY(checkIsOpen());
    call_.isMeasured = isMeasured;
    return {};
}

Result<void> Execution::setTimeout(nanoseconds duration) {
    if (!compilation_->isForOneChosenDevice()) {
        return badData("timeout for a compilation that is not for exactly one chosen device");
    }
    VNPU_TRY(checkIsOpen());
    timeout_ = duration;
    return {};
}

Result<void> Execution::setLoopTimeout(nanoseconds duration) {
    VNPU_TRY(checkIsOpen());
    call_.loopTimeout = std::min(duration, kMostLoopTime);
    return {};
}

Result<std::uint64_t> Execution::duration(std::int32_t code) {
    VNPU_TRY(checkIsComputed());
    if (!call_.isMeasured) {
        return badState("execution was not measured");
    }
    switch (code) {
        case ANEURALNETWORKS_DURATION_ON_HARDWARE:
            return toNanoseconds(outcome_.timing.timeOnDevice);
        case ANEURALNETWORKS_DURATION_IN_DRIVER:
            return toNanoseconds(outcome_.timing.timeInDriver);
        case ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE:
            return toNanoseconds(fencedTiming_.timeOnDevice);
        case ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER:
            return toNanoseconds(fencedTiming_.timeInDriver);
        default:
            return badData("duration code is {}, expected 0 to 3", code);
    }
}

Result<OutputShape> Execution::outputShape(std::int32_t index) {
    VNPU_TRY(checkIsComputed());
    if (compilation_->operandOf(false, static_cast<std::uint32_t>(index)) == nullptr) {
        return badData("no output {}", index);
    }
    const auto i = static_cast<std::size_t>(index);
    if (i >= outcome_.shapes.size()) {
        return badState("computation failed, so that output {} has no shape", index);
    }
    return outcome_.shapes[i];
}

}  // namespace vnpu::sim::ndk
