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

constexpr std::size_t kPlayers = 5;          // chosen: more than there are bands
constexpr std::size_t kMostMismatches = 20;  // chosen: what a person reads
constexpr std::uint64_t kMostVisits = 40;    // of one player in one round. chosen: limits the share
                                             // of one network in a round
constexpr std::chrono::nanoseconds kRest = 20us;  // chosen: about what a call costs on the host

std::uint64_t below(Random& random, std::uint64_t limit) {
    return random.next() % limit;
}

/// The outputs of a network for one input when it runs alone.
struct Take {
    std::vector<Bytes> inputs, outputs;
};

struct Piece {
    std::string name;
    Network network;
    std::array<Take, 2>
            takes;  // alternating, so that stale outputs of the previous execution are found
    std::chrono::nanoseconds duration{};
};

ExecutionResult execute(ModelRunner& runner, const Take& take) {
    for (std::size_t i = 0; i < take.inputs.size(); ++i) {
        std::memcpy(runner.input(i).data(), take.inputs[i].data(), take.inputs[i].size());
    }
    return runner.execute(ExecutionPath::kSync);
}

/// All networks with inputs, before the first run.
std::vector<Piece> makePieces(const PreemptionStressOptions& options) {
    Random random(options.seed);
    std::vector<Piece> pieces;
    for (const std::string& name : options.networks.empty() ? zooNames() : options.networks) {
        Piece piece{.name = name,
                    .network = loadNetwork("zoo:" + name, {.seed = options.seed}),
                    .takes = {}};
        for (Take& take : piece.takes) {
            for (const TensorDescription& input : piece.network.inputs) {
                take.inputs.emplace_back(input.sizeBytes);
                fillInput(input, take.inputs.back(), random);
            }
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// The task of one player in one round.
struct Part {
    const Piece* piece = nullptr;  // none: nothing
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

/// The scheduling of a round: half of the rounds by priority, the others by the other policies;
/// most with checkpoints.
driver::SchedulingOptions drawScheduling(Random& random) {
    driver::SchedulingOptions options = baseScheduling();
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

/// The state that conductor and players share. Simulation thread.
class Stage {
  public:
    Stage(const hw::NpuConfig& config, const PreemptionStressOptions& options)
        : options_(options), pieces_(makePieces(options)), random_(options.seed), config_(config) {
        config_.poisonOnChip = true;
    }

    PreemptionStressReport run() {
        Platform platform({.config = config_, .scheduling = baseScheduling()});
        platform.addClient("conductor", kFirstAppUid,
                           [this](ClientContext& context) { conduct(context); });
        for (std::size_t i = 0; i < kPlayers; ++i) {
            // Two of the players are one app.
            const auto uid = kFirstAppUid + 1 + static_cast<std::uint32_t>(i / 2);
            platform.addClient(fmt::format("player {}", i), uid,
                               [this, i](ClientContext& context) { play(context, i); });
        }
        platform.run();
        return std::move(report_);
    }

  private:
    struct Player {
        std::unique_ptr<driver::HostEvent> cue;
        Part part;
    };

    // ---- the conductor

    void conduct(ClientContext& context) {
        roundEnd_ = context.createEvent();
        for (Piece& piece : pieces_) {
            rehearse(context, piece);
        }
        while (report_.preemptions < options_.preemptions) {
            playRound(context);
            if (options_.onProgress) {
                options_.onProgress(report_.preemptions);
            }
        }
        isFinished_ = true;
        for (Player& player : players_) {
            player.cue->set();
        }
    }

    /// Runs every network alone, with a priority, so that its stream has checkpoints as later.
    void rehearse(ClientContext& context, Piece& piece) {
        const auto runner = ModelRunner::prepare(context, piece.network, nn::Priority::MEDIUM);
        for (Take& take : piece.takes) {
            const ExecutionResult result = execute(*runner, take);
            if (result.status != nn::ErrorStatus::NONE) {
                throw std::runtime_error(fmt::format("{}: the execution alone ended with {}",
                                                     piece.name, nameOf(result.status)));
            }
            piece.duration = result.end - result.begin;
            for (std::size_t i = 0; i < piece.network.outputs.size(); ++i) {
                const auto bytes = runner->output(i);
                take.outputs.emplace_back(bytes.begin(), bytes.end());
            }
        }
        const driver::DriverCounters counters = driver::countersOf(context.device());
        if (counters.preemptions + counters.restarts != 0) {
            throw std::runtime_error("an execution alone was preempted");
        }
    }

    void playRound(ClientContext& context) {
        const auto set = driver::reschedule(context.device(), drawScheduling(random_));
        if (!set) {
            throw std::runtime_error(fmt::format("scheduling is refused: {}", set.error().reason));
        }
        cast();
        busy_ = missing_ = kPlayers;
        for (Player& player : players_) {
            player.cue->set();
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
    void cast() {
        const Piece& main = pieces_[below(random_, pieces_.size())];
        std::vector<const Piece*> shorter;
        for (const Piece& piece : pieces_) {
            if (piece.duration * 4 <= main.duration) {
                shorter.push_back(&piece);
            }
        }
        const std::uint64_t others = 1 + below(random_, kPlayers - 1);
        for (std::size_t i = 0; i < kPlayers; ++i) {
            Part& part = players_[i].part;
            part = {.seed = random_.next()};
            if (i == 0) {
                part.piece = &main;
                part.isMain = true;
                part.priority = static_cast<nn::Priority>(below(random_, 2));
            } else if (i <= others) {
                part.piece = shorter.empty() ? &main : shorter[below(random_, shorter.size())];
                part.priority = static_cast<nn::Priority>(below(random_, 3));
            }
        }
    }

    // ---- the players

    void play(ClientContext& context, std::size_t index) {
        Player& self = players_[index];
        self.cue = context.createEvent();
        while (true) {
            self.cue->wait();
            self.cue->reset();
            if (isFinished_) {
                return;
            }
            playPart(context, self.part);
            if (--busy_ == 0) {
                roundEnd_->set();
            }
        }
    }

    void playPart(ClientContext& context, const Part& part) {
        const auto runner =
                part.piece == nullptr
                        ? nullptr
                        : ModelRunner::prepare(context, part.piece->network, part.priority);
        --missing_;
        while (missing_ != 0) {
            context.sleepUntil(context.now() + kRest);
        }
        if (part.isMain) {
            isMainBusy_ = true;
            check(*runner, *part.piece, part.seed % 2);
            isMainBusy_ = false;
            return;
        }
        Random random(part.seed);
        for (std::uint64_t i = 0; runner != nullptr && i < kMostVisits; ++i) {
            const double most = 2.0 * static_cast<double>((part.piece->duration + kRest).count());
            context.sleepUntil(context.now() + std::chrono::nanoseconds(static_cast<std::int64_t>(
                                                       random.nextUnit() * most)));
            if (!isMainBusy_) {
                return;
            }
            check(*runner, *part.piece, i % 2);
        }
    }

    void check(ModelRunner& runner, const Piece& piece, std::size_t takeIndex) {
        const Take& take = piece.takes[takeIndex];
        const nn::ErrorStatus status = execute(runner, take).status;
        std::string problem = status == nn::ErrorStatus::NONE ? "" : nameOf(status);
        for (std::size_t i = 0; problem.empty() && i < take.outputs.size(); ++i) {
            const auto bytes = runner.output(i);
            if (!std::equal(bytes.begin(), bytes.end(), take.outputs[i].begin(),
                            take.outputs[i].end())) {
                problem = fmt::format("output {} is not what it is alone", i);
            }
        }
        PreemptionStressReport::Share& share = report_.networks[piece.name];
        ++share.executions;
        if (problem.empty()) {
            return;
        }
        ++share.wrong;
        if (report_.errors.size() < kMostMismatches) {
            report_.errors.push_back(
                    fmt::format("round {}: {}: {}", report_.rounds, piece.name, problem));
        }
    }

    const PreemptionStressOptions& options_;
    std::vector<Piece> pieces_;
    Random random_;
    hw::NpuConfig config_;
    std::array<Player, kPlayers> players_;
    std::unique_ptr<driver::HostEvent> roundEnd_;
    std::size_t missing_ = 0;  // number of players that have not prepared yet
    std::size_t busy_ = 0;
    bool isMainBusy_ = false;
    bool isFinished_ = false;
    PreemptionStressReport report_;
};

}  // namespace

std::uint64_t PreemptionStressReport::executions() const {
    std::uint64_t sum = 0;
    for (const auto& [name, share] : networks) {
        sum += share.executions;
    }
    return sum;
}

std::uint64_t PreemptionStressReport::wrong() const {
    std::uint64_t sum = 0;
    for (const auto& [name, share] : networks) {
        sum += share.wrong;
    }
    return sum;
}

PreemptionStressReport stressPreemption(const hw::NpuConfig& config,
                                        const PreemptionStressOptions& options) {
    return Stage(config, options).run();
}

}  // namespace vnpu::sim
