// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/run_scenario.h"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/client/model_runner.h"
#include "sim/client/state_tensors.h"
#include "sim/config/driver_scheduling.h"
#include "sim/error.h"
#include "sim/models/source.h"
#include "sim/platform/platform.h"
#include "sim/scenario/arrivals.h"
#include "sim/scenario/input_data.h"
#include "sim/scenario/random.h"
#include "sim/trace/event_stream.h"

namespace vnpu::sim {

namespace {

using android::hardware::neuralnetworks::V1_3::ErrorStatus;
using android::hardware::neuralnetworks::V1_3::Priority;

Priority halPriority(ClientPriority priority) {
    switch (priority) {
        case ClientPriority::kLow:
            return Priority::LOW;
        case ClientPriority::kHigh:
            return Priority::HIGH;
        case ClientPriority::kMedium:
            break;
    }
    return Priority::MEDIUM;
}

ExecutionPath executionPath(ClientPath path) {
    switch (path) {
        case ClientPath::kAsync:
            return ExecutionPath::kAsync;
        case ClientPath::kBurst:
            return ExecutionPath::kBurst;
        case ClientPath::kFenced:
            return ExecutionPath::kFenced;
        case ClientPath::kSync:
            break;
    }
    return ExecutionPath::kSync;
}

bool isMissedDeadline(ErrorStatus status) {
    return status == ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
           status == ErrorStatus::MISSED_DEADLINE_PERSISTENT;
}

std::uint64_t nowNs(ClientContext& context) {
    return static_cast<std::uint64_t>(context.now().count());
}

/// Lets the clients begin together, once the last has prepared its model. All on the simulation's
/// thread.
class StartLine {
  public:
    /// `onStart` is told the time, before anyone begins.
    StartLine(std::size_t clients, std::function<void(std::uint64_t startNs)> onStart)
        : missing_(clients), onStart_(std::move(onStart)) {}

    /// Returns the common start time to every client.
    std::uint64_t wait(ClientContext& context) {
        if (--missing_ == 0) {
            startNs_ = nowNs(context);
            onStart_(startNs_);
            for (driver::HostEvent* event : waiting_) {
                event->set();
            }
            return startNs_;
        }
        const std::unique_ptr<driver::HostEvent> event = context.createEvent();
        waiting_.push_back(event.get());
        event->wait();
        return startNs_;
    }

    std::uint64_t startNs() const { return startNs_; }

  private:
    std::size_t missing_;
    std::function<void(std::uint64_t)> onStart_;
    std::uint64_t startNs_ = 0;
    std::vector<driver::HostEvent*> waiting_;
};

/// What the clients of a run share.
struct Run {
    const Scenario& scenario;
    EventStream& stream;
    const RunOptions& options;
    RefusalJudge& judge;
    bool checksOutputs = false;
    StartLine startLine;
    ScenarioOutcome outcome;
};

/// The body of one client.
class ClientBody {
  public:
    ClientBody(Run& run, std::uint32_t index, const Network& network)
        : run_(run),
          index_(index),
          spec_(run.scenario.clients[index]),
          network_(network),
          seed_(clientSeed(run.scenario.seed, spec_.name)) {}

    void operator()(ClientContext& context) const {
        const std::unique_ptr<ModelRunner> runner = prepare(context);
        Random random(seed_);
        for (std::size_t i = 0; i < network_.inputs.size(); ++i) {
            fillInput(network_.inputs[i], runner->input(i), random);
        }
        const std::uint64_t startNs = run_.startLine.wait(context);
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
                continue;  // it waited until the end
            }
            const bool isLate = nowNs(context) > startNs + arrival;
            context.sleepUntil(std::chrono::nanoseconds(startNs + arrival));
            executeFrame(context, *runner, frame, startNs + arrival, isLate);
            previousEndNs = nowNs(context) - startNs;
        }
    }

  private:
    ClientOutcome& outcome() const { return run_.outcome.clients[index_]; }

    std::unique_ptr<ModelRunner> prepare(ClientContext& context) const {
        const std::uint64_t beginNs = nowNs(context);
        run_.stream.announceCall(index_);
        try {
            std::unique_ptr<ModelRunner> runner = ModelRunner::prepare(
                    context, network_, halPriority(spec_.priority), spec_.states);
            outcome().prepareNs = nowNs(context) - beginNs;
            return runner;
        } catch (const std::runtime_error& error) {
            throw std::runtime_error(
                    fmt::format("client {}: {}: {}", spec_.name, spec_.model, error.what()));
        }
    }

    void executeFrame(ClientContext& context, ModelRunner& runner, std::uint64_t frame,
                      std::uint64_t arrivalNs, bool isLate) const {
        FrameRecord record;
        record.client = index_;
        record.frame = frame;
        record.arrivalNs = arrivalNs;
        record.callNs = nowNs(context);
        record.isLate = isLate;
        run_.stream.beginFrame(index_, frame, arrivalNs, record.callNs);
        std::optional<std::chrono::nanoseconds> deadline;
        if (spec_.deadlineNs != 0) {
            deadline = std::chrono::nanoseconds(arrivalNs + spec_.deadlineNs);
        }
        const ExecutionResult result = runner.execute(executionPath(spec_.path), deadline);
        record.returnNs = nowNs(context);
        record.status = android::hardware::neuralnetworks::V1_3::toString(result.status);
        run_.stream.endFrame(index_, record.returnNs, record.status);
        record.isOk = result.status == ErrorStatus::NONE;
        record.timeOnDeviceUs = result.timeOnDeviceUs;
        record.timeInDriverUs = result.timeInDriverUs;
        record.isRefused = isMissedDeadline(result.status);
        record.missedDeadline = record.isRefused ||
                                (spec_.deadlineNs != 0 && record.latencyNs() > spec_.deadlineNs);
        run_.judge.onFrameEnd(index_, frame, record.isOk && !record.missedDeadline);
        record.refusal = run_.judge.verdictOf(index_, frame);
        account(record);
        if (record.isOk && run_.checksOutputs) {
            checkOutputs(runner);
        }
        run_.outcome.frames.push_back(std::move(record));
        reportProgress(context);
    }

    void account(const FrameRecord& record) const {
        ClientOutcome& sum = outcome();
        ++sum.executed;
        sum.failed += record.isOk || record.isRefused ? 0 : 1;
        sum.late += record.isLate ? 1 : 0;
        sum.missedDeadlines += record.missedDeadline ? 1 : 0;
    }

    /// All frames have the same outputs, unless a state makes each depend on those before it: then
    /// the hash is that of all frames.
    void checkOutputs(const ModelRunner& runner) const {
        const bool hasState = !spec_.states.empty();
        std::uint64_t hash =
                hasState && outcome().outputHash != 0 ? outcome().outputHash : fnv1a({});
        for (std::size_t i = 0; i < network_.outputs.size(); ++i) {
            const std::span<const std::byte> bytes = runner.output(i);
            hash = fnv1a({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, hash);
        }
        ClientOutcome& sum = outcome();
        if (sum.outputHash == 0 || hasState) {
            sum.outputHash = hash;
        } else if (hash != sum.outputHash) {
            ++sum.outputMismatches;
        }
    }

    void reportProgress(ClientContext& context) const {
        if (run_.options.onProgress && !run_.judge.isTwin()) {
            run_.options.onProgress({nowNs(context) - run_.startLine.startNs(),
                                     run_.scenario.durationNs, run_.outcome.frames.size()});
        }
    }

    Run& run_;
    std::uint32_t index_;
    const ClientSpec& spec_;
    const Network& network_;
    std::uint64_t seed_;
};

Network networkOf(const ClientSpec& spec, std::uint64_t seed, bool timingOnly) {
    Network network;
    try {
        network = loadNetwork(spec.modelSource,
                              {.seed = seed, .zeroWeights = timingOnly, .batch = spec.batch});
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: client.model: {}", spec.modelPlace, error.what()));
    }
    try {
        checkStatePairs(network, spec.states);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: client.state: {}", spec.statePlace, error.what()));
    }
    return network;
}

}  // namespace

bool ScenarioOutcome::isClean() const {
    for (const ClientOutcome& client : clients) {
        if (client.failed != 0 || client.outputMismatches != 0) {
            return false;
        }
    }
    return true;
}

ScenarioOutcome runScenario(const Scenario& scenario, const hw::NpuConfig& config,
                            const RunOptions& options) {
    std::vector<Network> networks;
    std::vector<ClientInfo> clients;
    for (const ClientSpec& spec : scenario.clients) {
        networks.push_back(networkOf(spec, scenario.seed, config.timingOnly));
        clients.push_back({spec.name, spec.uid, spec.model,
                           std::string(priorityName(spec.priority)),
                           networks.back().operationNames});
    }
    EventStream stream(config, std::move(clients));
    for (EventSink* sink : options.sinks) {
        stream.addSink(*sink);
    }
    RefusalJudge judge(scenario, stream);
    if (scenario.judgesRefusals) {
        stream.addSink(judge);
    }
    hw::FaultInjector injector(scenario.seed);
    const auto onStart = [&](std::uint64_t startNs) {
        armFaults(scenario.faults, startNs, config.clockKhz, injector);
    };
    Run run{scenario,
            stream,
            options,
            judge,
            !config.timingOnly,
            StartLine(scenario.clients.size(), onStart),
            {}};
    for (const Network& network : networks) {
        run.outcome.clients.emplace_back();
        run.outcome.clients.back().network = network.name;
        run.outcome.clients.back().macs = network.macs;
    }
    Platform platform({config, stream.deviceObserver(), stream.driverObserver(),
                       driverScheduling(scenario.scheduling, config.clockKhz),
                       scenario.faults.empty() ? nullptr : &injector,
                       [&judge](std::uint64_t callId) { return judge.insists(callId); }});
    for (std::uint32_t i = 0; i < scenario.clients.size(); ++i) {
        platform.addClient(scenario.clients[i].name, scenario.clients[i].uid,
                           ClientBody(run, i, networks[i]));
    }
    stream.begin();
    platform.run();
    judge.finish();
    run.outcome.startNs = run.startLine.startNs();
    run.outcome.endNs = static_cast<std::uint64_t>(platform.now().count());
    stream.end(run.outcome.endNs);
    return std::move(run.outcome);
}

}  // namespace vnpu::sim
