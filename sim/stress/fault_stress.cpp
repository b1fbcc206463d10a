// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/fault_stress.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>

#include "sim/base/app_uid.h"
#include "sim/base/random.h"
#include "sim/base/text_table.h"
#include "sim/config/faults.h"
#include "sim/import/source.h"
#include "sim/models/stress_models.h"
#include "sim/platform/platform.h"
#include "sim/stress/fault_clients.h"
#include "sim/stress/fault_watch.h"

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;

// chosen: a few executions apart, so that most faults meet mixed work
constexpr std::uint64_t kLongestPauseNs = 2'000'000;
constexpr std::uint64_t kMostSkipped = 60;  // chosen: any command of a few executions
constexpr std::chrono::nanoseconds kPollPeriod = 200us;
constexpr std::chrono::nanoseconds kOccasionLimit =
        50ms;  // chosen: a simpler fault is armed after that
// chosen: detection and recovery take 100 ms each at most
constexpr std::chrono::nanoseconds kVerdictLimit = 500ms;

/// Arms one fault after the other and waits for its verdict.
class FaultScheduler {
  public:
    FaultScheduler(const FaultStressOptions& options, FaultWork& work, FaultWatch& watch,
                   hw::FaultInjector& injector, FaultStressReport& report)
        : options_(options),
          work_(work),
          watch_(watch),
          injector_(injector),
          report_(report),
          random_(Random(options.seed ^ fnv1a("saboteur")).next()) {}

    void run(ClientContext& context) {
        while (work_.ready < options_.clients) {
            sleep(context, kPollPeriod);
        }
        for (std::uint64_t i = 0; i < options_.faults; ++i) {
            // Each kind happens equally often, in a random order in every round.
            if (i % hw::kNoticedFaultKindCount == 0) {
                shuffle();
            }
            sleep(context, std::chrono::nanoseconds(below(kLongestPauseNs)));
            injectOne(context, order_[i % hw::kNoticedFaultKindCount]);
            if (options_.onProgress) {
                options_.onProgress(i + 1);
            }
        }
        work_.isOver = true;
    }

  private:
    std::uint64_t below(std::uint64_t limit) { return random_.next() % limit; }
    static void sleep(ClientContext& context, std::chrono::nanoseconds time) {
        context.sleepUntil(context.now() + time);
    }

    void shuffle() {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            order_[i] = static_cast<hw::FaultKind>(i);
        }
        for (std::size_t i = order_.size(); i > 1; --i) {
            std::swap(order_[i - 1], order_[below(i)]);
        }
    }

    hw::FaultSpec specOf(hw::FaultKind kind, std::uint64_t cycle) {
        hw::FaultSpec spec{.kind = kind, .atCycle = cycle};
        if (hw::isEngineFault(kind)) {
            spec.skip = below(kMostSkipped);
        }
        const bool isAny = kind == hw::FaultKind::kEngineHang ||
                           kind == hw::FaultKind::kEngineStuck ||
                           kind == hw::FaultKind::kEngineSlow;
        if (isAny && below(2) == 0) {
            constexpr hw::Engine kEngines[] = {hw::Engine::kDma0,   hw::Engine::kDma1,
                                               hw::Engine::kDma2,   hw::Engine::kMac,
                                               hw::Engine::kVector, hw::Engine::kDsp};
            spec.engine = kEngines[below(std::size(kEngines))];
            spec.skip = below(4);
        }
        spec.factor = static_cast<double>(2 + below(30));
        spec.lastingCycles = 1 + below(1'000'000);
        return spec;
    }

    std::optional<hw::InjectedFault> find(std::size_t number) const {
        const auto& all = injector_.injected();
        const auto found = std::find_if(all.rbegin(), all.rend(),
                                        [&](const auto& fault) { return fault.spec == number; });
        return found == all.rend() ? std::nullopt : std::optional(*found);
    }

    /// Arms the fault and waits until it has happened.
    std::optional<hw::InjectedFault> armAndWait(ClientContext& context, hw::FaultSpec spec) {
        for (const bool isEasy : {false, true}) {
            if (isEasy) {
                spec.engine.reset();
                spec.skip = 0;
            }
            const std::size_t number = injector_.arm(spec);
            const auto limit = context.now() + kOccasionLimit;
            while (context.now() < limit && !find(number)) {
                sleep(context, kPollPeriod);
            }
            if (find(number)) {
                return find(number);
            }
            injector_.disarm(number);
        }
        return std::nullopt;
    }

    void injectOne(ClientContext& context, hw::FaultKind kind) {
        const std::size_t begin = watch_.faults().size();
        const auto cycle = cyclesOf(static_cast<std::uint64_t>(context.now().count()),
                                    options_.config.clockKhz);
        auto fault = armAndWait(context, specOf(kind, cycle));
        if (!fault) {
            report_.wrong.push_back(fmt::format("no occasion for {}", hw::faultKindName(kind)));
            return;
        }
        const std::chrono::nanoseconds happened(
                static_cast<std::int64_t>(fault->cycle * 1'000'000 / options_.config.clockKhz));
        watch_.tell(happened, fmt::format("injected {} into engine {} command {} of job {}",
                                          hw::faultKindName(kind), static_cast<int>(fault->engine),
                                          fault->command, fault->jobId));
        FaultVerdict verdict;
        const auto limit = happened + kVerdictLimit;
        while (!verdict.isSettled && context.now() < limit) {
            sleep(context, kPollPeriod);
            fault = find(fault->spec);
            verdict = watch_.judge(*fault, begin, happened, context.now());
        }
        account(*fault, happened, verdict);
    }

    void account(const hw::InjectedFault& fault, std::chrono::nanoseconds happened,
                 const FaultVerdict& verdict) {
        FaultTally& tally = report_.kinds[fault.kind];
        ++tally.injected;
        tally.detected += verdict.isDetected ? 1 : 0;
        tally.attributed += verdict.isAttributed ? 1 : 0;
        tally.harmless += verdict.isHarmless ? 1 : 0;
        if (verdict.remedy) {
            ++tally.remedies[*verdict.remedy];
        }
        tally.longest = std::max(tally.longest, verdict.settledAt - happened);
        const bool isGood = verdict.isSettled && (verdict.isHarmless || verdict.isAttributed);
        if (!isGood) {
            report_.wrong.push_back(
                    fmt::format("{} at cycle {}, engine {}, command {} of job {}: {}",
                                hw::faultKindName(fault.kind), fault.cycle,
                                static_cast<int>(fault.engine), fault.command, fault.jobId,
                                verdict.isDetected ? "not attributed to it" : "not detected"));
        }
    }

    const FaultStressOptions& options_;
    FaultWork& work_;
    FaultWatch& watch_;
    hw::FaultInjector& injector_;
    FaultStressReport& report_;
    Random random_;
    std::array<hw::FaultKind, hw::kNoticedFaultKindCount> order_{};
};

std::vector<Network> networksOf(std::uint64_t seed) {
    std::vector<Network> networks;
    for (StressModel& model : makeStressModels()) {
        networks.push_back(std::move(model.network));
    }
    networks.push_back(makeGatherNetwork());
    networks.push_back(loadNetwork("zoo:ds_cnn", {.seed = seed}));
    return networks;
}

void checkEnd(const FaultStressOptions& options, const FaultWork& work, const FaultWatch& watch,
              FaultStressReport& report) {
    report.wrong.insert(report.wrong.end(), work.wrong.begin(), work.wrong.end());
    for (const std::uint64_t job : watch.unexplainedJobs()) {
        report.wrong.push_back(fmt::format("job {} failed without a report", job));
    }
    const auto failedJobs = static_cast<std::uint64_t>(
            std::count_if(watch.jobs().begin(), watch.jobs().end(), [](const auto& job) {
                return job.second.status == driver::ErrorStatus::GENERAL_FAILURE;
            }));
    if (failedJobs != work.failures) {
        report.wrong.push_back(
                fmt::format("{} executions failed by {} failed jobs", work.failures, failedJobs));
    }
    if (work.afterwards != std::uint64_t{options.clients} * work.networks.size()) {
        report.wrong.emplace_back("the service does not work as before when all is over");
    }
}

std::string milliseconds(std::chrono::nanoseconds time) {
    return fmt::format("{:.3f}", static_cast<double>(time.count()) * 1e-6);
}

}  // namespace

std::uint64_t FaultStressReport::injected() const {
    std::uint64_t sum = 0;
    for (const auto& [kind, tally] : kinds) {
        sum += tally.injected;
    }
    return sum;
}

std::string FaultStressReport::table() const {
    TextTable table({"fault"}, {"injected", "detected", "attributed", "harmless"},
                    {"recovered by"});
    table.addColumn("longest ms");
    for (const auto& [kind, tally] : kinds) {
        std::string remedies;
        for (const auto& [remedy, count] : tally.remedies) {
            remedies += fmt::format("{}{} {}", remedies.empty() ? "" : ", ", driver::nameOf(remedy),
                                    count);
        }
        table.add(hw::faultKindName(kind), tally.injected, tally.detected, tally.attributed,
                  tally.harmless, remedies, milliseconds(tally.longest));
    }
    return table.text();
}

FaultStressReport runFaultStress(const FaultStressOptions& options) {
    FaultStressReport report;
    FaultWork work;
    work.networks = networksOf(options.seed);
    FaultWatch watch;
    hw::FaultInjector injector(options.seed);
    FaultScheduler scheduler(options, work, watch, injector, report);
    Platform platform({.config = options.config, .driverObserver = &watch, .faults = &injector});
    std::vector<std::unique_ptr<FaultClient>> clients;
    for (std::uint32_t i = 0; i < options.clients; ++i) {
        const std::string name = fmt::format("app {}", i);
        clients.push_back(std::make_unique<FaultClient>(work, clientSeed(options.seed, name)));
        platform.addClient(
                name, kFirstAppUid + i,
                [client = clients.back().get()](ClientContext& context) { client->run(context); });
    }
    platform.addClient("saboteur", 0,
                       [&scheduler](ClientContext& context) { scheduler.run(context); });
    try {
        platform.run();
    } catch (const std::exception& error) {
        report.wrong.emplace_back(error.what());
    }
    report.executions = work.executions;
    report.failures = work.failures;
    report.simulated = platform.now();
    report.resets = static_cast<std::uint32_t>(
            std::count_if(watch.faults().begin(), watch.faults().end(), [](const SeenFault& seen) {
                return seen.report.remedy == driver::FaultRemedy::kDeviceReset;
            }));
    checkEnd(options, work, watch, report);
    report.story = watch.story();
    return report;
}

}  // namespace vnpu::sim
