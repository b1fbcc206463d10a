// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario_client.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/client/model_runner.h"
#include "sim/client/state_tensors.h"
#include "sim/import/source.h"
#include "sim/scenario/arrivals.h"
#include "sim/scenario/input_data.h"
#include "sim/scenario/output_difference.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::ErrorStatus;
using android::hardware::neuralnetworks::V1_3::Priority;

ExecutionPath executionPath(ClientPath path) {
    constexpr ExecutionPath kPaths[] = {ExecutionPath::kSync, ExecutionPath::kAsync,
                                        ExecutionPath::kBurst, ExecutionPath::kFenced};
    return kPaths[static_cast<std::size_t>(path)];
}

bool isMissedDeadline(ErrorStatus status) {
    return status == ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
           status == ErrorStatus::MISSED_DEADLINE_PERSISTENT;
}

std::uint64_t nowNs(ClientContext& context) {
    return static_cast<std::uint64_t>(context.now().count());
}

class ClientBody {
  public:
    explicit ClientBody(const ClientRun& run)
        : run_(run),
          spec_(run.scenario.clients[run.index]),
          network_(run.network),
          seed_(clientSeed(run.scenario.seed, spec_.name)),
          states_(network_.states) {
        states_.insert(states_.end(), spec_.states.begin(), spec_.states.end());
    }

    void operator()(ClientContext& context) {
        const std::unique_ptr<ModelRunner> runner = prepare(context);
        Random random(seed_);
        fillInputs(network_, *runner, random);
        const std::uint64_t startNs = run_.watch.awaitStart(context);
        ArrivalSequence arrivals(spec_, random.next());
        const std::uint64_t endNs =
                run_.scenario.durationNs != 0 ? run_.scenario.durationNs : ArrivalSequence::kNever;
        std::uint64_t previousEndNs = 0;
        for (std::uint64_t frame = 0; spec_.count == 0 || frame < spec_.count; ++frame) {
            const std::uint64_t arrival = arrivals.next(previousEndNs);
            if (arrival >= endNs) {
                break;
            }
            ++outcome().arrived;
            if (nowNs(context) - startNs >= endNs) {
                continue;  // it still waits at the end of the duration
            }
            const bool isLate = nowNs(context) > startNs + arrival;
            context.sleepUntil(std::chrono::nanoseconds(startNs + arrival));
            executeFrame(context, *runner, frame, startNs + arrival, isLate);
            previousEndNs = nowNs(context) - startNs;
        }
    }

  private:
    ClientOutcome& outcome() const { return run_.outcome; }

    std::unique_ptr<ModelRunner> prepare(ClientContext& context) const {
        const std::uint64_t beginNs = nowNs(context);
        run_.watch.onPrepare();
        try {
            std::unique_ptr<ModelRunner> runner = ModelRunner::prepare(
                    context, network_, halPriority(spec_.priority), states_,
                    static_cast<android::hardware::neuralnetworks::V1_1::ExecutionPreference>(
                            spec_.preference));
            outcome().prepareNs = nowNs(context) - beginNs;
            return runner;
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(
                    fmt::format("client {}: {}: {}", spec_.name, spec_.model, error.what()));
        }
    }

    void executeFrame(ClientContext& context, ModelRunner& runner, std::uint64_t frame,
                      std::uint64_t arrivalNs, bool isLate) {
        FrameRecord record;
        record.client = run_.index;
        record.frame = frame;
        record.arrivalNs = arrivalNs;
        record.callNs = nowNs(context);
        record.isLate = isLate;
        run_.watch.onFrameBegin(record);
        std::optional<std::chrono::nanoseconds> deadline;
        if (spec_.deadlineNs != 0) {
            deadline = std::chrono::nanoseconds(arrivalNs + spec_.deadlineNs);
        }
        const ExecutionResult result = runner.execute(executionPath(spec_.path), deadline);
        record.returnNs = nowNs(context);
        record.status = android::hardware::neuralnetworks::V1_3::toString(result.status);
        run_.watch.onFrameEnd(record);
        record.isOk = result.status == ErrorStatus::NONE;
        record.timeOnDeviceUs = result.timeOnDeviceUs;
        record.timeInDriverUs = result.timeInDriverUs;
        record.isRefused = isMissedDeadline(result.status);
        record.missedDeadline = record.isRefused ||
                                (spec_.deadlineNs != 0 && record.latencyNs() > spec_.deadlineNs);
        account(record);
        if (record.isOk && run_.checksOutputs) {
            checkOutputs(runner, record);
        }
        run_.watch.onExecuted(context, std::move(record));
    }

    void account(const FrameRecord& record) const {
        ClientOutcome& sum = outcome();
        ++sum.executed;
        sum.failed += record.isOk || record.isRefused ? 0 : 1;
        sum.late += record.isLate ? 1 : 0;
        sum.missedDeadlines += record.missedDeadline ? 1 : 0;
    }

    /// All frames must have the same outputs, unless a state makes each depend on the earlier ones;
    /// the hash is then that of all frames.
    void checkOutputs(const ModelRunner& runner, const FrameRecord& record) {
        const bool hasState = !states_.empty();
        ClientOutcome& sum = outcome();
        const std::uint64_t hash = hashOutputs(
                network_, runner, hasState && sum.outputHash != 0 ? sum.outputHash : fnv1a({}));
        if (sum.outputHash == 0 || hasState) {
            sum.outputHash = hash;
            if (!hasState) {
                keepOutputs(runner);
            }
        } else if (hash != sum.outputHash) {
            if (sum.outputMismatches++ == 0) {
                sum.firstMismatch = mismatchText(runner, record);
            }
        }
    }

    void keepOutputs(const ModelRunner& runner) {
        for (std::size_t i = 0; i < network_.outputs.size(); ++i) {
            const std::span<const std::byte> bytes = runner.output(i);
            firstOutputs_.emplace_back(bytes.begin(), bytes.end());
        }
    }

    /// The first output that differs from that of the first frame.
    std::string mismatchText(const ModelRunner& runner, const FrameRecord& record) const {
        for (std::size_t i = 0; i < firstOutputs_.size(); ++i) {
            const auto difference =
                    differenceOf(network_.outputs[i], firstOutputs_[i], runner.output(i));
            if (difference) {
                return fmt::format("frame {} at {:.3f} ms, output {} {}: {}", record.frame,
                                   static_cast<double>(record.returnNs) * 1e-6, i,
                                   network_.outputs[i].name, *difference);
            }
        }
        return "";
    }

    const ClientRun& run_;
    const ClientSpec& spec_;
    const Network& network_;
    std::uint64_t seed_;
    std::vector<NetworkState> states_;                  // of the model file, then of the scenario
    std::vector<std::vector<std::byte>> firstOutputs_;  // of the first successful execution
};

}  // namespace

Priority halPriority(ClientPriority priority) {
    constexpr Priority kPriorities[] = {Priority::LOW, Priority::MEDIUM, Priority::HIGH};
    return kPriorities[static_cast<std::size_t>(priority)];
}

void runClient(const ClientRun& run, ClientContext& context) {
    ClientBody body(run);
    body(context);
}

Network networkOf(const ClientSpec& spec, std::uint64_t seed, bool hasWeights) {
    Network network;
    try {
        network = loadNetwork(spec.modelSource,
                              {.seed = seed, .zeroWeights = !hasWeights, .batch = spec.batch});
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: client.model: {}", spec.modelPlace, error.what()));
    }
    try {
        checkNetworkStates(network, spec.states);
        if (spec.path == ClientPath::kBurst && !network.states.empty()) {
            throw InputError(
                    "the model keeps its state in buffers of the device, which a burst cannot "
                    "carry, expected another path");
        }
    } catch (const InputError& error) {
        const std::string& place = spec.states.empty() ? spec.modelPlace : spec.statePlace;
        throw InputError(fmt::format("{}: client.state: {}", place, error.what()));
    }
    return network;
}

}  // namespace vnpu::sim
