// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "driver/compiler/compiler.h"
#include "sim/base/error.h"
#include "sim/conform/example_memory.h"
#include "sim/conform/quantization_twin.h"
#include "sim/conform/result_checks.h"
#include "sim/conform/vector_model.h"

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;
using MemoryOrProblem = tl::expected<std::unique_ptr<ExampleMemory>, std::string>;

constexpr std::chrono::nanoseconds kEndlessLoopTimeout = 1ms;  // source: NNAPI HAL VTS

ExampleOutcome failed(std::string detail) {
    return {VectorVerdict::kFailed, std::move(detail), ""};
}

/// The driver's reason for the first operation that it does not support.
ExampleOutcome unsupported(const nn::Model& model, const std::vector<bool>& operations) {
    ExampleOutcome outcome{VectorVerdict::kUnsupported, "", ""};
    const auto first = static_cast<std::size_t>(
            std::find(operations.begin(), operations.end(), false) - operations.begin());
    outcome.unsupportedOperation = nameOf(model.main.operations[first].type);
    outcome.detail = fmt::format("operation {} ({})", first, outcome.unsupportedOperation);
    const auto reasons = driver::findUnsupported(model);
    if (first < reasons.size() && !reasons[first].empty()) {
        outcome.detail = reasons[first];
    }
    return outcome;
}

bool hasLoop(const Example& example) {
    return std::any_of(example.main.operations.begin(), example.main.operations.end(),
                       [](const ExampleOperation& operation) {
                           return operation.type == nn::OperationType::WHILE;
                       });
}

bool isDeadlineStatus(nn::ErrorStatus status) {
    return status == nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
           status == nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT;
}

/// The first byte of an interrupted execution that differs from the undisturbed one; empty if all
/// are equal.
std::string compareBytes(const std::vector<std::vector<std::byte>>& actual,
                         const std::vector<std::vector<std::byte>>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto [a, b] = std::mismatch(actual[i].begin(), actual[i].end(), expected[i].begin(),
                                          expected[i].end());
        if (a != actual[i].end() || b != expected[i].end()) {
            return fmt::format("output {}: byte {} is not that of the undisturbed execution", i,
                               a - actual[i].begin());
        }
    }
    return "";
}

/// The first result that is not empty; later checks are not made.
template <typename... Checks>
std::string firstProblem(const Checks&... checks) {
    std::string problem;
    static_cast<void>(((problem = checks(), problem.empty()) && ...));
    return problem;
}

/// One example in one flavor, from getSupportedOperations to the comparison.
class ExampleRun {
  public:
    ExampleRun(const OpenSession& open, const Example& example, const Flavor& flavor,
               const Disturbance* disturbance)
        : example_(example),
          flavor_(flavor),
          disturbance_(disturbance),
          model_(makeModel(example, flavor.pools)),
          session_(open(flavor)) {
        if (flavor.leavesOutputsOpen()) {
            leaveOutputsOpen(model_);
        }
    }

    ExampleOutcome run() {
        const SupportAnswer support = session_->askSupport(model_);
        if (support.status != nn::ErrorStatus::NONE) {
            return example_.expectsFailure
                           ? ExampleOutcome{}
                           : failed(fmt::format("getSupportedOperations: {}, expected NONE",
                                                nameOf(support.status)));
        }
        if (support.operations.size() != model_.main.operations.size()) {
            return failed(fmt::format("getSupportedOperations: {} answers, expected {}",
                                      support.operations.size(), model_.main.operations.size()));
        }
        const bool isSupported = std::find(support.operations.begin(), support.operations.end(),
                                           false) == support.operations.end();
        if (!isSupported && !example_.expectsFailure) {
            return unsupported(model_, support.operations);
        }
        std::string problem = example_.expectsFailure ? runToFailure() : runToResult();
        ExampleOutcome outcome = problem.empty() ? ExampleOutcome{} : failed(std::move(problem));
        outcome.interruptions = interruptions_;
        return outcome;
    }

  private:
    using Outputs = std::vector<std::vector<std::byte>>;

    /// For an example that must be refused, or must fail in execution.
    std::string runToFailure() {
        const bool isEndless = hasLoop(example_);
        if (std::string problem = session_->prepare(model_); !problem.empty()) {
            return isEndless ? problem : "";
        }
        const auto execute = [&] { return executeToFailure(isEndless); };
        return firstProblem([&] { return timed(execute); }, [&] { return interrupted(execute); });
    }

    std::string executeToFailure(bool isEndless) {
        ExecutionOptions options{.path = flavor_.path, .measuresTiming = flavor_.isMeasured};
        if (isEndless) {
            options.loopTimeout = kEndlessLoopTimeout;
        }
        const auto memory = placeInPools(example_, flavor_.pools, OutputRoom::kExact);
        const CallResult result = session_->execute(memory->request(), options);
        // The results of bursts have HAL 1.0's statuses.
        const bool tellsDeadlines = flavor_.path != ExecutionPath::kBurst;
        if (result.status == nn::ErrorStatus::NONE ||
            (isEndless && tellsDeadlines && !isDeadlineStatus(result.status))) {
            return fmt::format("execution: {}, expected {}", nameOf(result.status),
                               isEndless ? "a missed deadline" : "a failure");
        }
        return checkSilence(result);
    }

    std::string runToResult() {
        Outputs outputs;
        const auto executeAgain = [&] {
            Outputs again;
            return firstProblem([&] { return executeInto(again); },
                                [&] { return compareBytes(again, outputs); });
        };
        return firstProblem(
                [&] { return session_->prepare(model_); },
                [&] { return flavor_.outputs == OutputKind::kShort ? executeShort() : ""; },
                [&] { return timed([&] { return executeInto(outputs); }); },
                [&] { return interrupted(executeAgain); });
    }

    MemoryOrProblem place() {
        if (flavor_.memory == MemoryKind::kDomains) {
            return placeInDomains(session_->createBuffers(), example_, flavor_.pools);
        }
        const bool isTight = flavor_.outputs == OutputKind::kTight;
        return placeInPools(example_, flavor_.pools,
                            isTight ? OutputRoom::kTight : OutputRoom::kExact);
    }

    /// Executes, checks the results and keeps their bytes.
    std::string executeInto(Outputs& outputs) {
        const MemoryOrProblem memory = place();
        std::string problem = executeIn(memory);
        for (std::size_t i = 0; problem.empty() && i < example_.main.outputs.size(); ++i) {
            auto bytes = (*memory)->output(i);
            if (bytes) {
                outputs.push_back(std::move(*bytes));
            } else if (!isToBeRefused()) {
                problem = bytes.error();
            }
        }
        return problem;
    }

    /// Only an interruption needs times.
    std::chrono::nanoseconds now() const {
        return disturbance_ != nullptr ? disturbance_->context.now() : std::chrono::nanoseconds{};
    }

    template <typename F>
    std::string timed(F&& execute) {
        const std::chrono::nanoseconds begin = now();
        std::string problem = execute();
        duration_ = now() - begin;
        return problem;
    }

    /// Repeats the execution until it was interrupted, or cannot be interrupted; executes it once
    /// in a flavor without interruptions.
    template <typename F>
    std::string interrupted(F&& execute) {
        constexpr int kMostTries = 4;  // chosen: a rival at random times misses one in two at most
        std::string problem;
        if (flavor_.interruption == Interruption::kNone) {
            return problem;
        }
        for (int i = 0; i < kMostTries && interruptions_ == 0 && problem.empty(); ++i) {
            interruptions_ +=
                    disturbance_->interrupter.interrupt(disturbance_->context, flavor_.interruption,
                                                        duration_, [&] { problem = execute(); });
        }
        return problem.empty() ? "" : fmt::format("interrupted: {}", problem);
    }

    CallResult execute(const ExampleMemory& memory) {
        return session_->execute(memory.request(),
                                 {.path = flavor_.path, .measuresTiming = flavor_.isMeasured});
    }

    /// Fenced executions do not report shapes, so that the shapes must be known before.
    bool isToBeRefused() const {
        return flavor_.path == ExecutionPath::kFenced &&
               (flavor_.leavesOutputsOpen() || !areOutputsKnown(example_));
    }

    std::string checkRefusal(const CallResult& result) const {
        return firstProblem([&] { return checkStatus(result, nn::ErrorStatus::INVALID_ARGUMENT); },
                            [&] { return checkSilence(result); });
    }

    std::string executeShort() {
        const auto memory = placeInPools(example_, flavor_.pools, OutputRoom::kShort);
        const CallResult result = execute(*memory);
        if (isToBeRefused()) {
            return checkRefusal(result);
        }
        return firstProblem(
                [&] { return checkStatus(result, nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE); },
                [&] { return checkShortShapes(example_, result); },
                [&] { return checkTiming(result, false); }, [&] { return memory->findDamage(); });
    }

    std::string executeIn(const MemoryOrProblem& memory) {
        if (!memory) {
            return memory.error();
        }
        const CallResult result = execute(**memory);
        if (isToBeRefused()) {
            return checkRefusal(result);
        }
        const bool areOptional = areOutputsKnown(example_) && !flavor_.leavesOutputsOpen();
        return firstProblem([&] { return checkStatus(result, nn::ErrorStatus::NONE); },
                            [&] { return checkShapes(example_, result, areOptional); },
                            [&] { return checkTiming(result, flavor_.isMeasured); },
                            [&] { return checkOutputs(example_, **memory); });
    }

    const Example& example_;
    const Flavor& flavor_;
    const Disturbance* const disturbance_;
    std::chrono::nanoseconds duration_{};  // of the undisturbed execution
    std::uint64_t interruptions_ = 0;
    nn::Model model_;
    const std::unique_ptr<ExampleSession> session_;
};

/// Runs both examples of a pair, which must end with the same status and values.
ExampleOutcome runCoupled(const OpenSession& open, const Example& example, const Flavor& flavor,
                          const Disturbance* disturbance) {
    ExampleOutcome outcome = ExampleRun(open, example, flavor, disturbance).run();
    const Example twin = makeSignedTwin(example);
    const ExampleOutcome signedOutcome = ExampleRun(open, twin, flavor, disturbance).run();
    outcome.interruptions += signedOutcome.interruptions;
    if (outcome.verdict == signedOutcome.verdict) {
        return outcome;
    }
    const auto tell = [](const ExampleOutcome& one) {
        return one.detail.empty() ? "passed" : one.detail;
    };
    return failed(fmt::format("TENSOR_QUANT8_ASYMM: {}; TENSOR_QUANT8_ASYMM_SIGNED: {}",
                              tell(outcome), tell(signedOutcome)));
}

}  // namespace

ExampleOutcome runExample(const OpenSession& open, const Example& example, const Flavor& flavor,
                          const Disturbance* disturbance) {
    if (std::string reason = reasonToOmit(example, flavor); !reason.empty()) {
        return {VectorVerdict::kOmitted, std::move(reason), ""};
    }
    return flavor.isCoupled ? runCoupled(open, example, flavor, disturbance)
                            : ExampleRun(open, example, flavor, disturbance).run();
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
