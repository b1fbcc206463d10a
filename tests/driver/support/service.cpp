// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/support/service.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/driver/support/model_builder.h"

namespace vnpu::driver::test {

using android::sp;
using android::hardware::hidl_memory;
using android::hardware::Return;
using android::hardware::Void;

// ---- observer

void RecordingObserver::onCallBegin(std::chrono::nanoseconds, std::string_view call,
                                    std::uint64_t id, std::uint32_t uid) {
    const std::lock_guard guard(mutex_);
    calls_.push_back({std::string(call), id, uid, std::nullopt});
}

void RecordingObserver::onCallEnd(std::chrono::nanoseconds, std::uint64_t id, ErrorStatus status) {
    const std::lock_guard guard(mutex_);
    for (Call& call : calls_) {
        if (call.id == id) {
            call.end = status;
        }
    }
}

void RecordingObserver::onJobSubmitted(std::chrono::nanoseconds, std::uint64_t jobId,
                                       std::uint64_t callId, const CompiledModel&) {
    const std::lock_guard guard(mutex_);
    submitted_.emplace_back(jobId, callId);
}

void RecordingObserver::onJobCompleted(std::chrono::nanoseconds, std::uint64_t jobId,
                                       ErrorStatus status) {
    const std::lock_guard guard(mutex_);
    completed_.emplace_back(jobId, status);
}

void RecordingObserver::onBufferPlaced(std::chrono::nanoseconds, const BufferPlacement& placement) {
    const std::lock_guard guard(mutex_);
    placements_.push_back(placement);
}

void RecordingObserver::onFaultReport(std::chrono::nanoseconds /*now*/, const FaultReport& report) {
    const std::lock_guard guard(mutex_);
    faults_.push_back(report);
}

std::vector<FaultReport> RecordingObserver::faults() const {
    const std::lock_guard guard(mutex_);
    return faults_;
}

void RecordingObserver::onLog(std::chrono::nanoseconds now, std::string_view line) {
    const std::lock_guard guard(mutex_);
    lines_.emplace_back(now, line);
}

std::vector<RecordingObserver::Call> RecordingObserver::calls() const {
    const std::lock_guard guard(mutex_);
    return calls_;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> RecordingObserver::submitted() const {
    const std::lock_guard guard(mutex_);
    return submitted_;
}

std::vector<std::pair<std::uint64_t, ErrorStatus>> RecordingObserver::completed() const {
    const std::lock_guard guard(mutex_);
    return completed_;
}

std::vector<BufferPlacement> RecordingObserver::placements() const {
    const std::lock_guard guard(mutex_);
    return placements_;
}

bool RecordingObserver::hasLogged(std::string_view text) const {
    const std::lock_guard guard(mutex_);
    return std::any_of(lines_.begin(), lines_.end(), [&](const auto& entry) {
        return entry.second.find(text) != std::string::npos;
    });
}

std::chrono::nanoseconds RecordingObserver::timeOfLog(std::string_view text) const {
    const std::lock_guard guard(mutex_);
    const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const auto& entry) {
        return entry.second.find(text) != std::string::npos;
    });
    REQUIRE(found != lines_.end());
    return found->first;
}

// ---- service

namespace {

struct PrepareCallback : nn::V1_3::IPreparedModelCallback {
    explicit PrepareCallback(PrepareOutcome& told) : outcome(told) {}

    Return<void> notify(nn::V1_0::ErrorStatus, const sp<nn::V1_0::IPreparedModel>&) override {
        FAIL("1.3 preparations answer in words of 1.3");
        return Void();
    }
    Return<void> notify_1_2(nn::V1_0::ErrorStatus, const sp<nn::V1_2::IPreparedModel>&) override {
        FAIL("1.3 preparations answer in words of 1.3");
        return Void();
    }
    Return<void> notify_1_3(nn::V1_3::ErrorStatus status,
                            const sp<nn::V1_3::IPreparedModel>& model) override {
        outcome.status = status;
        outcome.model = model;
        ++outcome.notifications;
        return Void();
    }

    PrepareOutcome& outcome;
};

struct ExecutionCallback : nn::V1_3::IExecutionCallback {
    explicit ExecutionCallback(Outcome& told) : outcome(told) {}

    Return<void> notify(nn::V1_0::ErrorStatus) override { return Void(); }
    Return<void> notify_1_2(nn::V1_0::ErrorStatus,
                            const android::hardware::hidl_vec<nn::V1_2::OutputShape>&,
                            const nn::V1_2::Timing&) override {
        return Void();
    }
    Return<void> notify_1_3(nn::V1_3::ErrorStatus status,
                            const android::hardware::hidl_vec<nn::V1_2::OutputShape>& shapes,
                            const nn::V1_2::Timing& timing) override {
        outcome.status = status;
        outcome.shapes = shapes;
        outcome.timing = timing;
        ++outcome.notifications;
        return Void();
    }

    Outcome& outcome;
};

ModelBuilder reluBuilder(const std::vector<std::uint32_t>& dimensions) {
    ModelBuilder builder;
    const TensorSpec spec{kByte, dimensions, 0.5F};
    const std::uint32_t input = builder.input(spec);
    builder.operation(OperationType::RELU, {input}, builder.output(spec));
    return builder;
}

}  // namespace

Service::Service(DriverOptions options, std::uint32_t residentKib) {
    if (residentKib != 0) {
        port.addResidentMemory(residentKib);
    }
    port.setJobFunction(FakeCompiler::jobFunction());
    options.observer = &observer;
    auto runtime = DeviceRuntime::create(port, options);
    REQUIRE(runtime.has_value());
    device = new NpuDevice(std::move(*runtime), compiler.functions());
    atStart = counters();
}

PrepareOutcome Service::prepare(const nn::V1_3::Model& model, nn::V1_3::Priority priority,
                                const nn::V1_3::OptionalTimePoint& deadline,
                                nn::V1_1::ExecutionPreference preference) {
    PrepareOutcome outcome;
    const sp<PrepareCallback> callback = new PrepareCallback(outcome);
    outcome.launch =
            device->prepareModel_1_3(model, preference, priority, deadline, {}, {}, {}, callback);
    return outcome;
}

// ---- models and requests

nn::V1_3::Model reluModel(const std::vector<std::uint32_t>& dimensions) {
    return reluBuilder(dimensions).build();
}

nn::V1_3::Model reluModelWithConstants(const std::vector<std::uint32_t>& dimensions,
                                       std::uint8_t copied, const hidl_memory& pool) {
    ModelBuilder builder = reluBuilder(dimensions);
    builder.constant({OperandType::BOOL, {}}, {std::byte{copied}});
    builder.pooled({OperandType::BOOL, {}}, {std::byte{}});
    nn::V1_3::Model model = builder.build();
    model.pools = {pool};
    return model;
}

Pool::Pool(std::uint64_t sizeBytes) {
    auto created = hal::createSharedMemory(sizeBytes);
    REQUIRE(created.has_value());
    memory = std::move(*created);
    auto mapped = hal::MappedPool::create(memory);
    REQUIRE(mapped.has_value());
    view.emplace(std::move(*mapped));
}

nn::V1_0::RequestArgument argument(std::uint32_t pool, std::uint32_t offset, std::uint32_t length,
                                   const std::vector<std::uint32_t>& dimensions) {
    return {.hasNoValue = false,
            .location = {.poolIndex = pool, .offset = offset, .length = length},
            .dimensions = dimensions};
}

nn::V1_3::Request requestOf(const Pool& input, const Pool& output, std::uint32_t lengthBytes) {
    nn::V1_3::Request request;
    request.inputs = {argument(0, 0, lengthBytes)};
    request.outputs = {argument(1, 0, lengthBytes)};
    request.pools.resize(2);
    request.pools[0].hidlMemory(input.memory);
    request.pools[1].hidlMemory(output.memory);
    return request;
}

Outcome executeSync(const sp<nn::V1_3::IPreparedModel>& model, const nn::V1_3::Request& request,
                    nn::V1_2::MeasureTiming measure, const nn::V1_3::OptionalTimePoint& deadline) {
    Outcome outcome;
    const auto returned = model->executeSynchronously_1_3(
            request, measure, deadline, {},
            [&](ErrorStatus status,
                const android::hardware::hidl_vec<nn::V1_2::OutputShape>& shapes,
                const nn::V1_2::Timing& timing) {
                outcome.status = status;
                outcome.shapes = shapes;
                outcome.timing = timing;
                ++outcome.notifications;
            });
    CHECK(returned.isOk());
    CHECK_EQ(outcome.notifications, 1);
    return outcome;
}

Outcome executeAsync(Service& service, const sp<nn::V1_3::IPreparedModel>& model,
                     const nn::V1_3::Request& request, nn::V1_2::MeasureTiming measure,
                     const nn::V1_3::OptionalTimePoint& deadline) {
    Outcome outcome;
    const sp<ExecutionCallback> callback = new ExecutionCallback(outcome);
    outcome.launch = model->execute_1_3(request, measure, deadline, {}, callback);
    service.port.joinPosted();
    CHECK_EQ(outcome.notifications, 1);
    return outcome;
}

nn::V1_3::OptionalTimePoint at(std::chrono::nanoseconds time) {
    nn::V1_3::OptionalTimePoint point;
    point.nanosecondsSinceEpoch(static_cast<std::uint64_t>(time.count()));
    return point;
}

bool Service::isUntouched() const {
    const DriverCounters now = counters();
    return now.dmaBytes == atStart.dmaBytes && now.liveContexts == 0 && now.liveRings == 0 &&
           now.livePoolMappings == 0 && now.livePreparedModels == 0;
}

ReadyRelu::ReadyRelu()
    : prepared(service.prepare(reluModel({1, kReluBytes}))), input(kReluBytes), output(kReluBytes) {
    REQUIRE_EQ(prepared.status, ErrorStatus::NONE);
    for (std::uint32_t i = 0; i < kReluBytes; ++i) {
        input.bytes()[i] = static_cast<std::uint8_t>(3 * i);
    }
}

bool ReadyRelu::isOutputRight() const {
    return std::equal(input.bytes(), input.bytes() + kReluBytes, output.bytes());
}

}  // namespace vnpu::driver::test
