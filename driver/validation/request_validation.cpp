// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/request_validation.h"

#include <optional>

#include "driver/validation/broken_rule.h"
#include "driver/validation/dimensions.h"
#include "driver/validation/operand_types.h"
#include "driver/validation/pool_names.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using nn::V1_0::RequestArgument;
using nn::V1_3::Model;
using nn::V1_3::Operand;
using nn::V1_3::Request;
using Pools = android::hardware::hidl_vec<Request::MemoryPool>;

namespace {

bool isToken(const Request::MemoryPool& pool) {
    return pool.getDiscriminator() == Request::MemoryPool::hidl_discriminator::token;
}

Result<void> checkPools(const Pools& pools) {
    for (std::size_t i = 0; i < pools.size(); ++i) {
        if (!isToken(pools[i])) {
            VNPU_TRY(checkPoolName(pools[i].hidlMemory(), i));
        }
    }
    return {};
}

Result<void> checkNoValue(const RequestArgument& argument) {
    const nn::V1_0::DataLocation& location = argument.location;
    if (location.poolIndex != 0 || location.offset != 0 || location.length != 0 ||
        argument.dimensions.size() != 0) {
        return broken(
                "has no value, but a location (pool {}, offset {}, length {}) or {} dimensions",
                location.poolIndex, location.offset, location.length, argument.dimensions.size());
    }
    return {};
}

Result<void> checkLocation(const nn::V1_0::DataLocation& location, const Pools& pools) {
    if (location.poolIndex >= pools.size()) {
        return broken("lies in pool {} of {}", location.poolIndex, pools.size());
    }
    const Request::MemoryPool& pool = pools[location.poolIndex];
    if (isToken(pool) || isWholeBuffer(pool.hidlMemory())) {
        if (location.offset != 0 || location.length != 0) {
            return broken("has {} bytes at {} of a {}, expected length 0 at 0 for all of it",
                          location.length, location.offset,
                          isToken(pool) ? "memory domain" : "hardware buffer");
        }
        return {};
    }
    if (location.length == 0) {
        return broken("has length 0");
    }
    const std::uint64_t poolBytes = pool.hidlMemory().size();
    const std::uint64_t end = std::uint64_t{location.offset} + location.length;
    if (end > poolBytes) {
        return broken("lies at {} to {} of pool {} with {} bytes", location.offset, end,
                      location.poolIndex, poolBytes);
    }
    return {};
}

/// The shape that model and request declare together.
Result<Dimensions> combine(const Operand& operand, const RequestArgument& argument) {
    const auto facts = factsOf(operand.type);
    if (facts && facts->isScalar && argument.dimensions.size() != 0) {
        return broken("is a scalar, but has {} dimensions", argument.dimensions.size());
    }
    return combineDimensions(operand.dimensions, argument.dimensions);
}

/// Without a length (of a hardware buffer) only the shape is checked.
Result<void> checkInputSize(const Operand& operand, const Dimensions& dimensions,
                            std::optional<std::uint32_t> length) {
    if (isExtension(operand.type) || operand.type == nn::V1_3::OperandType::OEM ||
        operand.type == nn::V1_3::OperandType::TENSOR_OEM_BYTE) {
        return {};
    }
    const auto expected = sizeOfData(operand.type, dimensions);
    if (!expected) {
        return broken("shape of an input is not fully known, or takes 4 GiB and more");
    }
    if (length && *length != *expected) {
        return broken("has {} bytes, expected {}", *length, *expected);
    }
    return {};
}

enum class Direction { kInput, kOutput };

Result<void> checkArgument(const RequestArgument& argument, const Operand& operand,
                           const Pools& pools, Direction direction) {
    if (argument.hasNoValue) {
        return checkNoValue(argument);
    }
    VNPU_TRY(checkLocation(argument.location, pools));
    VNPU_TRY_ASSIGN(const auto dimensions, combine(operand, argument));
    const Request::MemoryPool& pool = pools[argument.location.poolIndex];
    if (direction == Direction::kOutput || isToken(pool)) {  // a buffer knows its contents' shape
        return {};
    }
    std::optional<std::uint32_t> length;
    if (!isWholeBuffer(pool.hidlMemory())) {
        length = argument.location.length;
    }
    return checkInputSize(operand, dimensions, length);
}

Result<void> checkArguments(const android::hardware::hidl_vec<RequestArgument>& arguments,
                            const android::hardware::hidl_vec<std::uint32_t>& indexes,
                            const Model& model, const Pools& pools, Direction direction) {
    const char* what = direction == Direction::kInput ? "input" : "output";
    if (arguments.size() != indexes.size()) {
        return broken("request has {} {}s, the model {}", arguments.size(), what, indexes.size());
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        VNPU_TRY(within(
                checkArgument(arguments[i], model.main.operands[indexes[i]], pools, direction),
                "{} {}", what, i));
    }
    return {};
}

}  // namespace

Result<void> validateRequest(const Request& request, const Model& model) {
    VNPU_TRY(checkPools(request.pools));
    VNPU_TRY(checkArguments(request.inputs, model.main.inputIndexes, model, request.pools,
                            Direction::kInput));
    return checkArguments(request.outputs, model.main.outputIndexes, model, request.pools,
                          Direction::kOutput);
}

Result<void> checkLoopTimeout(const nn::V1_3::OptionalTimeoutDuration& duration) {
    using Kind = nn::V1_3::OptionalTimeoutDuration::hidl_discriminator;
    constexpr auto kMaximum = static_cast<std::uint64_t>(nn::V1_3::LoopTimeoutDurationNs::MAXIMUM);
    if (duration.getDiscriminator() == Kind::nanoseconds && duration.nanoseconds() > kMaximum) {
        return broken("loop timeout is {} ns, expected up to {}", duration.nanoseconds(), kMaximum);
    }
    return {};
}

}  // namespace vnpu::driver
