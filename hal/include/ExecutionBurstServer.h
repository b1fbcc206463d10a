// SPDX-License-Identifier: Apache-2.0
#pragma once

// AOSP's own header takes precedence if it is on the include path too, before or after this one.
#pragma GCC system_header  // include_next is an extension
#if __has_include_next(<ExecutionBurstServer.h>)
#include_next <ExecutionBurstServer.h>
#else

#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

namespace android::nn {

using FmqRequestDescriptor =
        hardware::MQDescriptorSync<hardware::neuralnetworks::V1_2::FmqRequestDatum>;
using FmqResultDescriptor =
        hardware::MQDescriptorSync<hardware::neuralnetworks::V1_2::FmqResultDatum>;

/// The service's end of a burst, under the name that drivers written for AOSP use. Each burst has
/// a listening thread; the destructor waits for a running execution. Any thread. In the library
/// neuralnetworks_common, on vnpu::hal::ExecutionBurstServer.
class ExecutionBurstServer : public hardware::neuralnetworks::V1_2::IBurstContext {
    using ErrorStatus = hardware::neuralnetworks::V1_0::ErrorStatus;
    using IBurstCallback = hardware::neuralnetworks::V1_2::IBurstCallback;
    using IPreparedModel = hardware::neuralnetworks::V1_2::IPreparedModel;
    using MeasureTiming = hardware::neuralnetworks::V1_2::MeasureTiming;
    using OutputShape = hardware::neuralnetworks::V1_2::OutputShape;
    using Request = hardware::neuralnetworks::V1_0::Request;
    using Timing = hardware::neuralnetworks::V1_2::Timing;

  public:
    /// Executes the requests of a burst and caches the client's memories by slot. One call at a
    /// time.
    class IBurstExecutorWithCache {
      public:
        IBurstExecutorWithCache() = default;
        IBurstExecutorWithCache(const IBurstExecutorWithCache&) = delete;
        IBurstExecutorWithCache& operator=(const IBurstExecutorWithCache&) = delete;
        virtual ~IBurstExecutorWithCache() = default;

        virtual bool isCacheEntryPresent(int32_t slot) const = 0;
        /// The memory is untrusted and owned by the caller.
        virtual void addCacheEntry(const hardware::hidl_memory& memory, int32_t slot) = 0;
        /// Unknown slots are allowed.
        virtual void removeCacheEntry(int32_t slot) = 0;
        /// Runs a request whose pools are the memories of `slots`.
        virtual std::tuple<ErrorStatus, hardware::hidl_vec<OutputShape>, Timing> execute(
                const Request& request, const std::vector<int32_t>& slots,
                MeasureTiming measure) = 0;
    };

    /// `pollingTimeWindow` is how long the listener polls for the next request after each result
    /// before it sleeps. Null without a callback or an executor, and for channels that cannot be
    /// used; the log has the reason.
    static sp<ExecutionBurstServer> create(
            const sp<IBurstCallback>& callback, const FmqRequestDescriptor& requestChannel,
            const FmqResultDescriptor& resultChannel,
            std::shared_ptr<IBurstExecutorWithCache> executorWithCache,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0});
    /// Executes by executeSynchronously(). The burst holds a reference to the prepared model.
    static sp<ExecutionBurstServer> create(
            const sp<IBurstCallback>& callback, const FmqRequestDescriptor& requestChannel,
            const FmqResultDescriptor& resultChannel, IPreparedModel* preparedModel,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0});
    static sp<ExecutionBurstServer> create(
            const sp<IBurstCallback>& callback, const FmqRequestDescriptor& requestChannel,
            const FmqResultDescriptor& resultChannel, const sp<IPreparedModel>& preparedModel,
            std::chrono::microseconds pollingTimeWindow = std::chrono::microseconds{0}) {
        return create(callback, requestChannel, resultChannel, preparedModel.get(),
                      pollingTimeWindow);
    }

    /// Waits for a running execution.
    hardware::Return<void> freeMemory(int32_t slot) override;

  private:
    explicit ExecutionBurstServer(sp<IBurstContext> burst);

    const sp<IBurstContext> burst_;
};

}  // namespace android::nn

#endif
