// SPDX-License-Identifier: Apache-2.0
#include "driver/runtime/execution_request.h"

#include <fmt/format.h>

#include <utility>

#include "driver/runtime/hal_status.h"
#include "driver/validation/pool_names.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

/// The pools of a request, each mapped when first needed.
class RequestPools {
  public:
    RequestPools(const nn::V1_3::Request& request, Context& context)
        : request_(request), context_(context), mappings_(request.pools.size()) {}

    Result<std::shared_ptr<const PoolMapping>> mapping(std::uint32_t index) {
        if (mappings_[index] == nullptr) {
            auto mapped =
                    context_.pools().map(context_.poolTarget(), request_.pools[index].hidlMemory());
            if (!mapped) {
                return fail(mapped.error().status,
                            fmt::format("request pool {}: {}", index, mapped.error().reason));
            }
            mappings_[index] = std::move(*mapped);
        }
        return mappings_[index];
    }

    bool isWhole(std::uint32_t index) const {
        return isWholeBuffer(request_.pools[index].hidlMemory());
    }

  private:
    const nn::V1_3::Request& request_;
    Context& context_;
    std::vector<std::shared_ptr<const PoolMapping>> mappings_;
};

Result<BoundArgument> bindArgument(const nn::V1_0::RequestArgument& argument, RequestPools& pools) {
    BoundArgument bound;
    bound.hasNoValue = argument.hasNoValue;
    if (argument.hasNoValue) {
        return bound;
    }
    auto pool = pools.mapping(argument.location.poolIndex);
    if (!pool) {
        return tl::unexpected(std::move(pool.error()));
    }
    bound.pool = std::move(*pool);
    bound.offsetBytes = argument.location.offset;
    bound.lengthBytes = pools.isWhole(argument.location.poolIndex) ? bound.pool->bytes().size()
                                                                   : argument.location.length;
    bound.dimensions = argument.dimensions;
    return bound;
}

}  // namespace

Result<BoundRequest> bindRequest(const nn::V1_3::Request& request, Context& context) {
    RequestPools pools(request, context);
    BoundRequest bound;
    for (const auto& argument : request.inputs) {
        auto input = bindArgument(argument, pools);
        if (!input) {
            return tl::unexpected(std::move(input.error()));
        }
        bound.inputs.push_back(std::move(*input));
    }
    for (const auto& argument : request.outputs) {
        auto output = bindArgument(argument, pools);
        if (!output) {
            return tl::unexpected(std::move(output.error()));
        }
        if (!output->hasNoValue && !output->pool->isWritable()) {
            return invalidArgument(fmt::format("output {} lies in pool {}, which may only be read",
                                               bound.outputs.size(), argument.location.poolIndex));
        }
        bound.outputs.push_back(std::move(*output));
    }
    return bound;
}

ExecutionResult failedExecution(ErrorStatus status) {
    return {.status = status, .outputShapes = {}, .timing = noTiming()};
}

}  // namespace vnpu::driver
