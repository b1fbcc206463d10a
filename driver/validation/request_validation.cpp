// SPDX-License-Identifier: Apache-2.0
#include "driver/validation/request_validation.h"

#include <algorithm>
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

Result<void> checkArgument(const RequestArgument& argument, const Operand& operand,
                           const Pools& pools) {
    if (argument.hasNoValue) {
        return checkNoValue(argument);
    }
    VNPU_TRY(checkLocation(argument.location, pools));
    return combine(operand, argument).map([](const Dimensions&) {});
}

Result<void> checkArguments(const android::hardware::hidl_vec<RequestArgument>& arguments,
                            const android::hardware::hidl_vec<std::uint32_t>& indexes,
                            const Model& model, const Pools& pools, const char* what) {
    if (arguments.size() != indexes.size()) {
        return broken("request has {} {}s, the model {}", arguments.size(), what, indexes.size());
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        VNPU_TRY(within(checkArgument(arguments[i], model.main.operands[indexes[i]], pools),
                        "{} {}", what, i));
    }
    return {};
}

/// Of checked arguments.
bool isInBuffer(const RequestArgument& argument, const Pools& pools) {
    return !argument.hasNoValue && isToken(pools[argument.location.poolIndex]);
}

bool hasOutputInBuffer(const Request& request) {
    return std::any_of(
            request.outputs.begin(), request.outputs.end(),
            [&](const RequestArgument& output) { return isInBuffer(output, request.pools); });
}

/// Of checked arguments. A buffer knows the shape of its contents.
Result<void> checkInputSizes(const Request& request, const Model& model) {
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const RequestArgument& input = request.inputs[i];
        if (input.hasNoValue || isInBuffer(input, request.pools)) {
            continue;
        }
        const Operand& operand = model.main.operands[model.main.inputIndexes[i]];
        VNPU_TRY_ASSIGN(const auto dimensions, combine(operand, input));
        std::optional<std::uint32_t> length;
        if (!isWholeBuffer(request.pools[input.location.poolIndex].hidlMemory())) {
            length = input.location.length;
        }
        auto checked = within(checkInputSize(operand, dimensions, length), "input {}", i);
        // Android's suite expects GENERAL_FAILURE here: the result of the shape that the request
        // gives would not fit the buffer either.
        if (!checked && hasOutputInBuffer(request) && input.dimensions.size() != 0 &&
            !sizeOfData(operand.type, operand.dimensions)) {
            checked.error().status = ErrorStatus::GENERAL_FAILURE;
        }
        VNPU_TRY(checked);
    }
    return {};
}

}  // namespace

Result<void> validateRequest(const Request& request, const Model& model) {
    VNPU_TRY(checkPools(request.pools));
    VNPU_TRY(
            checkArguments(request.inputs, model.main.inputIndexes, model, request.pools, "input"));
    VNPU_TRY(checkArguments(request.outputs, model.main.outputIndexes, model, request.pools,
                            "output"));
    return hasOutputInBuffer(request) ? Result<void>() : checkInputSizes(request, model);
}

Result<void> checkInputsForBuffers(const Request& request, const Model& model) {
    return hasOutputInBuffer(request) ? checkInputSizes(request, model) : Result<void>();
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
