// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "driver/execution/hal_status.h"
#include "driver/hal/npu_device.h"

// Compilation caching of HAL 1.2 and 1.3. The client's files are read or written within the call;
// the driver keeps no reference to them.

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::Return;
using android::hardware::Void;

Return<void> NpuDevice::getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) {
    callback(nn::V1_0::ErrorStatus::NONE, kModelCacheFiles, kDataCacheFiles);
    return Void();
}

CacheKey NpuDevice::keyOf(const CacheToken& token) const {
    CacheKey key{.token = {}, .configuration = cacheConfiguration_};
    std::copy_n(token.data(), key.token.size(), key.token.begin());
    return key;
}

void NpuDevice::save(const Wanted& wanted, const PreparedModel& prepared) const {
    if (wanted.cache == nullptr ||
        (wanted.cache->modelCache.size() == 0 && wanted.cache->dataCache.size() == 0)) {
        return;
    }
    const auto files = borrowDescriptors(wanted.cache->modelCache, wanted.cache->dataCache);
    Result<void> saved = files ? Result<void>() : tl::unexpected(files.error());
    if (saved) {
        const std::vector<PoolView> constants = prepared.constants();
        const std::shared_ptr<const CompiledModel> compiled = prepared.compiled();
        saved = saveToCache(*files, keyOf(wanted.cache->token),
                            {.model = prepared.model(),
                             .pools = constants,
                             .compiled = compiled.get(),
                             .priority = wanted.priority,
                             .checkpointCycles = prepared.checkpointCycles(),
                             .preference = wanted.preference});
    }
    if (!saved) {
        runtime_->log().line(std::string(wanted.call) +
                             ": prepared, but not cached: " + saved.error().reason);
    }
}

NpuDevice::Prepared NpuDevice::prepareFromCache(const Wanted& wanted) {
    CallScope call(runtime_->environment(), wanted.call);
    const auto files = borrowDescriptors(wanted.cache->modelCache, wanted.cache->dataCache);
    auto cached =
            files ? loadFromCache(*files, keyOf(wanted.cache->token), runtime_->info().memoryBytes)
                  : tl::unexpected(files.error());
    if (!cached) {
        const ErrorStatus status = call.refuse(cached.error());
        return {.launchStatus = status, .status = status, .model = nullptr};
    }
    auto prepared = prepareValid(cached->model,
                                 {.priority = cached->priority,
                                  .preference = cached->preference,
                                  .checkpointCycles = cached->checkpointCycles,
                                  .deadline = termsOf(wanted).deadline},
                                 call.uid(), std::move(cached->compiled));
    if (!prepared) {
        return {.launchStatus = ErrorStatus::NONE,
                .status = call.refuse(prepared.error()),
                .model = nullptr};
    }
    return {.model = std::move(*prepared)};
}

Return<nn::V1_0::ErrorStatus> NpuDevice::prepareModelFromCache(const Handles& modelCache,
                                                               const Handles& dataCache,
                                                               const CacheToken& token,
                                                               const Hal12Callback& callback) {
    if (callback == nullptr) {
        return toHal10Status(CallScope(runtime_->environment(), "prepareModelFromCache")
                                     .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"}));
    }
    const CacheArguments cache{modelCache, dataCache, token};
    const Prepared prepared =
            prepareFromCache({.call = "prepareModelFromCache", .deadline = {}, .cache = &cache});
    static_cast<void>(callback->notify_1_2(toHal10Status(prepared.status), prepared.model).isOk());
    return toHal10Status(prepared.launchStatus);
}

Return<ErrorStatus> NpuDevice::prepareModelFromCache_1_3(const OptionalTimePoint& deadline,
                                                         const Handles& modelCache,
                                                         const Handles& dataCache,
                                                         const CacheToken& token,
                                                         const Hal13Callback& callback) {
    if (callback == nullptr) {
        return CallScope(runtime_->environment(), "prepareModelFromCache_1_3")
                .refuse({ErrorStatus::INVALID_ARGUMENT, "callback is null"});
    }
    const CacheArguments cache{modelCache, dataCache, token};
    const Prepared prepared = prepareFromCache(
            {.call = "prepareModelFromCache_1_3", .deadline = deadline, .cache = &cache});
    static_cast<void>(callback->notify_1_3(prepared.status, prepared.model).isOk());
    return prepared.launchStatus;
}

}  // namespace vnpu::driver
