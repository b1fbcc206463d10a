// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/conformance.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "driver/compiler/compiler.h"
#include "sim/conform/compare.h"
#include "sim/conform/vector_model.h"
#include "sim/error.h"

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;
using android::hardware::hidl_vec;

constexpr std::chrono::nanoseconds kEndlessLoopTimeout = 1ms;  // source: NNAPI HAL VTS

ExampleOutcome failed(std::string detail) {
    return {Verdict::kFailed, std::move(detail), ""};
}

struct Support {
    nn::ErrorStatus status = nn::ErrorStatus::GENERAL_FAILURE;
    std::vector<bool> operations;
};

Support askSupport(ClientContext& context, const nn::Model& model) {
    Support support;
    const auto done = context.device()->getSupportedOperations_1_3(
            model, [&](nn::ErrorStatus status, const hidl_vec<bool>& operations) {
                support.status = status;
                support.operations.assign(operations.begin(), operations.end());
            });
    if (!done.isOk()) {
        support.status = nn::ErrorStatus::GENERAL_FAILURE;
    }
    return support;
}

/// The driver's reason for the first operation that it does not take.
ExampleOutcome unsupported(ClientContext& context, const nn::Model& model,
                           const std::vector<bool>& operations) {
    ExampleOutcome outcome{Verdict::kUnsupported, "", ""};
    const auto first = static_cast<std::size_t>(
            std::find(operations.begin(), operations.end(), false) - operations.begin());
    outcome.unsupportedOperation = nameOf(model.main.operations[first].type);
    outcome.detail = fmt::format("operation {} ({})", first, outcome.unsupportedOperation);
    if (const auto device = driver::DeviceInfo::read(context.port())) {
        const auto reasons = driver::findUnsupported(model, *device);
        if (first < reasons.size() && !reasons[first].empty()) {
            outcome.detail += ": " + reasons[first];
        }
    }
    return outcome;
}

/// Whether the vectors give an output's shape in full.
bool areOutputsKnown(const Example& example) {
    const auto& outputs = example.main.outputs;
    return std::all_of(outputs.begin(), outputs.end(), [&](std::uint32_t output) {
        const auto& dimensions = example.main.operands[output].dimensions;
        return std::find(dimensions.begin(), dimensions.end(), 0U) == dimensions.end();
    });
}

/// Empty, or what is wrong with the shapes that the execution reported.
std::string checkShapes(const Example& example, const CallResult& result) {
    const auto& outputs = example.main.outputs;
    if (result.outputShapes.empty() && areOutputsKnown(example)) {
        return "";
    }
    if (result.outputShapes.size() != outputs.size()) {
        return fmt::format("{} output shapes, expected {}", result.outputShapes.size(),
                           outputs.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const nn12::OutputShape& shape = result.outputShapes[i];
        const auto& expected = example.main.operands[outputs[i]].dimensions;
        if (!shape.isSufficient) {
            return fmt::format("output {}: reported as insufficient", i);
        }
        if (!std::equal(shape.dimensions.begin(), shape.dimensions.end(), expected.begin(),
                        expected.end())) {
            return fmt::format(
                    "output {}: shape is {}, expected {}", i,
                    describeDimensions({shape.dimensions.data(), shape.dimensions.size()}),
                    describeDimensions(expected));
        }
    }
    return "";
}

std::string checkOutputs(const Example& example, const ExampleRequest& request) {
    if (example.multinomialTolerance > 0.0) {
        return compareMultinomial(example, request.outputs.argument(0));
    }
    const bool loose = isLoose(example);
    for (std::size_t i = 0; i < example.main.outputs.size(); ++i) {
        const ExampleOperand& expected = example.main.operands[example.main.outputs[i]];
        if (expected.isIgnored) {
            continue;
        }
        const auto difference = compareResult(expected, request.outputs.argument(i), loose);
        if (difference) {
            return fmt::format("output {}: {}", i, difference->describe());
        }
    }
    return "";
}

bool hasLoop(const Example& example) {
    return std::any_of(example.main.operations.begin(), example.main.operations.end(),
                       [](const ExampleOperation& operation) {
                           return operation.type == nn::OperationType::WHILE;
                       });
}

bool isMissedDeadline(nn::ErrorStatus status) {
    return status == nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
           status == nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT;
}

/// An example that has to be refused or to fail. It got through getSupportedOperations.
ExampleOutcome runFailing(ClientContext& context, const Example& example, const nn::Model& model,
                          ExecutionPath path) {
    const PrepareResult prepared = prepareModel(context, model, nn::Priority::MEDIUM);
    const bool isEndless = hasLoop(example);
    if (prepared.status != nn::ErrorStatus::NONE) {
        return isEndless ? failed(fmt::format("preparation: {}, expected NONE",
                                              nameOf(prepared.status)))
                         : ExampleOutcome{};
    }
    const ExampleRequest request = makeRequest(example);
    ExecutionOptions options{.path = path, .measuresTiming = false};
    if (isEndless) {
        options.loopTimeout = kEndlessLoopTimeout;
    }
    const CallResult result = execute(context, prepared.preparedModel, request.request, options);
    if (result.status == nn::ErrorStatus::NONE || (isEndless && !isMissedDeadline(result.status))) {
        return failed(fmt::format("execution: {}, expected {}", nameOf(result.status),
                                  isEndless ? "a missed deadline" : "a failure"));
    }
    if (!result.outputShapes.empty()) {
        return failed("execution failed as expected, but reports output shapes");
    }
    return {};
}

}  // namespace

ExampleOutcome runExample(ClientContext& context, const Example& example, ExecutionPath path) {
    const nn::Model model = makeModel(example);
    const Support support = askSupport(context, model);
    if (support.status != nn::ErrorStatus::NONE) {
        return example.expectsFailure
                       ? ExampleOutcome{}
                       : failed(fmt::format("getSupportedOperations: {}, expected NONE",
                                            nameOf(support.status)));
    }
    if (support.operations.size() != model.main.operations.size()) {
        return failed(fmt::format("getSupportedOperations: {} answers, expected {}",
                                  support.operations.size(), model.main.operations.size()));
    }
    if (std::find(support.operations.begin(), support.operations.end(), false) !=
        support.operations.end()) {
        return unsupported(context, model, support.operations);
    }
    if (example.expectsFailure) {
        return runFailing(context, example, model, path);
    }
    const PrepareResult prepared = prepareModel(context, model, nn::Priority::MEDIUM);
    if (prepared.status != nn::ErrorStatus::NONE) {
        return failed(fmt::format("preparation: {}, expected NONE", nameOf(prepared.status)));
    }
    const ExampleRequest request = makeRequest(example);
    const CallResult result = execute(context, prepared.preparedModel, request.request,
                                      {.path = path, .measuresTiming = false});
    if (result.status != nn::ErrorStatus::NONE) {
        return failed(fmt::format("execution: {}, expected NONE", nameOf(result.status)));
    }
    std::string problem = checkShapes(example, result);
    if (problem.empty()) {
        problem = checkOutputs(example, request);
    }
    return problem.empty() ? ExampleOutcome{} : failed(std::move(problem));
}

std::vector<std::string> findVectorFiles(const std::string& folder) {
    namespace fs = std::filesystem;
    std::error_code error;
    if (fs::is_regular_file(folder, error)) {
        return {folder};
    }
    std::vector<std::string> files;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
        if (it->path().extension() == ".cbor") {
            files.push_back(it->path().string());
        }
    }
    if (error) {
        throw InputError(fmt::format("{}: cannot be read: {}", folder, error.message()));
    }
    if (files.empty()) {
        throw InputError(fmt::format("{}: there is no .cbor file, expected NNAPI vectors", folder));
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace vnpu::sim
