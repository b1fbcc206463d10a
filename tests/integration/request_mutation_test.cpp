// SPDX-License-Identifier: Apache-2.0
// Requests that do not fit their model, derived from the NNAPI example models as in the HAL's
// suite, and fenced executions. The examples are not part of the repository.
#include <doctest/doctest.h>

#include <utility>

#include "sim/conform/result_checks.h"
#include "tests/integration/recorded_execution.h"
#include "tests/integration/supported_examples.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::test;
using android::hardware::hidl_handle;
using android::hardware::hidl_vec;
using Status = nn::ErrorStatus;

constexpr ExecutionPath kPaths[] = {ExecutionPath::kSync, ExecutionPath::kAsync,
                                    ExecutionPath::kFenced};

hidl_vec<nn10::RequestArgument> without(const hidl_vec<nn10::RequestArgument>& arguments,
                                        std::size_t index) {
    std::vector<nn10::RequestArgument> left(arguments.begin(), arguments.end());
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(index));
    return left;
}

void checkRefused(ClientContext& context, const android::sp<nn::IPreparedModel>& model,
                  const nn::Request& request) {
    for (const ExecutionPath path : kPaths) {
        const auto record = recordExecution(context, model, request,
                                            {.path = path, .measure = nn12::MeasureTiming::YES});
        CHECK(record.isRefused(path, Status::INVALID_ARGUMENT));
    }
}

}  // namespace

TEST_SUITE_BEGIN("integration/request_mutation");

TEST_CASE("a request without one of its inputs or outputs is refused on every path [MP-3]") {
    onSupportedExamples([](ClientContext& context, const Example& example, const nn::Model& model) {
        const auto prepared = prepareModel(context, model);
        REQUIRE(prepared.status == Status::NONE);
        const ExampleRequest request(example);
        for (std::size_t i = 0; i < request.request().inputs.size(); ++i) {
            nn::Request mutant = request.request();
            mutant.inputs = without(mutant.inputs, i);
            checkRefused(context, prepared.preparedModel, mutant);
        }
        for (std::size_t i = 0; i < request.request().outputs.size(); ++i) {
            nn::Request mutant = request.request();
            mutant.outputs = without(mutant.outputs, i);
            checkRefused(context, prepared.preparedModel, mutant);
        }
        CHECK(request.findStrayByte() == "");
    });
}

TEST_CASE("a fenced execution waits for another one, and refuses an invalid fence [Q-6]") {
    onSupportedExamples([](ClientContext& context, const Example& example, const nn::Model& model) {
        if (!areOutputsKnown(example)) {
            return;  // refused: a fence cannot report shapes
        }
        const auto prepared = prepareModel(context, model);
        REQUIRE(prepared.status == Status::NONE);
        RecordingOptions options{.path = ExecutionPath::kFenced};
        options.waitFor = {hidl_handle(nullptr)};
        const ExampleRequest request(example);
        CHECK(recordExecution(context, prepared.preparedModel, request.request(), options)
                      .isRefused(options.path, Status::INVALID_ARGUMENT));

        options.waitFor = {};
        options.measure = nn12::MeasureTiming::YES;
        const RecordedExecution first =
                recordExecution(context, prepared.preparedModel, request.request(), options);
        CHECK(first.status == Status::NONE);
        CHECK(first.hasInfo);
        CHECK(first.timing.timeOnDevice <= first.timing.timeInDriver);
        REQUIRE(first.fence.getNativeHandle() != nullptr);
        CHECK(first.fence->data[0] > 0);

        options.waitFor = {first.fence};
        options.measure = nn12::MeasureTiming::NO;
        const ExampleRequest again(example);
        const RecordedExecution second =
                recordExecution(context, prepared.preparedModel, again.request(), options);
        CHECK(second.status == Status::NONE);
        CHECK(second.isSilent());
        CHECK(compareOutputs(example, request) == "");
        CHECK(compareOutputs(example, again) == "");
    });
}

TEST_SUITE_END();
