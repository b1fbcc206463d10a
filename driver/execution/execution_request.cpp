// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/execution_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/execution/hal_status.h"
#include "driver/validation/pool_names.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;

namespace {

using Pool = nn::V1_3::Request::MemoryPool;

/// Whether a buffer may be used like this, whatever its contents.
Result<void> checkUse(const BufferPlan& plan, const BufferUse& use,
                      const android::hardware::hidl_vec<std::uint32_t>& dimensions) {
    if (!plan.allows(use)) {
        return invalidArgument(fmt::format(
                "{} {}: buffer was not allocated for this",
                use.direction == BufferDirection::kInput ? "input" : "output", use.index));
    }
    if (auto combined = combineDimensions(plan.dimensions, dimensions); !combined) {
        return failAt(fmt::format("argument {} in a buffer", use.index), combined.error());
    }
    return {};
}

/// Binds the arguments of a request: memory is mapped when first needed, tokens are looked up at
/// once.
class Binder {
  public:
    Binder(const nn::V1_3::Request& request, const RequestTarget& target,
           std::vector<std::shared_ptr<const PoolMapping>> mappings)
        : request_(request),
          target_(target),
          mappings_(std::move(mappings)),
          buffers_(request.pools.size()) {
        mappings_.resize(request.pools.size());
    }

    /// INVALID_ARGUMENT for a token that is none of this caller's.
    Result<void> findBuffers() {
        for (std::size_t i = 0; i < request_.pools.size(); ++i) {
            const Pool& pool = request_.pools[i];
            if (pool.getDiscriminator() != Pool::hidl_discriminator::token) {
                continue;
            }
            buffers_[i] = target_.buffers.find(pool.token());
            if (buffers_[i] == nullptr || buffers_[i]->plan().context.get() != &target_.context) {
                return invalidArgument(fmt::format(
                        "request pool {}: caller has no buffer with token {}", i, pool.token()));
            }
        }
        return {};
    }

    Result<BoundArgument> bind(const nn::V1_0::RequestArgument& argument, const BufferUse& use) {
        BoundArgument bound;
        bound.hasNoValue = argument.hasNoValue;
        if (argument.hasNoValue) {
            return bound;
        }
        bound.dimensions = argument.dimensions;
        const std::uint32_t index = argument.location.poolIndex;
        if (buffers_[index] != nullptr) {
            VNPU_TRY(checkUse(buffers_[index]->plan(), use, argument.dimensions));
            bound.buffer = buffers_[index];
            return bound;
        }
        const android::hardware::hidl_memory& memory = request_.pools[index].hidlMemory();
        if (mappings_[index] == nullptr) {
            Context& context = target_.context;
            auto mapped = context.pools().map(context.poolTarget(), memory);
            if (!mapped) {
                return failAt(fmt::format("request pool {}", index), mapped.error());
            }
            mappings_[index] = std::move(*mapped);
        }
        bound.pool = mappings_[index];
        bound.offsetBytes = argument.location.offset;
        bound.lengthBytes =
                isWholeBuffer(memory) ? bound.pool->operandBytes() : argument.location.length;
        bound.rows = bound.pool->rows();
        return bound;
    }

  private:
    const nn::V1_3::Request& request_;
    const RequestTarget& target_;
    std::vector<std::shared_ptr<const PoolMapping>> mappings_;
    std::vector<std::shared_ptr<DeviceBuffer>> buffers_;  // null for memory
};

/// A buffer that is written must not be used twice.
Result<void> checkWrittenOnce(const BoundRequest& bound) {
    std::vector<const DeviceBuffer*> used;
    for (const BoundArgument& input : bound.inputs) {
        used.push_back(input.buffer.get());
    }
    for (std::size_t i = 0; i < bound.outputs.size(); ++i) {
        const DeviceBuffer* buffer = bound.outputs[i].buffer.get();
        if (buffer != nullptr && std::find(used.begin(), used.end(), buffer) != used.end()) {
            return invalidArgument(
                    fmt::format("output {} is in a buffer that the request uses twice", i));
        }
        used.push_back(buffer);
    }
    return {};
}

}  // namespace

Result<BoundRequest> bindRequest(const nn::V1_3::Request& request, const RequestTarget& target,
                                 std::vector<std::shared_ptr<const PoolMapping>> mappings) {
    Binder binder(request, target, std::move(mappings));
    VNPU_TRY(binder.findBuffers());
    BoundRequest bound;
    BufferUse use{target.model, BufferDirection::kInput, 0};
    for (const auto& argument : request.inputs) {
        use.index = static_cast<std::uint32_t>(bound.inputs.size());
        VNPU_TRY_ASSIGN(auto input, binder.bind(argument, use));
        bound.inputs.push_back(std::move(input));
    }
    use.direction = BufferDirection::kOutput;
    for (const auto& argument : request.outputs) {
        use.index = static_cast<std::uint32_t>(bound.outputs.size());
        VNPU_TRY_ASSIGN(auto output, binder.bind(argument, use));
        if (output.pool != nullptr && !output.pool->isWritable()) {
            return invalidArgument(fmt::format("output {} lies in pool {}, which is read-only",
                                               bound.outputs.size(), argument.location.poolIndex));
        }
        bound.outputs.push_back(std::move(output));
    }
    VNPU_TRY(checkWrittenOnce(bound));
    VNPU_TRY_ASSIGN(bound.claim, target.context.share().claimExecution());
    return bound;
}

ExecutionResult failedExecution(ErrorStatus status) {
    return {.status = status, .outputShapes = {}, .timing = noTiming()};
}

}  // namespace vnpu::driver
