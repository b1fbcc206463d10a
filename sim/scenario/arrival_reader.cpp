// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/arrival_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/scenario/scenario_keys.h"
#include "sim/scenario/trace_file.h"

namespace vnpu::sim {

namespace {

// chosen: at higher rates the period is shorter than the host's own costs
constexpr double kMaxRateHz = 1e6;
constexpr std::uint64_t kMaxUniformCount = 1'000'000;  // chosen: all are drawn in advance

bool readRate(StrictTable& table, double& rateHz) {
    if (!table.read("rate_hz", rateHz)) {
        return false;
    }
    // The comparison is written so that a NaN fails it.
    if (!(rateHz >= 1e-3 && rateHz <= kMaxRateHz)) {
        table.fail("rate_hz", fmt::format("is {}, expected 0.001 to {}", rateHz, kMaxRateHz));
    }
    return true;
}

/// The kinds of arrival that a key belongs to.
struct KeyUse {
    std::string_view key;
    std::vector<ArrivalKind> arrivals;
};

const std::vector<KeyUse>& keyUses() {
    static const std::vector<KeyUse> uses = {
            {"period", {ArrivalKind::kPeriodic}},
            {"rate_hz", {ArrivalKind::kPeriodic, ArrivalKind::kPoisson}},
            {"jitter", {ArrivalKind::kPeriodic}},
            {"think_time", {ArrivalKind::kClosedLoop}},
            {"window", {ArrivalKind::kUniform}},
            {"trace", {ArrivalKind::kTrace}},
    };
    return uses;
}

void rejectForeignKeys(const StrictTable& table, ArrivalKind arrival) {
    for (const KeyUse& use : keyUses()) {
        if (!table.has(use.key) ||
            std::find(use.arrivals.begin(), use.arrivals.end(), arrival) != use.arrivals.end()) {
            continue;
        }
        std::vector<std::string> names;
        for (const ArrivalKind kind : use.arrivals) {
            names.push_back(fmt::format("\"{}\"", nameOf(kind)));
        }
        table.fail(use.key,
                   fmt::format("is not allowed with arrival = \"{}\", expected it with {} only",
                               nameOf(arrival), fmt::join(names, " and ")));
    }
}

void readPeriodic(StrictTable& table, ClientSpec& client) {
    const bool hasPeriod = readDuration(table, "period", client.periodNs, false);
    const bool hasRate = readRate(table, client.rateHz);
    if (hasPeriod == hasRate) {
        table.fail(hasPeriod ? "rate_hz" : "period",
                   hasPeriod ? "is given together with period, expected one of the two"
                             : "is missing, expected period or rate_hz");
    }
    readDuration(table, "jitter", client.jitterNs, true);
    const double periodNs = hasPeriod ? static_cast<double>(client.periodNs) : 1e9 / client.rateHz;
    if (static_cast<double>(client.jitterNs) > periodNs) {
        table.fail("jitter", fmt::format("is {} ns, expected at most the period of {:.0f} ns",
                                         client.jitterNs, periodNs));
    }
}

void readUniform(StrictTable& table, ClientSpec& client) {
    table.require("window", "the time within which the frames arrive");
    readDuration(table, "window", client.windowNs, false);
    table.require("count", "how many frames arrive within the window");
    if (client.count > kMaxUniformCount) {
        table.fail("count", fmt::format("is {}, expected at most {} with arrival = \"uniform\"",
                                        client.count, kMaxUniformCount));
    }
}

void readTrace(StrictTable& table, ClientSpec& client, const std::filesystem::path& folder) {
    table.require("trace", "the path of a file with one time a line");
    std::string path;
    table.read("trace", path);
    try {
        client.traceNs = loadTrace(resolvePath(path, folder));
    } catch (const InputError& error) {
        table.fail("trace", error.what());
    }
}

}  // namespace

void readArrival(StrictTable& table, ClientSpec& client, const std::filesystem::path& folder) {
    table.require("arrival", fmt::format("one of {}", fmt::join(kArrivalNames, ", ")));
    table.readChoice("arrival", kArrivalNames, client.arrival);
    rejectForeignKeys(table, client.arrival);
    if (table.read("count", client.count) && client.count == 0) {
        table.fail("count", "is 0, expected at least 1");
    }
    switch (client.arrival) {
        case ArrivalKind::kPeriodic:
            readPeriodic(table, client);
            break;
        case ArrivalKind::kClosedLoop:
            readDuration(table, "think_time", client.thinkNs, true);
            break;
        case ArrivalKind::kPoisson:
            table.require("rate_hz", "arrivals per second");
            readRate(table, client.rateHz);
            break;
        case ArrivalKind::kUniform:
            readUniform(table, client);
            break;
        case ArrivalKind::kTrace:
            readTrace(table, client, folder);
            break;
    }
    readDuration(table, "phase", client.phaseNs, true);
}

}  // namespace vnpu::sim
