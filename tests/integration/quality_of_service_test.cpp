// SPDX-License-Identifier: Apache-2.0
// Priorities and deadlines as the HAL's suite requires them, on the NNAPI example models, which are
// not part of the repository.
#include <doctest/doctest.h>

#include <chrono>

#include "sim/conform/result_checks.h"
#include "tests/integration/recorded_execution.h"
#include "tests/integration/supported_examples.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::test;
using namespace std::chrono_literals;
using Status = nn::ErrorStatus;

constexpr std::chrono::nanoseconds kShort = 5ms;  // source: NNAPI HAL VTS
constexpr std::chrono::nanoseconds kUnlimited = std::chrono::nanoseconds::max();

nn::OptionalTimePoint at(std::chrono::nanoseconds time) {
    nn::OptionalTimePoint point;
    point.nanosecondsSinceEpoch(static_cast<std::uint64_t>(time.count()));
    return point;
}

/// Checks one execution with a deadline, whether or not the deadline is missed.
Status executeUntil(ClientContext& context, const android::sp<nn::IPreparedModel>& model,
                    const Example& example, ExecutionPath path, std::chrono::nanoseconds deadline) {
    const ExampleRequest request(example);
    const RecordedExecution record = recordExecution(context, model, request.request(),
                                                     {.path = path, .deadline = at(deadline)});
    CHECK(record.answers == 1);
    if (path != ExecutionPath::kSync) {
        CHECK(record.launch == Status::NONE);
    }
    CHECK(record.timing.timeOnDevice == UINT64_MAX);
    CHECK(record.timing.timeInDriver == UINT64_MAX);
    if (record.status == Status::NONE) {
        CHECK(compareOutputs(example, request) == "");
    } else {
        CHECK(isMissed(record.status));
        CHECK(record.shapes.empty());
    }
    return record.status;
}

}  // namespace

TEST_SUITE_BEGIN("integration/quality_of_service");

TEST_CASE("every NNAPI example is prepared with any priority and any deadline [Q-1] [Q-7]") {
    onSupportedExamples([](ClientContext& context, const Example&, const nn::Model& model) {
        for (const nn::Priority priority : {nn::Priority::LOW, nn::Priority::HIGH}) {
            CHECK(prepareModel(context, model, {.priority = priority}).status == Status::NONE);
        }
        const PrepareResult late = prepareModel(context, model, {.deadline = context.now()});
        CHECK(isMissed(late.status));
        CHECK(late.preparedModel == nullptr);
        for (const std::chrono::nanoseconds deadline : {context.now() + kShort, kUnlimited}) {
            CHECK(prepareModel(context, model, {.deadline = deadline}).status == Status::NONE);
        }
    });
}

TEST_CASE("every NNAPI example is correct or reports that it missed its deadline [Q-6] [Q-7]") {
    onSupportedExamples([](ClientContext& context, const Example& example, const nn::Model& model) {
        const auto prepared = prepareModel(context, model);
        REQUIRE(prepared.status == Status::NONE);
        for (const ExecutionPath path :
             {ExecutionPath::kSync, ExecutionPath::kAsync, ExecutionPath::kFenced}) {
            if (path == ExecutionPath::kFenced && !areOutputsKnown(example)) {
                continue;  // refused: a fence cannot report shapes
            }
            const auto execute = [&](std::chrono::nanoseconds deadline) {
                return executeUntil(context, prepared.preparedModel, example, path, deadline);
            };
            CHECK(isMissed(execute(context.now())));
            // The device computes these examples in microseconds.
            CHECK(execute(path == ExecutionPath::kAsync ? context.now() + kShort : kUnlimited) ==
                  Status::NONE);
        }
    });
}

TEST_CASE("invalid priorities are refused for every model [Q-7]") {
    onEdge([](ClientContext& context) {
        const nn::Model none;
        for (const int wrong : {-1, 3, 1000}) {
            const auto prepared =
                    prepareModel(context, none, {.priority = static_cast<nn::Priority>(wrong)});
            CHECK(prepared.status == Status::INVALID_ARGUMENT);
            CHECK(prepared.preparedModel == nullptr);
        }
    });
}

TEST_SUITE_END();
