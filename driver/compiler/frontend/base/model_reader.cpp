// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/model_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "driver/compiler/ir/shape.h"

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperandLifeTime;

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

bool ModelReader::isConstant(std::uint32_t index) const {
    const OperandLifeTime lifetime = operand(index).lifetime;
    return lifetime == OperandLifeTime::CONSTANT_COPY ||
           lifetime == OperandLifeTime::CONSTANT_REFERENCE;
}

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
    if (!isConstant(index)) {
        return untiled();
    }
    const auto& location = operand(index).location;
    auto bytes = operand(index).lifetime == OperandLifeTime::CONSTANT_REFERENCE
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

Checked<std::uint32_t> OperationReader::scalarBits(std::size_t i) const {
    VNPU_TRY_ASSIGN(const auto bytes, model_.constant(inputOperand(i)));
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof(bits)));
    return bits;
}

Checked<std::int32_t> OperationReader::int32(std::size_t i) const {
    VNPU_TRY_ASSIGN(const auto bits, scalarBits(i));
    return static_cast<std::int32_t>(bits);
}

Checked<float> OperationReader::float32(std::size_t i) const {
    VNPU_TRY_ASSIGN(const auto bits, scalarBits(i));
    return std::bit_cast<float>(bits);
}

Checked<bool> OperationReader::boolean(std::size_t i) const {
    if (isOmitted(i)) {
        return false;
    }
    VNPU_TRY_ASSIGN(const auto bits, scalarBits(i));
    return bits != 0;
}

Checked<std::uint32_t> OperationReader::extent(std::size_t i, std::uint32_t least) const {
    VNPU_TRY_ASSIGN(const auto value, int32(i));
    if (value < static_cast<std::int32_t>(least) ||
        value > static_cast<std::int32_t>(kMostWindowExtent)) {
        return untiled();
    }
    return static_cast<std::uint32_t>(value);
}

Checked<Activation> OperationReader::activation(std::size_t i) const {
    VNPU_TRY_ASSIGN(const auto code, int32(i));
    if (code < 0 || code > 3) {
        return untiled();
    }
    return static_cast<Activation>(code);
}

Checked<std::uint32_t> OperationReader::axis(std::size_t i, std::size_t rank) const {
    if (isOmitted(i)) {
        return resolveAxis(-1, rank);
    }
    VNPU_TRY_ASSIGN(const auto argument, int32(i));
    return resolveAxis(argument, rank);
}

Checked<std::vector<std::int32_t>> OperationReader::int32s(std::size_t i) const {
    VNPU_TRY_ASSIGN(const auto bytes, model_.constant(inputOperand(i)));
    std::vector<std::int32_t> values(bytes.size() / sizeof(std::int32_t));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(std::int32_t));
    return values;
}

Checked<std::uint32_t> resolveAxis(std::int32_t axis, std::size_t rank) {
    const auto signedRank = static_cast<std::int32_t>(rank);
    if (axis < -signedRank || axis >= signedRank) {
        return untiled();
    }
    return static_cast<std::uint32_t>(axis < 0 ? axis + signedRank : axis);
}

}  // namespace vnpu::driver
