// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "driver/hal/npu_device.h"

// Compilation caching of HAL 1.2 and 1.3. The client's files are read or written within the call;
// the driver keeps no reference to them.

namespace vnpu::driver {

using android::hardware::Return;
using android::hardware::Void;

Return<void> NpuDevice::getNumberOfCacheFilesNeeded(getNumberOfCacheFilesNeeded_cb callback) {
    callback(hal10::ErrorStatus::NONE, kModelCacheFiles, kDataCacheFiles);
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
                             .terms = prepared.terms()});
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
        return invalid(call, cached.error());
    }
    return prepareValid(call, optionsFor(call, wanted, cached->terms), cached->model,
                        std::move(cached->compiled));
}

Return<hal10::ErrorStatus> NpuDevice::prepareModelFromCache(
        const Handles& modelCache, const Handles& dataCache, const CacheToken& token,
        const android::sp<hal12::IPreparedModelCallback>& callback) {
    const CacheArguments cache{modelCache, dataCache, token};
    const Wanted wanted{.call = "prepareModelFromCache", .cache = &cache};
    return toHal10Status(answer(callback, wanted, [&] { return prepareFromCache(wanted); }));
}

Return<ErrorStatus> NpuDevice::prepareModelFromCache_1_3(
        const OptionalTimePoint& deadline, const Handles& modelCache, const Handles& dataCache,
        const CacheToken& token, const android::sp<hal13::IPreparedModelCallback>& callback) {
    const CacheArguments cache{modelCache, dataCache, token};
    const Wanted wanted{.call = "prepareModelFromCache_1_3", .deadline = deadline, .cache = &cache};
    return answer(callback, wanted, [&] { return prepareFromCache(wanted); });
}

}  // namespace vnpu::driver
