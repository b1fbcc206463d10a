// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/recorded_execution.h"

#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/sync.h>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>

#include "sim/conform/compare.h"

namespace vnpu::test {

namespace {

namespace nn = sim::nn;
namespace nn10 = sim::nn10;
namespace nn12 = sim::nn12;
using android::sp;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;

class Callback : public nn::IExecutionCallback {
  public:
    Callback(RecordedExecution& record, std::unique_ptr<driver::HostEvent> event)
        : record_(record), event_(std::move(event)) {}

    Return<void> notify(nn10::ErrorStatus) override {
        FAIL("1.3 executions answer in words of 1.3");
        return Void();
    }
    Return<void> notify_1_2(nn10::ErrorStatus, const hidl_vec<nn12::OutputShape>&,
                            const nn12::Timing&) override {
        FAIL("1.3 executions answer in words of 1.3");
        return Void();
    }
    Return<void> notify_1_3(nn::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                            const nn12::Timing& timing) override {
        record_.status = status;
        record_.shapes = shapes;
        record_.timing = timing;
        ++record_.answers;
        event_->set();
        return Void();
    }
    void wait() { event_->wait(); }

  private:
    RecordedExecution& record_;
    std::unique_ptr<driver::HostEvent> event_;
};

void executeSync(const sp<nn::IPreparedModel>& model, const nn::Request& request,
                 const RecordingOptions& options, RecordedExecution& record) {
    const auto done = model->executeSynchronously_1_3(
            request, options.measure, options.deadline, {},
            [&](nn::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                const nn12::Timing& timing) {
                record.status = status;
                record.shapes = shapes;
                record.timing = timing;
                ++record.answers;
            });
    CHECK(done.isOk());
    record.launch = record.status;
}

void executeFenced(sim::ClientContext& context, const sp<nn::IPreparedModel>& model,
                   const nn::Request& request, const RecordingOptions& options,
                   RecordedExecution& record) {
    sp<nn::IFencedExecutionCallback> info;
    const auto done = model->executeFenced(request, options.waitFor, options.measure,
                                           options.deadline, {}, {},
                                           [&](nn::ErrorStatus status, const hidl_handle& fence,
                                               const sp<nn::IFencedExecutionCallback>& callback) {
                                               record.launch = status;
                                               record.fence = fence;
                                               info = callback;
                                               ++record.answers;
                                           });
    CHECK(done.isOk());
    record.hasInfo = info != nullptr;
    record.status = record.launch;
    if (info == nullptr) {
        return;
    }
    while (record.fence.getNativeHandle() != nullptr && sync_wait(record.fence->data[0], 0) != 0) {
        context.sleepUntil(context.now() + std::chrono::microseconds(10));
    }
    CHECK(info->getExecutionInfo([&](nn::ErrorStatus status, const nn12::Timing& launched,
                                     const nn12::Timing& fenced) {
                  record.status = status;
                  record.timing = launched;
                  CHECK((fenced.timeInDriver <= launched.timeInDriver));
              }).isOk());
}

}  // namespace

bool RecordedExecution::isSilent() const {
    return shapes.empty() && timing.timeOnDevice == UINT64_MAX && timing.timeInDriver == UINT64_MAX;
}

bool RecordedExecution::isRefused(sim::ExecutionPath path, nn::ErrorStatus expected) const {
    if (path == sim::ExecutionPath::kFenced && (fence.getNativeHandle() != nullptr || hasInfo)) {
        return false;
    }
    return launch == expected && status == expected && answers == 1 && isSilent();
}

RecordedExecution recordExecution(sim::ClientContext& context, const sp<nn::IPreparedModel>& model,
                                  const nn::Request& request, const RecordingOptions& options) {
    RecordedExecution record;
    if (options.path == sim::ExecutionPath::kSync) {
        executeSync(model, request, options, record);
    } else if (options.path == sim::ExecutionPath::kFenced) {
        executeFenced(context, model, request, options, record);
    } else {
        const sp<Callback> callback(new Callback(record, context.createEvent()));
        record.launch =
                model->execute_1_3(request, options.measure, options.deadline, {}, callback);
        callback->wait();  // a refusal is reported twice
    }
    return record;
}

std::string compareOutputs(const sim::Example& example, const sim::ExampleRequest& request) {
    for (std::size_t i = 0; i < example.main.outputs.size(); ++i) {
        const sim::ExampleOperand& expected = example.main.operands[example.main.outputs[i]];
        if (expected.isIgnored) {
            continue;
        }
        if (const auto difference = compareResult(expected, request.output(i), isLoose(example))) {
            return fmt::format("output {}: {}", i, difference->describe());
        }
    }
    return "";
}

}  // namespace vnpu::test
