// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/burst_executor.h"

#include <fmt/format.h>
#include <vnpu/hal/duplicate_handle.h>

#include <utility>

#include "driver/execution/hal_status.h"
#include "driver/hal/hal_conversion.h"
#include "driver/memory/pool_cache.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_memory;

void BurstExecutor::addCacheEntry(const hidl_memory& memory, std::int32_t slot) {
    const DriverLog& log = prepared_->runtime().log();
    if (entries_.size() >= kMaxSlots) {
        log.line(fmt::format("burst: slot {} is one more than {}", slot, kMaxSlots));
        return;
    }
    auto own = hal::duplicateMemory(memory);
    if (!own) {
        log.line(fmt::format("burst: memory of slot {}: {}", slot, own.error()));
        return;
    }
    Entry entry{std::move(*own), nullptr};
    if (PoolKey::of(entry.memory)) {
        auto mapping = PoolMapping::create(prepared_->context().poolTarget(), entry.memory,
                                           PoolMapping::Use::kRequest);
        if (mapping) {
            entry.mapping = std::move(*mapping);
        }  // otherwise an execution that needs the memory reports the reason
    }
    entries_.insert_or_assign(slot, std::move(entry));
}

Result<BoundRequest> BurstExecutor::bind(const nn::V1_0::Request& request,
                                         const std::vector<std::int32_t>& slots) const {
    nn::V1_0::Request complete{request.inputs, request.outputs, {}};
    complete.pools.resize(slots.size());
    std::vector<std::shared_ptr<const PoolMapping>> mappings(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto found = entries_.find(slots[i]);
        if (found == entries_.end()) {
            return invalidArgument(fmt::format("slot {} stands for no memory", slots[i]));
        }
        const hidl_memory& memory = found->second.memory;
        complete.pools[i] = hidl_memory(memory.name(), memory.handle(), memory.size());
        // A file may have become too small for its mapping since.
        if (PoolKey::of(memory)) {
            mappings[i] = found->second.mapping;
        }
    }
    return prepared_->bind(borrowRequest(complete), std::move(mappings));
}

hal::BurstResult BurstExecutor::execute(const nn::V1_0::Request& request,
                                        const std::vector<std::int32_t>& slots,
                                        nn::V1_2::MeasureTiming measure) {
    DeviceRuntime& runtime = prepared_->runtime();
    CallScope call(runtime.environment(), "executeBurst", prepared_->context().uid());
    const ExecutionOptions options{.isMeasured = measure == nn::V1_2::MeasureTiming::YES,
                                   .deadline = std::nullopt,
                                   .arrival = runtime.port().now(),
                                   .loopTimeout = kDefaultLoopTimeout,
                                   .callId = call.id()};
    auto bound = bind(request, slots);
    const ExecutionResult result = bound ? prepared_->execute(*bound, options)
                                         : failedExecution(call.refuse(bound.error()));
    call.end(result.status);
    return {toHal10Status(result.status), result.outputShapes, result.timing};
}

}  // namespace vnpu::driver
