// SPDX-License-Identifier: Apache-2.0
// The cost of preemption through driver, firmware and device, against closed forms of the numbers
// in the configurations.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/regs/command_reader.h"
#include "sim/base/percentile.h"
#include "sim/base/random.h"
#include "sim/client/model_runner.h"
#include "sim/config/load_config.h"
#include "sim/import/source.h"
#include "sim/models/model_builder.h"
#include "sim/platform/platform.h"
#include "tests/integration/stream_transfers.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu;
using namespace vnpu::sim;
using std::chrono::nanoseconds;
using vnpu::test::simCase;

// The controller's own work, in cycles; source: firmware/README.md and cycle_costs.h
constexpr double kHeaderCheck = 240;  // fills or checks the header of a save area
constexpr double kHeaderBytes = 768;
constexpr double kTransferCommandBytes = 128;
constexpr double kRegion = 12;
constexpr double kRegionEntryBytes = 24;
constexpr double kRegions = 5;  // commands' constants, scratch, pools
constexpr double kBlock = 20;
constexpr double kFirstBlockBytes = 512;
constexpr double kPush = 24 + 3 * 2;    // one transfer: decode, three registers
constexpr double kWakeUp = 20 + 5 * 2;  // interrupt, five registers
constexpr double kLogRecord = 12;
constexpr double kPick = 32 + 2 * 24;  // two rings with a job
constexpr double kWalk = 3 * 20;       // three levels of a page table in the walker's cache

constexpr double kChannels = 4;
constexpr double kLeastPart = 4096;  // bytes; shorter ranges are not split between channels
constexpr double kAlignment = 64;

/// A context without its header: the bytes of each transfer, in order.
using Transfers = std::vector<double>;

/// Each live range is split into as many parts as there are channels.
Transfers transfersOf(const hw::Checkpoint& checkpoint) {
    Transfers transfers;
    const auto add = [&transfers](double bytes) {
        const double share = std::ceil(bytes / kChannels / kAlignment) * kAlignment;
        const double part = std::max(kLeastPart, share);
        const auto whole = static_cast<std::size_t>(bytes / part);
        transfers.insert(transfers.end(), whole, part);
        if (const double rest = bytes - static_cast<double>(whole) * part; rest > 0) {
            transfers.push_back(rest);
        }
    };
    for (const hw::SramRange& range : checkpoint.ranges) {
        add(range.sizeBytes);
    }
    add(checkpoint.accumulatorBytes);
    return transfers;
}

/// The reloads of a checkpoint: the bytes of each transfer.
Transfers reloadsOf(const hw::Checkpoint& checkpoint, std::span<const std::byte> commands) {
    Transfers transfers;
    for (std::uint32_t i = 0; i < checkpoint.reloadCount; ++i) {
        transfers.push_back(
                static_cast<double>(vnpu::test::bytesOfTransfer(commands, checkpoint.reloads[i])));
    }
    return transfers;
}

/// The cost of a context on one device.
struct Costs {
    explicit Costs(const hw::NpuConfig& config)
        : latency(config.dram.latencyCycles + config.interconnect.latencyCycles),
          rate(config.dram.bytesPerCycle),
          startup(config.dma.startupCycles) {}

    double header() const { return latency + kHeaderBytes / rate + kHeaderCheck; }
    /// A transfer starts when the controller has pushed it and the memory has finished the earlier
    /// ones. Of several pages, the first is not in the TLB.
    double data(const Transfers& transfers) const {
        double pushed = 0, done = 0, bytes = 0;
        for (const double part : transfers) {
            pushed += kPush;
            done = std::max(done, pushed) + part / rate;
            bytes += part;
        }
        const double walk = bytes > 4096 ? kWalk : 0;
        return transfers.empty() ? 0 : startup + latency + walk + done + kWakeUp;
    }
    double save(const Transfers& transfers) const { return data(transfers) + header(); }
    /// Before each of these transfers the controller fetches its command.
    double reload(const Transfers& transfers) const {
        double pushed = 0, done = 0;
        for (const double bytes : transfers) {
            pushed += kBlock + latency + kTransferCommandBytes / rate + kPush;
            done = std::max(done, pushed) + bytes / rate;
        }
        return transfers.empty() ? 0 : startup + latency + done + kWakeUp;
    }
    /// The restore also reads region table and stream.
    double restore(const Transfers& transfers) const {
        const double regions = latency + kRegions * (kRegionEntryBytes / rate + kRegion);
        const double stream = kBlock + latency + kFirstBlockBytes / rate;
        return regions + header() + stream + data(transfers);
    }

    double latency, rate, startup;
};

/// Records the values of the jobs' records and of the firmware's marks.
class Log : public driver::DriverObserver, public hw::DeviceObserver {
  public:
    struct Mark {
        std::uint64_t cycle = 0;
        std::string event;
        std::uint64_t jobId = 0;
    };

    void onJobShared(nanoseconds /*now*/, std::uint64_t /*jobId*/,
                     const driver::JobSharing& sharing) override {
        last = sharing;
    }
    void onFirmwareEvent(std::uint64_t cycle, std::string_view event,
                         std::uint64_t jobId) override {
        marks.push_back({cycle, std::string(event), jobId});
    }
    void onEngineCommand(const hw::EngineCommandRecord& record) override {
        if (record.engine == hw::Engine::kDsp) {
            operators.push_back(record);
        }
    }

    driver::JobSharing last;
    std::vector<Mark> marks;
    std::vector<hw::EngineCommandRecord> operators;
};

hw::NpuConfig timingOnly(const char* name) {
    hw::NpuConfig config = loadConfig(name);
    config.timingOnly = true;
    return config;
}

Network networkOf(const char* name) {
    return loadNetwork(std::string("zoo:") + name, {.zeroWeights = true});
}

constexpr std::initializer_list<const char*> kConvolutionNetworks = {"mobilenet_v1", "mobilenet_v2",
                                                                     "googlenet", "resnet50"};

/// Executes networks on a device that preempts every job at every checkpoint. Compares the total
/// cost of the switches with the sum of what `expect` returns for each.
using Expectation = std::function<double(const Costs& costs, const driver::JobSharing& sharing,
                                         const driver::CompiledModel& model)>;
void checkSwitches(const char* configName, std::initializer_list<const char*> networks,
                   const Expectation& expect) {
    Log log;
    driver::SchedulingOptions scheduling;
    scheduling.experiments.isForced = true;
    const hw::NpuConfig config = timingOnly(configName);
    Platform platform({.config = config, .driverObserver = &log, .scheduling = scheduling});
    platform.addClient("client", 10'001, [&](ClientContext& context) {
        for (const char* name : networks) {
            CAPTURE(std::string(name));
            const Network network = networkOf(name);
            const auto runner = ModelRunner::prepare(context, network, nn::Priority::LOW);
            CHECK(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
            const auto model = driver::compiledModelOf(runner->preparedModel());
            CHECK(static_cast<double>(log.last.switchCycles) ==
                  doctest::Approx(expect(Costs(config), log.last, *model)).epsilon(0.05));
        }
    });
    platform.run();
}

/// Checkpoint by checkpoint of a stream without operators of the DSP.
double costOfCheckpoints(const Costs& costs, const driver::JobSharing& sharing,
                         const driver::CompiledModel& model) {
    double cost = 0;
    std::uint32_t checkpoints = 0;
    hw::CommandReader reader(model.commands);
    for (hw::CommandView command; reader.next(command);) {
        if (command.header->opcode == hw::Opcode::kCheckpoint) {
            const auto checkpoint = command.as<hw::Checkpoint>();
            const Transfers transfers = transfersOf(checkpoint);
            cost += costs.save(transfers) + costs.restore(transfers) +
                    costs.reload(reloadsOf(checkpoint, model.commands));
            ++checkpoints;
        }
    }
    CHECK(checkpoints > 0);
    CHECK(sharing.preemptions == checkpoints);
    return cost;
}

/// With operators of the DSP, which also stop between checkpoints: by the mean of the saved and the
/// loaded bytes.
double costOfMean(const Costs& costs, const driver::JobSharing& sharing,
                  const driver::CompiledModel& /*model*/) {
    const double count = sharing.preemptions;
    REQUIRE(count > 0);
    const Transfers mean = {static_cast<double>(sharing.savedBytes) / count - kHeaderBytes};
    const Transfers reloaded = {static_cast<double>(sharing.reloadedBytes) / count};
    return count * (costs.save(mean) + costs.restore(mean) + costs.reload(reloaded));
}

/// An operator of the DSP that computes half a million cycles on little data: 512 hash functions of
/// 256 elements, four cycles each.
Network hashing() {
    ModelBuilder builder("hashing");
    const auto tensor = [](std::vector<std::uint32_t> dimensions) {
        return OperandSpec{.type = nn::OperandType::TENSOR_FLOAT32,
                           .dimensions = std::move(dimensions)};
    };
    const auto functions = builder.addInput(tensor({32, 16}), "functions");
    const auto input = builder.addInput(tensor({64, 4}), "input");
    const auto weights = builder.addInput(tensor({64}), "weights");
    const auto kind = builder.addInt32(1);  // sparse
    const auto output = builder.addTemporary(
            {.type = nn::OperandType::TENSOR_INT32, .dimensions = {32}}, "output");
    builder.addOperation(nn::OperationType::LSH_PROJECTION, {functions, input, weights, kind},
                         output);
    builder.markOutput(output);
    return builder.build();
}

/// Low-priority clients that always have an execution running, until a high-priority client has
/// executed `count` times at random times.
class Contest {
  public:
    Contest(const hw::NpuConfig& config, Log& log, const Network& low, const Network& high)
        : platform_({.config = config,
                     .deviceObserver = &log,
                     .scheduling = {.strategy = driver::Strategy::kDevice}}),
          low_(low),
          high_(high) {}

    struct Result {
        std::uint64_t isolatedNs = 0;             // of the high client's calls, alone
        std::vector<std::uint64_t> latenciesNs;   // beside the others, rising
        std::uint64_t longestIntervalCycles = 0;  // of the low clients' streams
        std::uint64_t saveBytes = 0;
        std::uint64_t lowExecutions = 0;
    };
    Result run(int lows, int executions, nanoseconds longestGap) {
        Result result;
        for (int i = 0; i < lows; ++i) {
            platform_.addClient("low", 10'001 + static_cast<std::uint32_t>(i),
                                [&](ClientContext& context) { runLow(context, result); });
        }
        platform_.addClient("high", 10'101, [&](ClientContext& context) {
            runHigh(context, executions, longestGap, result);
        });
        platform_.run();
        std::sort(result.latenciesNs.begin(), result.latenciesNs.end());
        return result;
    }

  private:
    void runLow(ClientContext& context, Result& result) {
        const auto runner = ModelRunner::prepare(context, low_, nn::Priority::LOW);
        const auto compiled = driver::compiledModelOf(runner->preparedModel());
        result.longestIntervalCycles = compiled->longestIntervalCycles;
        result.saveBytes = compiled->saveBytes;
        while (!isBegun_) {
            context.sleepUntil(context.now() + nanoseconds(10'000));
        }
        while (!isOver_) {
            CHECK(runner->execute(ExecutionPath::kSync).status == nn::ErrorStatus::NONE);
            ++result.lowExecutions;
        }
    }

    void runHigh(ClientContext& context, int executions, nanoseconds longestGap, Result& result) {
        const auto runner = ModelRunner::prepare(context, high_, nn::Priority::HIGH);
        const auto execute = [&] {
            const ExecutionResult execution = runner->execute(ExecutionPath::kSync);
            CHECK(execution.status == nn::ErrorStatus::NONE);
            return static_cast<std::uint64_t>((execution.end - execution.begin).count());
        };
        execute();  // maps the pools
        result.isolatedNs = execute();
        isBegun_ = true;
        Random random(1);
        for (int i = 0; i < executions; ++i) {
            const auto gap = static_cast<std::uint64_t>(longestGap.count());
            context.sleepUntil(context.now() +
                               nanoseconds(1 + static_cast<std::int64_t>(random.next() % gap)));
            result.latenciesNs.push_back(execute());
        }
        isOver_ = true;
    }

    Platform platform_;
    const Network& low_;
    const Network& high_;
    bool isBegun_ = false;
    bool isOver_ = false;
};

/// From the decision to the start of the next job while an operator of the DSP runs: a log record,
/// the time to the next yield point, the save of 4 KiB of state, another record and the choice.
class LatencyForm {
  public:
    explicit LatencyForm(const hw::NpuConfig& config)
        : interval_(config.dsp.yieldCycles),
          record_(2 * (Costs(config).latency + 32 / config.dram.bytesPerCycle) + kLogRecord),
          behindYield_(kWakeUp + Costs(config).save({4096}) + record_ + kPick) {}

    /// For a decision that long after the start of the operator; nothing if it is too close to a
    /// yield point to know which one will be used.
    std::optional<double> operator()(std::uint64_t since) const {
        constexpr double kDoubt = 60;  // chosen: the work between decision and request
        const double asked = static_cast<double>(since) + record_;
        const double yield = (std::floor(asked / interval_) + 1) * interval_;
        if (yield - asked < kDoubt) {
            return std::nullopt;
        }
        return yield - static_cast<double>(since) + behindYield_;
    }

  private:
    double interval_, record_, behindYield_;
};

void checkLatencies(const char* configName) {
    const hw::NpuConfig config = timingOnly(configName);
    const LatencyForm form(config);
    const Network low = hashing();
    const Network high = networkOf("elman");
    Log log;
    Contest(config, log, low, high).run(1, 60, nanoseconds(400'000));
    int latencies = 0;
    bool isFirst = true;  // the first save also reads the save area's page table from DRAM
    for (std::size_t i = 0; i + 2 < log.marks.size(); ++i) {
        const std::uint64_t requested = log.marks[i].cycle;
        if (log.marks[i].event != "preempt-request" || log.marks[i + 1].event != "preempted") {
            continue;
        }
        if (std::exchange(isFirst, false)) {
            continue;
        }
        const auto part =
                std::find_if(log.operators.begin(), log.operators.end(),
                             [requested](const hw::EngineCommandRecord& one) {
                                 return one.startCycle <= requested && requested < one.endCycle;
                             });
        const bool isStopped = part != log.operators.end() &&
                               (part->endCycle - part->startCycle) % config.dsp.yieldCycles == 0;
        if (!isStopped) {
            continue;  // not running yet, or ending before the next yield point
        }
        if (const auto expected = form(requested - part->startCycle)) {
            REQUIRE(log.marks[i + 2].event == "job-start");
            CHECK(static_cast<double>(log.marks[i + 2].cycle - requested) ==
                  doctest::Approx(*expected).epsilon(0.05));
            ++latencies;
        }
    }
    CHECK(latencies > 30);
}

/// Two low-priority clients keep the device busy. The tail may exceed the latency alone by the
/// longest interval of their streams and the save of the largest context.
void checkTail(const char* configName, const char* lowName) {
    const hw::NpuConfig config = timingOnly(configName);
    REQUIRE(config.clockKhz == 1'000'000);  // a cycle is a nanosecond
    const Network low = networkOf(lowName);
    const Network high = networkOf("ds_cnn");
    Log log;
    const Contest::Result result =
            Contest(config, log, low, high).run(2, 400, nanoseconds(1'000'000));
    const double save = Costs(config).save({static_cast<double>(result.saveBytes)});
    const double bound =
            static_cast<double>(result.isolatedNs + result.longestIntervalCycles) + save;
    CHECK(static_cast<double>(nearestRank(result.latenciesNs, 99)) <= bound);
    CHECK(nearestRank(result.latenciesNs, 50) > result.isolatedNs);
    CHECK(result.lowExecutions > 5);
}

}  // namespace

TEST_SUITE_BEGIN("integration/preemption_cost");

TEST_CASE("saving and restoring takes its closed form within 5 %, on edge [Q-3]") {
    simCase([] { checkSwitches("edge", kConvolutionNetworks, costOfCheckpoints); });
}

TEST_CASE("saving and restoring takes its closed form within 5 %, on mobile [Q-3]") {
    simCase([] { checkSwitches("mobile", kConvolutionNetworks, costOfCheckpoints); });
}

TEST_CASE("saving and restoring takes its closed form within 5 %, on tpu128 [Q-3]") {
    simCase([] { checkSwitches("tpu128", kConvolutionNetworks, costOfCheckpoints); });
}

TEST_CASE("saving and restoring takes its closed form within 5 %, on ws32 [Q-3]") {
    simCase([] { checkSwitches("ws32", kConvolutionNetworks, costOfCheckpoints); });
}

TEST_CASE("saving and restoring within operators takes its closed form within 5 % [Q-3]") {
    simCase([] { checkSwitches("edge", {"sentiment:4"}, costOfMean); });
}

TEST_CASE("preemption latency has its closed form within 5 %, on edge [Q-3]") {
    simCase([] { checkLatencies("edge"); });
}

TEST_CASE("preemption latency has its closed form within 5 %, on mobile [Q-3]") {
    simCase([] { checkLatencies("mobile"); });
}

TEST_CASE(
        "P99 of the highest priority exceeds the time alone by at most an interval and a save, on "
        "edge [Q-2]") {
    simCase([] { checkTail("edge", "resnet50"); });
}

TEST_CASE(
        "P99 of the highest priority exceeds the time alone by at most an interval and a save, on "
        "mobile [Q-2]") {
    simCase([] { checkTail("mobile", "mobilenet_v1"); });
}

TEST_CASE(
        "P99 of the highest priority exceeds the time alone by at most an interval and a save, on "
        "ws32 [Q-2]") {
    simCase([] { checkTail("ws32", "mobilenet_v2"); });
}

TEST_CASE(
        "P99 with large contexts exceeds the time alone by at most an interval and a save [Q-2]") {
    simCase([] { checkTail("edge", "mobilenet_v2"); });
}

TEST_SUITE_END();
