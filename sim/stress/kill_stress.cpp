// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/kill_stress.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <deque>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include "sim/base/random.h"
#include "sim/conform/flavor.h"
#include "sim/service/service_process.h"
#include "sim/stress/held_counts.h"

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// chosen: from before the connection to well within the executions
constexpr std::chrono::microseconds kLongestLife = 60ms;
constexpr int kVictimsAtOnce = 2;           // chosen: so that deaths overlap
constexpr Clock::duration kPatience = 10s;  // chosen: far above the allowed second
constexpr const char* kEndlessFrames = "1000000000";

ChildProgram startClient(const KillOptions& options, const std::string& socket, ExecutionPath path,
                         const std::string& count) {
    return ChildProgram({options.program, "client", options.model, "--socket", socket, "--path",
                         nameOf(path), "--count", count});
}

/// Makes the service create the resources that it keeps for later clients, such as threads.
void warmUp(const KillOptions& options, const std::string& socket) {
    std::vector<ChildProgram> clients;
    for (int round = 0; round < 2; ++round) {
        for (const ExecutionPath path : kExecutionPaths) {
            clients.push_back(startClient(options, socket, path, "5"));
        }
    }
    for (ChildProgram& client : clients) {
        if (const int code = client.wait(); code != 0) {
            throw std::runtime_error(fmt::format("a client ended with code {}, expected 0", code));
        }
    }
}

struct Victim {
    ChildProgram process;
    Clock::time_point end;
};

void killAll(const KillOptions& options, const std::string& socket, KillReport& report) {
    Random random(options.seed);
    std::deque<Victim> victims;
    std::uint64_t started = 0;
    while (report.killed + report.endedBefore < options.kills) {
        if (victims.size() < kVictimsAtOnce && started < options.kills) {
            const auto path = kExecutionPaths[random.next() % std::size(kExecutionPaths)];
            const std::chrono::microseconds life(random.next() %
                                                 static_cast<std::uint64_t>(kLongestLife.count()));
            victims.push_back(
                    {startClient(options, socket, path, kEndlessFrames), Clock::now() + life});
            ++started;
            continue;
        }
        Victim victim = std::move(victims.front());
        victims.pop_front();
        std::this_thread::sleep_until(victim.end);
        const bool isKilled = victim.process.end(SIGKILL) == 128 + SIGKILL;
        ++(isKilled ? report.killed : report.endedBefore);
        if (options.onProgress) {
            options.onProgress(report.killed + report.endedBefore);
        }
    }
}

void checkSurvivors(std::vector<ChildProgram>& survivors, KillReport& report) {
    for (ChildProgram& survivor : survivors) {
        if (const auto code = survivor.poll()) {
            report.errors.push_back(
                    fmt::format("a client that nobody killed ended with code {}", *code));
        }
        survivor.end(SIGKILL);
    }
}

/// Polls the service until the resources are back or the time limit has passed.
void settle(hal::RpcClient& client, KillReport& report) {
    const auto begin = Clock::now();
    do {
        report.after = readStatus(client);
        if (report.leaks().empty()) {
            break;
        }
        std::this_thread::sleep_for(1ms);
    } while (Clock::now() - begin < kPatience);
    report.secondsToSettle = std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

std::vector<std::string> KillReport::leaks() const {
    const auto ofDevice = [](const ServiceStatus& status) {
        return status.devices.empty() ? driver::DriverCounters() : status.devices[0].driver;
    };
    const auto held = [](const ServiceStatus& status) {
        std::uint64_t sum = 0;
        for (const hal::RpcServer::Usage& user : status.users) {
            sum += user.connections + user.objects + user.references;
        }
        return sum;
    };
    std::vector<HeldCount> counts = heldCounts(ofDevice(before), ofDevice(after));
    counts.push_back({"descriptors", before.descriptors, after.descriptors});
    counts.push_back({"threads", before.threads, after.threads});
    counts.push_back({"connections, objects and callbacks", held(before), held(after)});
    std::vector<std::string> lines;
    for (const HeldCount& count : counts) {
        if (count.after > count.before) {  // a service may hold less than after its start
            lines.push_back(describe(count));
        }
    }
    return lines;
}

KillReport runKills(const KillOptions& options) {
    ServiceProcess service(options.program, {"--config", options.config});
    auto client = hal::RpcClient::connect(service.socketPath());
    if (!client) {
        throw std::runtime_error(client.error());
    }
    warmUp(options, service.socketPath());
    KillReport report;
    report.before = readStatus(**client);
    std::vector<ChildProgram> survivors;
    for (const ExecutionPath path : {ExecutionPath::kSync, ExecutionPath::kBurst}) {
        survivors.push_back(startClient(options, service.socketPath(), path, kEndlessFrames));
    }
    killAll(options, service.socketPath(), report);
    checkSurvivors(survivors, report);
    settle(**client, report);
    client->reset();
    if (const int code = service.process().end(SIGTERM); code != 0) {
        report.errors.push_back(fmt::format("the service ended with code {}, expected 0", code));
    }
    return report;
}

}  // namespace vnpu::sim
