// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <vnpu/hal/caller_identity.h>
#include <vnpu/hal/shared_memory.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "driver/api/device.h"
#include "driver/hal/npu_device.h"
#include "tests/driver/support/fake_compiler.h"
#include "tests/driver/support/fake_device_port.h"

namespace vnpu::driver::test {

namespace nn = android::hardware::neuralnetworks;

/// Refusals for good, and until memory is free.
inline constexpr auto kNever = ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT;
inline constexpr auto kNotNow = ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT;

/// Records the calls of the driver.
class RecordingObserver : public DriverObserver {
  public:
    struct Call {
        std::string name;
        std::uint64_t id = 0;
        std::uint32_t uid = 0;
        std::optional<ErrorStatus> end;
    };

    void onCallBegin(std::chrono::nanoseconds now, std::string_view call, std::uint64_t id,
                     std::uint32_t uid) override;
    void onCallEnd(std::chrono::nanoseconds now, std::uint64_t id, ErrorStatus status) override;
    void onJobSubmitted(std::chrono::nanoseconds now, std::uint64_t jobId, std::uint64_t callId,
                        const CompiledModel& model) override;
    void onJobCompleted(std::chrono::nanoseconds now, std::uint64_t jobId,
                        ErrorStatus status) override;
    void onBufferPlaced(std::chrono::nanoseconds now, const BufferPlacement& placement) override;
    void onFaultReport(std::chrono::nanoseconds now, const FaultReport& report) override;
    void onLog(std::chrono::nanoseconds now, std::string_view line) override;

    std::vector<Call> calls() const;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> submitted() const;  // job, call
    std::vector<std::pair<std::uint64_t, ErrorStatus>> completed() const;
    std::vector<BufferPlacement> placements() const;
    std::vector<FaultReport> faults() const;
    /// Whether a line of the log holds `text`.
    bool hasLogged(std::string_view text) const;
    /// When the first line that holds `text` was logged; fails the test if there is none.
    std::chrono::nanoseconds timeOfLog(std::string_view text) const;

  private:
    mutable std::mutex mutex_;
    std::vector<Call> calls_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> submitted_;
    std::vector<std::pair<std::uint64_t, ErrorStatus>> completed_;
    std::vector<BufferPlacement> placements_;
    std::vector<FaultReport> faults_;
    std::vector<std::pair<std::chrono::nanoseconds, std::string>> lines_;
};

/// The results that an execution gave its caller, by any path.
struct Outcome {
    ErrorStatus launch = ErrorStatus::NONE;
    ErrorStatus status = ErrorStatus::NONE;
    std::vector<nn::V1_2::OutputShape> shapes;
    nn::V1_2::Timing timing{};
    int notifications = 0;
};

struct PrepareOutcome {
    ErrorStatus launch = ErrorStatus::NONE;
    ErrorStatus status = ErrorStatus::NONE;
    android::sp<nn::V1_3::IPreparedModel> model;
    int notifications = 0;
};

/// The driver on a fake device.
struct Service {
    explicit Service(DriverOptions options = {}, std::uint32_t residentKib = 0);

    PrepareOutcome prepare(const nn::V1_3::Model& model,
                           nn::V1_3::Priority priority = nn::V1_3::Priority::MEDIUM,
                           const nn::V1_3::OptionalTimePoint& deadline = {},
                           nn::V1_1::ExecutionPreference preference =
                                   nn::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER);
    DriverCounters counters() const { return countersOf(device); }
    /// Whether the device holds what it held at the start.
    bool isUntouched() const;

    FakeDevicePort port;
    FakeCompiler compiler;
    RecordingObserver observer;
    android::sp<nn::V1_3::IDevice> device;
    DriverCounters atStart;  // once booted
};

/// Makes the driver see calls as another app's for a scope.
struct CallerUid {
    explicit CallerUid(std::uint32_t uid) {
        hal::setCallerUidProvider([uid] { return uid; });
    }
    ~CallerUid() { hal::setCallerUidProvider({}); }
};

/// One RELU over `dimensions` of TENSOR_QUANT8_ASYMM.
nn::V1_3::Model reluModel(const std::vector<std::uint32_t>& dimensions);
/// The same with a constant in operandValues and one in a pool, of these values.
nn::V1_3::Model reluModelWithConstants(const std::vector<std::uint32_t>& dimensions,
                                       std::uint8_t copied,
                                       const android::hardware::hidl_memory& pool);

/// A pool of shared memory with a view of its bytes.
struct Pool {
    explicit Pool(std::uint64_t sizeBytes);

    std::uint8_t* bytes() const { return reinterpret_cast<std::uint8_t*>(view->data()); }

    android::hardware::hidl_memory memory;
    std::optional<hal::MappedPool> view;
};

nn::V1_0::RequestArgument argument(std::uint32_t pool, std::uint32_t offset, std::uint32_t length,
                                   const std::vector<std::uint32_t>& dimensions = {});
/// One input at the start of pool 0, one output at the start of pool 1.
nn::V1_3::Request requestOf(const Pool& input, const Pool& output, std::uint32_t lengthBytes);

inline constexpr std::uint32_t kReluBytes = 64;

/// A prepared RELU over kReluBytes, with pools for one execution.
struct ReadyRelu {
    ReadyRelu();

    nn::V1_3::Request request() const { return requestOf(input, output, kReluBytes); }
    bool isOutputRight() const;

    Service service;
    PrepareOutcome prepared;
    Pool input;
    Pool output;
};

Outcome executeSync(const android::sp<nn::V1_3::IPreparedModel>& model,
                    const nn::V1_3::Request& request,
                    nn::V1_2::MeasureTiming measure = nn::V1_2::MeasureTiming::NO,
                    const nn::V1_3::OptionalTimePoint& deadline = {});
/// Launches, and waits for the posted work.
Outcome executeAsync(Service& service, const android::sp<nn::V1_3::IPreparedModel>& model,
                     const nn::V1_3::Request& request,
                     nn::V1_2::MeasureTiming measure = nn::V1_2::MeasureTiming::NO,
                     const nn::V1_3::OptionalTimePoint& deadline = {});

nn::V1_3::OptionalTimePoint at(std::chrono::nanoseconds time);

}  // namespace vnpu::driver::test
