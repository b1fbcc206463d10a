// SPDX-License-Identifier: Apache-2.0
#pragma once

// AOSP's own header takes precedence if it is on the include path too, before or after this one.
#pragma GCC system_header  // include_next is an extension
#if __has_include_next(<ExecutionBurstController.h>)
#include_next <ExecutionBurstController.h>
#else

#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

namespace vnpu::hal {
class ExecutionBurstController;
}

namespace android::nn {

/// The client's end of a burst, under the name that programs written for AOSP use. The burst lasts
/// as long as this object. One execution at a time; any thread. In the library
/// neuralnetworks_common, on vnpu::hal::ExecutionBurstController.
class ExecutionBurstController {
    using IPreparedModel = hardware::neuralnetworks::V1_2::IPreparedModel;
    using MeasureTiming = hardware::neuralnetworks::V1_2::MeasureTiming;
    using OutputShape = hardware::neuralnetworks::V1_2::OutputShape;
    using Request = hardware::neuralnetworks::V1_0::Request;
    using Timing = hardware::neuralnetworks::V1_2::Timing;

  public:
    /// `pollingTimeWindow` is how long an execution polls for its result before it sleeps. Null if
    /// the prepared model refuses the burst; the log has the reason.
    static std::unique_ptr<ExecutionBurstController> create(
            const sp<IPreparedModel>& preparedModel, std::chrono::microseconds pollingTimeWindow);
    ~ExecutionBurstController();

    /// Executes the request; `memoryIds` names its pools in order. Returns a result code of NNAPI
    /// (0: no error), the shapes of the outputs, the timing, and whether nothing was executed and
    /// another path may succeed.
    std::tuple<int, std::vector<OutputShape>, Timing, bool> compute(
            const Request& request, MeasureTiming measure, const std::vector<intptr_t>& memoryIds);

    /// Releases the memory of the id. No execution may be using it.
    void freeMemory(intptr_t memoryId);

  private:
    explicit ExecutionBurstController(
            std::unique_ptr<vnpu::hal::ExecutionBurstController> controller);

    const std::unique_ptr<vnpu::hal::ExecutionBurstController> controller_;
};

}  // namespace android::nn

#endif
