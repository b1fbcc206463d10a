// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/model_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw_model/regs/tensor_type.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandLifeTime;
using android::hardware::neuralnetworks::V1_3::OperandType;

namespace {

Checked<std::span<const std::byte>> rangeOf(std::span<const std::byte> home, std::uint64_t offset,
                                            std::uint64_t sizeBytes) {
    if (offset > home.size() || sizeBytes > home.size() - offset) {
        return contradictory(fmt::format("a constant takes {} bytes at {} of {}", sizeBytes, offset,
                                         home.size()));
    }
    return home.subspan(offset, sizeBytes);
}

}  // namespace

Checked<std::span<const std::byte>> ModelReader::poolBytes(std::uint32_t pool, std::uint64_t offset,
                                                           std::uint64_t sizeBytes) const {
    if (!pools_) {
        return undetermined(fmt::format("constants in pool {} are not at hand", pool));
    }
    if (pool >= pools_->size()) {
        return contradictory(
                fmt::format("a constant lies in pool {}, the model has {}", pool, pools_->size()));
    }
    return rangeOf((*pools_)[pool], offset, sizeBytes);
}

Checked<std::span<const std::byte>> ModelReader::constant(std::uint32_t index) const {
    const Operand& value = operand(index);
    const auto& location = value.location;
    if (value.lifetime != OperandLifeTime::CONSTANT_COPY &&
        value.lifetime != OperandLifeTime::CONSTANT_REFERENCE) {
        return unsupported(fmt::format("operand {} is not a constant", index));
    }
    auto bytes = value.lifetime == OperandLifeTime::CONSTANT_REFERENCE
                         ? poolBytes(location.poolIndex, location.offset, location.length)
                         : rangeOf(std::as_bytes(std::span(model_.operandValues.data(),
                                                           model_.operandValues.size())),
                                   location.offset, location.length);
    if (!bytes) {
        bytes.error().reason = fmt::format("operand {}: {}", index, bytes.error().reason);
    }
    return bytes;
}

bool OperationReader::isOmitted(std::size_t i) const {
    return i >= inputCount() ||
           model_.operand(inputOperand(i)).lifetime == OperandLifeTime::NO_VALUE;
}

Checked<std::span<const std::byte>> OperationReader::scalar(std::size_t i, OperandType type,
                                                            std::string_view what) const {
    if (isOmitted(i)) {
        return unsupported(fmt::format("{} (input {}) is left out", what, i));
    }
    if (inputType(i) != type) {
        return unsupported(fmt::format("{} (input {}) is {}, expected {}", what, i,
                                       typeName(inputType(i)), typeName(type)));
    }
    auto bytes = model_.constant(inputOperand(i));
    if (!bytes) {
        bytes.error().reason = fmt::format("{} (input {}): {}", what, i, bytes.error().reason);
        return bytes;
    }
    if (bytes->size() < hw::elementBytes(static_cast<hw::TensorType>(type))) {
        return contradictory(fmt::format("{} (input {}) has {} bytes", what, i, bytes->size()));
    }
    return bytes;
}

Checked<std::int32_t> OperationReader::int32(std::size_t i, std::string_view what) const {
    VNPU_TRY_ASSIGN(const auto bytes, scalar(i, OperandType::INT32, what));
    std::int32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

Checked<std::int32_t> OperationReader::int32(std::size_t i, std::string_view what,
                                             std::int32_t byDefault) const {
    if (isOmitted(i)) {
        return byDefault;
    }
    return int32(i, what);
}

Checked<std::uint32_t> OperationReader::extent(std::size_t i, std::string_view what,
                                               std::uint32_t least) const {
    constexpr std::int32_t kMost = 65535;  // the command stream counts windows in 16 bits
    VNPU_TRY_ASSIGN(const auto value, int32(i, what));
    if (value < static_cast<std::int32_t>(least) || value > kMost) {
        return unsupported(fmt::format("{} is {}, expected {} to {}", what, value, least, kMost));
    }
    return static_cast<std::uint32_t>(value);
}

Checked<float> OperationReader::float32(std::size_t i, std::string_view what) const {
    VNPU_TRY_ASSIGN(const auto bytes, scalar(i, OperandType::FLOAT32, what));
    float value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

Checked<std::uint32_t> OperationReader::scalarBits(std::size_t i, std::string_view what) const {
    const OperandType type = isOmitted(i) ? OperandType::INT32 : inputType(i);
    const auto device = static_cast<hw::TensorType>(type);
    if (static_cast<std::uint32_t>(type) >= hw::kTensorTypeCount || !hw::isScalar(device)) {
        return unsupported(
                fmt::format("{} (input {}) is {}, expected a scalar", what, i, typeName(type)));
    }
    VNPU_TRY_ASSIGN(const auto bytes, scalar(i, type, what));
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data(), hw::elementBytes(device));
    return bits;
}

Checked<bool> OperationReader::boolean(std::size_t i, std::string_view what, bool byDefault) const {
    if (isOmitted(i)) {
        return byDefault;
    }
    VNPU_TRY_ASSIGN(const auto bytes, scalar(i, OperandType::BOOL, what));
    return bytes.front() != std::byte{0};
}

Checked<std::uint32_t> OperationReader::scalarBits(std::size_t i, OperandType type,
                                                   std::string_view what) const {
    VNPU_TRY_ASSIGN(const auto bytes, scalar(i, type, what));
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data(),
                std::min<std::size_t>(sizeof(bits),
                                      hw::elementBytes(static_cast<hw::TensorType>(type))));
    return bits;
}

Checked<std::vector<std::int32_t>> OperationReader::int32s(std::size_t i,
                                                           std::string_view what) const {
    if (isOmitted(i)) {
        return unsupported(fmt::format("{} (input {}) is left out", what, i));
    }
    if (inputType(i) != OperandType::TENSOR_INT32) {
        return unsupported(fmt::format("{} (input {}) is {}, expected TENSOR_INT32", what, i,
                                       typeName(inputType(i))));
    }
    auto bytes = model_.constant(inputOperand(i));
    if (!bytes) {
        return tl::unexpected(
                Refusal{bytes.error().kind, fmt::format("{}: {}", what, bytes.error().reason)});
    }
    std::vector<std::int32_t> values(bytes->size() / sizeof(std::int32_t));
    if (!values.empty()) {
        std::memcpy(values.data(), bytes->data(), values.size() * sizeof(std::int32_t));
    }
    return values;
}

Checked<std::uint32_t> OperationReader::axis(std::size_t i, std::size_t rank) const {
    VNPU_TRY_ASSIGN(const auto argument, int32(i, "axis"));
    return resolveAxis(argument, rank);
}

Checked<std::uint32_t> OperationReader::axis(std::size_t i, std::size_t rank,
                                             std::int32_t byDefault) const {
    return isOmitted(i) ? resolveAxis(byDefault, rank) : axis(i, rank);
}

Checked<Activation> OperationReader::activation(std::size_t i) const {
    VNPU_TRY_ASSIGN(const auto code, int32(i, "fused activation"));
    if (code < 0 || code > 3) {
        return unsupported(fmt::format("fused activation is {}, expected 0 to 3", code));
    }
    return static_cast<Activation>(code);
}

Checked<void> OperationReader::requireInputs(std::size_t least, std::size_t most) const {
    if (inputCount() < least || inputCount() > most || outputCount() != 1) {
        return unsupported(fmt::format("{} inputs and {} outputs, expected {} to {} and 1",
                                       inputCount(), outputCount(), least, most));
    }
    return {};
}

Checked<std::uint32_t> resolveAxis(std::int32_t axis, std::size_t rank) {
    const auto signedRank = static_cast<std::int32_t>(rank);
    if (axis < -signedRank || axis >= signedRank) {
        return unsupported(
                fmt::format("axis is {}, expected {} to {}", axis, -signedRank, signedRank - 1));
    }
    return static_cast<std::uint32_t>(axis < 0 ? axis + signedRank : axis);
}

std::string operationName(android::hardware::neuralnetworks::V1_3::OperationType type) {
    return toString(type);
}

std::string typeName(OperandType type) {
    return toString(type);
}

}  // namespace vnpu::driver
