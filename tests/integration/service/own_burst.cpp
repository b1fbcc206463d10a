// SPDX-License-Identifier: Apache-2.0
// A driver and a client in one process that use bursts by AOSP's names. The program uses only the
// HAL's headers and the libraries with which it is linked. Returns 0 on success.
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <android/hidl/allocator/1.0/IAllocator.h>
#include <hidlmemory/mapping.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "ExecutionBurstController.h"
#include "ExecutionBurstServer.h"

namespace {

using ::android::sp;
using ::android::hidl::memory::V1_0::IMemory;
using ::android::nn::ExecutionBurstController;
using ::android::nn::ExecutionBurstServer;
using namespace ::android::hardware;
namespace V1_0 = ::android::hardware::neuralnetworks::V1_0;
namespace V1_2 = ::android::hardware::neuralnetworks::V1_2;
using V1_0::ErrorStatus;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::Timing;

const Timing kNoTiming = {UINT64_MAX, UINT64_MAX};

void require(bool isTrue, const char* what) {
    if (!isTrue) {
        std::fprintf(stderr, "failed: %s\n", what);
        std::exit(1);
    }
}

uint8_t& firstByte(const sp<IMemory>& memory) {
    return *static_cast<uint8_t*>(static_cast<void*>(memory->getPointer()));
}

/// The output's first byte is the input's plus one.
ErrorStatus increment(const sp<IMemory>& input, const sp<IMemory>& output) {
    if (input == nullptr || output == nullptr) {
        return ErrorStatus::INVALID_ARGUMENT;
    }
    firstByte(output) = static_cast<uint8_t>(firstByte(input) + 1);
    return ErrorStatus::NONE;
}

class BurstExecutorWithCache : public ExecutionBurstServer::IBurstExecutorWithCache {
  public:
    bool isCacheEntryPresent(int32_t slot) const override { return mMemories.count(slot) != 0; }
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        mMemories[slot] = mapMemory(memory);
    }
    void removeCacheEntry(int32_t slot) override { mMemories.erase(slot); }
    std::tuple<ErrorStatus, hidl_vec<OutputShape>, Timing> execute(
            const V1_0::Request& request, const std::vector<int32_t>& slots,
            MeasureTiming /*measure*/) override {
        const ErrorStatus status =
                increment(mMemories[slots[request.inputs[0].location.poolIndex]],
                          mMemories[slots[request.outputs[0].location.poolIndex]]);
        return {status, {}, kNoTiming};
    }

  private:
    std::map<int32_t, sp<IMemory>> mMemories;
};

class PreparedModel : public V1_2::IPreparedModel {
  public:
    PreparedModel(bool hasCache, std::chrono::microseconds window)
        : mHasCache(hasCache), mWindow(window) {}

    Return<ErrorStatus> execute(const V1_0::Request&,
                                const sp<V1_0::IExecutionCallback>&) override {
        return ErrorStatus::GENERAL_FAILURE;
    }
    Return<ErrorStatus> execute_1_2(const V1_0::Request&, MeasureTiming,
                                    const sp<V1_2::IExecutionCallback>&) override {
        return ErrorStatus::GENERAL_FAILURE;
    }
    Return<void> executeSynchronously(const V1_0::Request& request, MeasureTiming,
                                      executeSynchronously_cb cb) override {
        cb(increment(mapMemory(request.pools[request.inputs[0].location.poolIndex]),
                     mapMemory(request.pools[request.outputs[0].location.poolIndex])),
           {}, kNoTiming);
        return Void();
    }
    Return<void> configureExecutionBurst(
            const sp<V1_2::IBurstCallback>& callback,
            const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
            const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel,
            configureExecutionBurst_cb cb) override {
        const sp<V1_2::IBurstContext> burst =
                mHasCache ? ExecutionBurstServer::create(callback, requestChannel, resultChannel,
                                                         std::make_shared<BurstExecutorWithCache>(),
                                                         mWindow)
                          : ExecutionBurstServer::create(callback, requestChannel, resultChannel,
                                                         this, mWindow);
        if (burst == nullptr) {
            cb(ErrorStatus::GENERAL_FAILURE, {});
        } else {
            cb(ErrorStatus::NONE, burst);
        }
        return Void();
    }

  private:
    const bool mHasCache;
    const std::chrono::microseconds mWindow;
};

hidl_memory allocate() {
    hidl_memory memory;
    ::android::hidl::allocator::V1_0::IAllocator::getService("ashmem")->allocate(
            1, [&](bool isDone, const hidl_memory& made) {
                require(isDone, "ashmem gives memory");
                memory = made;
            });
    return memory;
}

void computeOn(const sp<V1_2::IPreparedModel>& model, std::chrono::microseconds window) {
    const std::unique_ptr<ExecutionBurstController> controller =
            ExecutionBurstController::create(model, window);
    require(controller != nullptr, "the model takes a burst");
    V1_0::Request request;
    request.inputs = {{.hasNoValue = false,
                       .location = {.poolIndex = 0, .offset = 0, .length = 1},
                       .dimensions = {}}};
    request.outputs = {{.hasNoValue = false,
                        .location = {.poolIndex = 1, .offset = 0, .length = 1},
                        .dimensions = {}}};
    request.pools = {allocate(), allocate()};
    const sp<IMemory> input = mapMemory(request.pools[0]);
    const sp<IMemory> output = mapMemory(request.pools[1]);
    for (uint8_t value = 0; value < 10; ++value) {
        firstByte(input) = value;
        const auto [code, shapes, timing, fallback] =
                controller->compute(request, MeasureTiming::NO, {100, 101});
        require(code == 0 && !fallback && shapes.empty(), "the execution succeeds");
        require(timing.timeOnDevice == UINT64_MAX, "no time was measured");
        require(firstByte(output) == value + 1, "the output is the input plus one");
        controller->freeMemory(101);
    }
}

void expectNull(const sp<V1_2::IPreparedModel>& model) {
    const ::android::nn::FmqRequestDescriptor requests;
    const ::android::nn::FmqResultDescriptor results;
    require(ExecutionBurstServer::create(nullptr, requests, results, model.get()) == nullptr,
            "there is no burst without a callback");
    ErrorStatus status = ErrorStatus::NONE;
    const auto returned = model->configureExecutionBurst(
            nullptr, requests, results,
            [&](ErrorStatus answer, const sp<V1_2::IBurstContext>&) { status = answer; });
    require(returned.isOk() && status == ErrorStatus::GENERAL_FAILURE, "the service says so");
    require(ExecutionBurstController::create(nullptr, {}) == nullptr,
            "there is no burst without a model");
}

}  // namespace

int main() {
    for (const bool hasCache : {false, true}) {
        for (const auto window : {std::chrono::microseconds{0}, std::chrono::microseconds{50}}) {
            computeOn(new PreparedModel(hasCache, window), window);
        }
        expectNull(new PreparedModel(hasCache, {}));
    }
    return 0;
}
