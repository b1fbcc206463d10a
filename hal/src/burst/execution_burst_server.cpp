// SPDX-License-Identifier: Apache-2.0
#include <ExecutionBurstServer.h>
#include <hidl/HidlInternal.h>
#include <vnpu/hal/burst_server.h>

#include <string>
#include <utility>

namespace android::nn {

namespace {

namespace V1_0 = hardware::neuralnetworks::V1_0;
namespace V1_2 = hardware::neuralnetworks::V1_2;
using Executor = ExecutionBurstServer::IBurstExecutorWithCache;

/// An executor of AOSP's interface, called through this project's.
class AdaptedExecutor : public vnpu::hal::IBurstExecutorWithCache {
  public:
    explicit AdaptedExecutor(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}

    bool isCacheEntryPresent(int32_t slot) const override {
        return executor_->isCacheEntryPresent(slot);
    }
    void addCacheEntry(const hardware::hidl_memory& memory, int32_t slot) override {
        executor_->addCacheEntry(memory, slot);
    }
    void removeCacheEntry(int32_t slot) override { executor_->removeCacheEntry(slot); }
    vnpu::hal::BurstResult execute(const V1_0::Request& request, const std::vector<int32_t>& slots,
                                   V1_2::MeasureTiming measure) override {
        const auto [status, shapes, timing] = executor_->execute(request, slots, measure);
        return {status, shapes, timing};
    }

  private:
    const std::shared_ptr<Executor> executor_;
};

template <typename Runner>
sp<V1_2::IBurstContext> createOrLog(const sp<V1_2::IBurstCallback>& callback,
                                    const FmqRequestDescriptor& requestChannel,
                                    const FmqResultDescriptor& resultChannel, Runner runner,
                                    std::chrono::microseconds pollingTimeWindow) {
    auto burst = vnpu::hal::ExecutionBurstServer::create(callback, requestChannel, resultChannel,
                                                         std::move(runner), pollingTimeWindow);
    if (!burst) {
        hardware::details::logError("burst: " + burst.error());
        return nullptr;
    }
    return *burst;
}

}  // namespace

ExecutionBurstServer::ExecutionBurstServer(sp<V1_2::IBurstContext> burst)
    : burst_(std::move(burst)) {}

sp<ExecutionBurstServer> ExecutionBurstServer::create(
        const sp<IBurstCallback>& callback, const FmqRequestDescriptor& requestChannel,
        const FmqResultDescriptor& resultChannel,
        std::shared_ptr<IBurstExecutorWithCache> executorWithCache,
        std::chrono::microseconds pollingTimeWindow) {
    std::shared_ptr<vnpu::hal::IBurstExecutorWithCache> executor;
    if (executorWithCache != nullptr) {
        executor = std::make_shared<AdaptedExecutor>(std::move(executorWithCache));
    }
    auto burst = createOrLog(callback, requestChannel, resultChannel, std::move(executor),
                             pollingTimeWindow);
    return burst == nullptr ? nullptr : new ExecutionBurstServer(std::move(burst));
}

sp<ExecutionBurstServer> ExecutionBurstServer::create(const sp<IBurstCallback>& callback,
                                                      const FmqRequestDescriptor& requestChannel,
                                                      const FmqResultDescriptor& resultChannel,
                                                      IPreparedModel* preparedModel,
                                                      std::chrono::microseconds pollingTimeWindow) {
    auto burst = createOrLog(callback, requestChannel, resultChannel,
                             sp<IPreparedModel>(preparedModel), pollingTimeWindow);
    return burst == nullptr ? nullptr : new ExecutionBurstServer(std::move(burst));
}

hardware::Return<void> ExecutionBurstServer::freeMemory(int32_t slot) {
    return burst_->freeMemory(slot);
}

}  // namespace android::nn
