// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "driver/compiler/compiler.h"
#include "sim/conform/cache_files.h"
#include "sim/conform/example_memory.h"
#include "sim/conform/hal_session.h"
#include "sim/conform/quantisation_twin.h"
#include "sim/conform/result_checks.h"
#include "sim/conform/vector_model.h"
#include "sim/error.h"

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;
using MemoryOrProblem = tl::expected<std::unique_ptr<ExampleMemory>, std::string>;

constexpr std::chrono::nanoseconds kEndlessLoopTimeout = 1ms;  // source: NNAPI HAL VTS

ExampleOutcome failed(std::string detail) {
    return {Verdict::kFailed, std::move(detail), ""};
}

/// The driver's reason for the first operation that it does not take.
ExampleOutcome unsupported(const nn::Model& model, const std::vector<bool>& operations) {
    ExampleOutcome outcome{Verdict::kUnsupported, "", ""};
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

bool isMissedDeadline(nn::ErrorStatus status) {
    return status == nn::ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
           status == nn::ErrorStatus::MISSED_DEADLINE_PERSISTENT;
}

/// One example in one flavour, from getSupportedOperations to the comparison.
class ExampleRun {
  public:
    ExampleRun(ClientContext& context, const Example& example, const Flavour& flavour)
        : context_(context),
          example_(example),
          flavour_(flavour),
          model_(makeModel(example, flavour.pools)),
          session_(HalSession::open(context, flavour.hal)) {
        if (flavour.leavesOutputsOpen()) {
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
        return problem.empty() ? ExampleOutcome{} : failed(std::move(problem));
    }

  private:
    /// Empty, or the call that did not go well.
    std::string prepare() {
        const CacheHandles files = flavour_.isCached ? createCacheFiles(context_) : CacheHandles{};
        nn::ErrorStatus status = session_->prepare(model_, files);
        if (status != nn::ErrorStatus::NONE) {
            return fmt::format("preparation: {}, expected NONE", nameOf(status));
        }
        if (flavour_.isCached && files.model.size() + files.data.size() == 0) {
            return "device asks for no cache files, expected some";
        }
        if (flavour_.isCached) {
            status = session_->prepareFromCache(files);
        }
        return status == nn::ErrorStatus::NONE
                       ? ""
                       : fmt::format("preparation from the cache: {}, expected NONE",
                                     nameOf(status));
    }

    /// For an example that has to be refused, or to fail in execution.
    std::string runToFailure() {
        const bool isEndless = hasLoop(example_);
        if (std::string problem = prepare(); !problem.empty()) {
            return isEndless ? problem : "";
        }
        ExecutionOptions options{.path = flavour_.path, .measuresTiming = flavour_.isMeasured};
        if (isEndless) {
            options.loopTimeout = kEndlessLoopTimeout;
        }
        const auto memory = placeInPools(example_, flavour_.pools, OutputRoom::kExact);
        const CallResult result = session_->execute(memory->request(), options);
        // The results of bursts have HAL 1.0's statuses.
        const bool tellsDeadlines = flavour_.path != ExecutionPath::kBurst;
        if (result.status == nn::ErrorStatus::NONE ||
            (isEndless && tellsDeadlines && !isMissedDeadline(result.status))) {
            return fmt::format("execution: {}, expected {}", nameOf(result.status),
                               isEndless ? "a missed deadline" : "a failure");
        }
        return checkSilence(result);
    }

    std::string runToResult() {
        std::string problem = prepare();
        if (problem.empty() && flavour_.outputs == OutputKind::kShort) {
            problem = executeShort();
        }
        if (!problem.empty()) {
            return problem;
        }
        if (flavour_.memory == MemoryKind::kDomains) {
            return executeIn(
                    placeInDomains(context_, example_, session_->preparedModel(), flavour_.pools));
        }
        const bool isTight = flavour_.outputs == OutputKind::kTight;
        return executeIn(placeInPools(example_, flavour_.pools,
                                      isTight ? OutputRoom::kTight : OutputRoom::kExact));
    }

    CallResult execute(const ExampleMemory& memory) {
        return session_->execute(memory.request(),
                                 {.path = flavour_.path, .measuresTiming = flavour_.isMeasured});
    }

    /// A fence cannot tell shapes, so a fenced execution must know them before.
    bool isToBeRefused() const {
        return flavour_.path == ExecutionPath::kFenced &&
               (flavour_.leavesOutputsOpen() || !areOutputsKnown(example_));
    }

    std::string checkRefusal(const CallResult& result) const {
        std::string problem = checkStatus(result, nn::ErrorStatus::INVALID_ARGUMENT);
        return problem.empty() ? checkSilence(result) : problem;
    }

    std::string executeShort() {
        const auto memory = placeInPools(example_, flavour_.pools, OutputRoom::kShort);
        const CallResult result = execute(*memory);
        if (isToBeRefused()) {
            return checkRefusal(result);
        }
        std::string problem = checkStatus(result, nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
        if (problem.empty()) {
            problem = checkShortShapes(example_, result);
        }
        if (problem.empty()) {
            problem = checkTiming(result, false);
        }
        return problem.empty() ? memory->findDamage() : problem;
    }

    std::string executeIn(const MemoryOrProblem& memory) {
        if (!memory) {
            return memory.error();
        }
        const CallResult result = execute(**memory);
        if (isToBeRefused()) {
            return checkRefusal(result);
        }
        std::string problem = checkStatus(result, nn::ErrorStatus::NONE);
        if (problem.empty()) {
            problem = checkShapes(example_, result,
                                  areOutputsKnown(example_) && !flavour_.leavesOutputsOpen());
        }
        if (problem.empty()) {
            problem = checkTiming(result, flavour_.isMeasured);
        }
        return problem.empty() ? checkOutputs(example_, **memory) : problem;
    }

    ClientContext& context_;
    const Example& example_;
    const Flavour& flavour_;
    nn::Model model_;
    const std::unique_ptr<HalSession> session_;
};

/// Both of a pair, which have to end alike.
ExampleOutcome runCoupled(ClientContext& context, const Example& example, const Flavour& flavour) {
    ExampleOutcome outcome = ExampleRun(context, example, flavour).run();
    const Example twin = makeSignedTwin(example);
    ExampleOutcome signedOutcome = ExampleRun(context, twin, flavour).run();
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

ExampleOutcome runExample(ClientContext& context, const Example& example, const Flavour& flavour) {
    if (std::string reason = reasonToOmit(example, flavour); !reason.empty()) {
        return {Verdict::kOmitted, std::move(reason), ""};
    }
    return flavour.isCoupled ? runCoupled(context, example, flavour)
                             : ExampleRun(context, example, flavour).run();
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
