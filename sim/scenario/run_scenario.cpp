// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/run_scenario.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "sim/config/scheduling.h"
#include "sim/config/weight_needs.h"
#include "sim/platform/platform.h"
#include "sim/scenario/refusal_judge.h"
#include "sim/scenario/scenario_client.h"
#include "sim/trace/event_stream.h"

namespace vnpu::sim {

namespace {

std::uint64_t contextNowNs(ClientContext& context) {
    return static_cast<std::uint64_t>(context.now().count());
}

/// Starts the clients together once the last has prepared its model. Simulation thread.
class StartLine {
  public:
    /// `onStart` gets the time of the start before any client begins.
    StartLine(std::size_t clients, std::function<void(std::uint64_t startNs)> onStart)
        : missing_(clients), onStart_(std::move(onStart)) {}

    /// Returns the common start time to every client.
    std::uint64_t wait(ClientContext& context) {
        if (--missing_ == 0) {
            startNs_ = contextNowNs(context);
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

/// State that the clients of a run share.
struct ScenarioRun {
    const Scenario& scenario;
    EventStream& stream;
    const RunOptions& options;
    RefusalJudge& judge;
    bool checksOutputs = false;
    StartLine startLine;
    ScenarioOutcome outcome;
};

/// Passes the progress of one client on to the run.
class RunWatch : public ClientWatch {
  public:
    RunWatch(ScenarioRun& run, std::uint32_t index) : run_(run), index_(index) {}

    std::uint64_t awaitStart(ClientContext& context) override {
        return run_.startLine.wait(context);
    }
    void onPrepare() override { run_.stream.announceCall(index_); }
    void onFrameBegin(const FrameRecord& record) override {
        run_.stream.beginFrame(index_, record.frame, record.arrivalNs, record.callNs);
    }
    void onFrameEnd(const FrameRecord& record) override {
        run_.stream.endFrame(index_, record.returnNs, record.status);
    }
    void onExecuted(ClientContext& context, FrameRecord record) override {
        run_.judge.onFrameResult(index_, record.frame, record.isOk && !record.missedDeadline);
        record.refusal = run_.judge.verdictOf(index_, record.frame);
        run_.outcome.frames.push_back(std::move(record));
        if (run_.options.onProgress && !run_.judge.isTwin()) {
            run_.options.onProgress({contextNowNs(context) - run_.startLine.startNs(),
                                     run_.scenario.durationNs, run_.outcome.frames.size()});
        }
    }

  private:
    ScenarioRun& run_;
    const std::uint32_t index_;
};

}  // namespace

double DramOutcome::hitRate() const {
    return bursts() == 0 ? 0.0 : static_cast<double>(rowHits) / static_cast<double>(bursts());
}

namespace {

DramOutcome dramOutcome(const Platform& platform) {
    using hw::regs::PerfEvent;
    return {.rowHits = platform.count(PerfEvent::kDramRowHits),
            .rowMisses = platform.count(PerfEvent::kDramRowMisses),
            .rowConflicts = platform.count(PerfEvent::kDramRowConflicts),
            .refreshes = platform.count(PerfEvent::kDramRefreshes),
            .turnaroundCycles = platform.count(PerfEvent::kDramTurnaroundCycles),
            .pageTableReads = platform.count(PerfEvent::kPageTableReads)};
}

/// The numbers of the faults that never happened, such as those of an operation that no model has.
std::vector<std::size_t> absentFaults(const Scenario& scenario, const hw::FaultInjector& injector) {
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
        if (std::ranges::none_of(injector.injected(),
                                 [i](const hw::InjectedFault& fault) { return fault.spec == i; })) {
            absent.push_back(i);
        }
    }
    return absent;
}

}  // namespace

ScenarioOutcome runScenario(const Scenario& scenario, const hw::NpuConfig& config,
                            const RunOptions& options) {
    std::vector<Network> networks;
    std::vector<ClientInfo> clients;
    for (const ClientSpec& spec : scenario.clients) {
        networks.push_back(networkOf(spec, scenario.seed, needsWeights(config)));
        clients.push_back({spec.name, spec.uid, spec.model, std::string(nameOf(spec.priority)),
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
    ScenarioRun run{scenario,
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
    BusTools tools(options.busTools, config);
    Platform platform({config,
                       stream.observer(),
                       stream.observer(),
                       driverScheduling(scenario.scheduling, config.clockKhz),
                       scenario.faults.empty() ? nullptr : &injector,
                       [&judge](std::uint64_t callId) { return judge.insists(callId); },
                       {},
                       tools.observer(),
                       scenario.onChip});
    for (std::uint32_t i = 0; i < scenario.clients.size(); ++i) {
        platform.addClient(scenario.clients[i].name, scenario.clients[i].uid,
                           [&run, &network = networks[i], i](ClientContext& context) {
                               RunWatch watch(run, i);
                               runClient({run.scenario, i, network, run.checksOutputs, watch,
                                          run.outcome.clients[i]},
                                         context);
                           });
    }
    stream.begin();
    platform.run();
    judge.finish();
    run.outcome.startNs = run.startLine.startNs();
    run.outcome.endNs = static_cast<std::uint64_t>(platform.now().count());
    constexpr std::uint64_t kPicoseconds = 1000;  // per nanosecond
    tools.finish(run.outcome.endNs * kPicoseconds);
    run.outcome.dram = dramOutcome(platform);
    run.outcome.mistakes = tools.mistakes();
    run.outcome.absentFaults = absentFaults(scenario, injector);
    stream.end(run.outcome.endNs);
    return std::move(run.outcome);
}

}  // namespace vnpu::sim
