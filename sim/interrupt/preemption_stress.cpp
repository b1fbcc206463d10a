// SPDX-License-Identifier: Apache-2.0
#include "sim/interrupt/preemption_stress.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "driver/api/experiments.h"
#include "sim/base/app_uid.h"
#include "sim/base/random.h"
#include "sim/client/model_runner.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"
#include "sim/platform/platform.h"
#include "sim/scenario/input_data.h"

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kWorkers = 5;          // chosen: more than there are bands
constexpr std::size_t kMostMismatches = 20;  // chosen: as many as a person reads
// Of one worker in one round. chosen: limits the share of one network in a round
constexpr std::uint64_t kMostExecutions = 40;
constexpr std::chrono::nanoseconds kRest = 20us;  // chosen: about the cost of a call on the host

std::uint64_t below(Random& random, std::uint64_t limit) {
    return random.next() % limit;
}

/// The outputs of a network for one input when it runs alone.
struct Sample {
    std::vector<Bytes> inputs, outputs;
};

struct Workload {
    std::string name;
    Network network;
    std::array<Sample, 2>
            samples;  // alternating, so that stale outputs of the previous execution are found
    std::chrono::nanoseconds duration{};
};

ExecutionResult execute(ModelRunner& runner, const Sample& sample) {
    for (std::size_t i = 0; i < sample.inputs.size(); ++i) {
        std::memcpy(runner.input(i).data(), sample.inputs[i].data(), sample.inputs[i].size());
    }
    return runner.execute(ExecutionPath::kSync);
}

/// All networks with inputs, before the first run.
std::vector<Workload> makeWorkloads(const PreemptionStressOptions& options) {
    Random random(options.seed);
    std::vector<Workload> workloads;
    for (const std::string& name : options.networks.empty() ? zooNames() : options.networks) {
        Workload workload{.name = name,
                          .network = loadNetwork("zoo:" + name, {.seed = options.seed}),
                          .samples = {}};
        for (Sample& sample : workload.samples) {
            for (const TensorDescription& input : workload.network.inputs) {
                sample.inputs.emplace_back(input.sizeBytes);
                fillInput(input, sample.inputs.back(), random);
            }
        }
        workloads.push_back(std::move(workload));
    }
    return workloads;
}

/// The task of one worker in one round.
struct Task {
    const Workload* workload = nullptr;  // none: nothing
    nn::Priority priority = nn::Priority::MEDIUM;
    bool isMain = false;  // once, and the round lasts until then
    std::uint64_t seed = 0;
};

driver::SchedulingOptions baseScheduling() {
    driver::SchedulingOptions options;
    // chosen: some more checkpoints than by default, for the smaller networks
    options.checkpointCycles = 20'000;
    return options;
}

/// The scheduling of a round: half of the rounds with even shares of the apps; half by priority,
/// the others by the other policies; most with checkpoints.
driver::SchedulingOptions drawScheduling(Random& random) {
    driver::SchedulingOptions options = baseScheduling();
    options.strategy = below(random, 2) == 0 ? driver::Strategy::kApps : driver::Strategy::kDevice;
    if (below(random, 2) == 0) {
        options.policy = static_cast<fw::Policy>(below(random, fw::kPolicyCount));
    }
    constexpr fw::Mechanism kMechanisms[] = {fw::Mechanism::kCheckpoint, fw::Mechanism::kCheckpoint,
                                             fw::Mechanism::kCheckpoint, fw::Mechanism::kDynamic,
                                             fw::Mechanism::kRestart};
    options.mechanism = kMechanisms[below(random, std::size(kMechanisms))];
    options.granularity = static_cast<fw::Granularity>(below(random, fw::kGranularityCount));
    options.quantumCycles.fill(20'000 + below(random, 100'000));
    options.periodCycles = 20'000 + below(random, 100'000);
    options.preemptTimeoutCycles = below(random, 4) == 0 ? 10'000 + below(random, 100'000) : 0;
    return options;
}

/// The state that coordinator and workers share. Simulation thread.
class PreemptionRounds {
  public:
    PreemptionRounds(const hw::NpuConfig& config, const PreemptionStressOptions& options)
        : options_(options),
          workloads_(makeWorkloads(options)),
          random_(options.seed),
          config_(config) {
        config_.poisonOnChip = true;
    }

    PreemptionStressReport run() {
        Platform platform({.config = config_, .scheduling = baseScheduling()});
        platform.addClient("coordinator", kFirstAppUid,
                           [this](ClientContext& context) { coordinate(context); });
        for (std::size_t i = 0; i < kWorkers; ++i) {
            // Two of the workers are one app.
            const auto uid = kFirstAppUid + 1 + static_cast<std::uint32_t>(i / 2);
            platform.addClient(fmt::format("worker {}", i), uid,
                               [this, i](ClientContext& context) { work(context, i); });
        }
        platform.run();
        return std::move(report_);
    }

  private:
    struct Worker {
        std::unique_ptr<driver::HostEvent> start;
        Task task;
    };

    // ---- the coordinator

    void coordinate(ClientContext& context) {
        roundEnd_ = context.createEvent();
        for (Workload& workload : workloads_) {
            runAlone(context, workload);
        }
        while (report_.preemptions < options_.preemptions) {
            runRound(context);
            if (options_.onProgress) {
                options_.onProgress(report_.preemptions);
            }
        }
        isFinished_ = true;
        for (Worker& worker : workers_) {
            worker.start->set();
        }
    }

    /// Runs every network alone, with a priority, so that its stream has checkpoints as later.
    void runAlone(ClientContext& context, Workload& workload) {
        const auto runner = ModelRunner::prepare(context, workload.network, nn::Priority::MEDIUM);
        for (Sample& sample : workload.samples) {
            const ExecutionResult result = execute(*runner, sample);
            if (result.status != nn::ErrorStatus::NONE) {
                throw std::runtime_error(fmt::format("{}: the execution alone ended with {}",
                                                     workload.name, nameOf(result.status)));
            }
            workload.duration = result.end - result.begin;
            for (std::size_t i = 0; i < workload.network.outputs.size(); ++i) {
                const auto bytes = runner->output(i);
                sample.outputs.emplace_back(bytes.begin(), bytes.end());
            }
        }
        const driver::DriverCounters counters = driver::countersOf(context.device());
        if (counters.preemptions + counters.restarts != 0) {
            throw std::runtime_error("an execution alone was preempted");
        }
    }

    void runRound(ClientContext& context) {
        const auto set = driver::reschedule(context.device(), drawScheduling(random_));
        if (!set) {
            throw std::runtime_error(fmt::format("scheduling is refused: {}", set.error().reason));
        }
        assignTasks();
        busy_ = missing_ = kWorkers;
        for (Worker& worker : workers_) {
            worker.start->set();
        }
        roundEnd_->wait();
        roundEnd_->reset();
        ++report_.rounds;
        const driver::DriverCounters counters = driver::countersOf(context.device());
        report_.preemptions = counters.preemptions;
        report_.restarts = counters.restarts;
        report_.savedBytes = counters.savedBytes;
    }

    /// Selects one network of any length and some others that take at most a quarter of its time.
    void assignTasks() {
        const Workload& main = workloads_[below(random_, workloads_.size())];
        std::vector<const Workload*> shorter;
        for (const Workload& workload : workloads_) {
            if (workload.duration * 4 <= main.duration) {
                shorter.push_back(&workload);
            }
        }
        const std::uint64_t others = 1 + below(random_, kWorkers - 1);
        for (std::size_t i = 0; i < kWorkers; ++i) {
            Task& task = workers_[i].task;
            task = {.seed = random_.next()};
            if (i == 0) {
                task.workload = &main;
                task.isMain = true;
                task.priority = static_cast<nn::Priority>(below(random_, 2));
            } else if (i <= others) {
                task.workload = shorter.empty() ? &main : shorter[below(random_, shorter.size())];
                task.priority = static_cast<nn::Priority>(below(random_, 3));
            }
        }
    }

    // ---- the workers

    void work(ClientContext& context, std::size_t index) {
        Worker& self = workers_[index];
        self.start = context.createEvent();
        while (true) {
            self.start->wait();
            self.start->reset();
            if (isFinished_) {
                return;
            }
            runTask(context, self.task);
            if (--busy_ == 0) {
                roundEnd_->set();
            }
        }
    }

    void runTask(ClientContext& context, const Task& task) {
        const auto runner =
                task.workload == nullptr
                        ? nullptr
                        : ModelRunner::prepare(context, task.workload->network, task.priority);
        --missing_;
        while (missing_ != 0) {
            context.sleepUntil(context.now() + kRest);
        }
        if (task.isMain) {
            isMainBusy_ = true;
            check(*runner, *task.workload, task.seed % 2);
            isMainBusy_ = false;
            return;
        }
        Random random(task.seed);
        for (std::uint64_t i = 0; runner != nullptr && i < kMostExecutions; ++i) {
            const double most =
                    2.0 * static_cast<double>((task.workload->duration + kRest).count());
            context.sleepUntil(context.now() + std::chrono::nanoseconds(static_cast<std::int64_t>(
                                                       random.nextUnit() * most)));
            if (!isMainBusy_) {
                return;
            }
            check(*runner, *task.workload, i % 2);
        }
    }

    void check(ModelRunner& runner, const Workload& workload, std::size_t sampleIndex) {
        const Sample& sample = workload.samples[sampleIndex];
        const nn::ErrorStatus status = execute(runner, sample).status;
        std::string problem = status == nn::ErrorStatus::NONE ? "" : nameOf(status);
        for (std::size_t i = 0; problem.empty() && i < sample.outputs.size(); ++i) {
            const auto bytes = runner.output(i);
            if (!std::equal(bytes.begin(), bytes.end(), sample.outputs[i].begin(),
                            sample.outputs[i].end())) {
                problem = fmt::format("output {} is not what it is alone", i);
            }
        }
        PreemptionStressReport::Share& share = report_.networks[workload.name];
        ++share.executions;
        if (problem.empty()) {
            return;
        }
        ++share.wrong;
        if (report_.errors.size() < kMostMismatches) {
            report_.errors.push_back(
                    fmt::format("round {}: {}: {}", report_.rounds, workload.name, problem));
        }
    }

    const PreemptionStressOptions& options_;
    std::vector<Workload> workloads_;
    Random random_;
    hw::NpuConfig config_;
    std::array<Worker, kWorkers> workers_;
    std::unique_ptr<driver::HostEvent> roundEnd_;
    std::size_t missing_ = 0;  // number of workers that have not prepared yet
    std::size_t busy_ = 0;
    bool isMainBusy_ = false;
    bool isFinished_ = false;
    PreemptionStressReport report_;
};

}  // namespace

PreemptionStressReport::Share PreemptionStressReport::total() const {
    Share sum;
    for (const auto& [name, share] : networks) {
        sum.executions += share.executions;
        sum.wrong += share.wrong;
    }
    return sum;
}

PreemptionStressReport stressPreemption(const hw::NpuConfig& config,
                                        const PreemptionStressOptions& options) {
    return PreemptionRounds(config, options).run();
}

}  // namespace vnpu::sim
