// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "sim/config/embedded_files.h"
#include "sim/config/strict_toml.h"
#include "sim/error.h"
#include "sim/scenario/duration.h"

namespace vnpu::sim {

namespace {

const std::vector<std::string> kPriorityWords = {"low", "medium", "high"};
const std::vector<std::string> kArrivalWords = {"periodic", "closed_loop", "poisson"};
const std::vector<std::string> kPathWords = {"sync", "async"};
constexpr double kMaxRateHz =
        1e6;  // chosen: beyond it the host's own costs are longer than the period

bool isPlainName(std::string_view name) {
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    });
}

void readName(StrictTable& table, std::string& name) {
    table.require("name", "a name of letters, digits, _ and -");
    table.read("name", name);
    if (!isPlainName(name)) {
        table.fail("name",
                   fmt::format("is \"{}\", expected 1 to 64 letters, digits, _ and -", name));
    }
}

bool readDuration(StrictTable& table, std::string_view key, std::uint64_t& nanoseconds,
                  bool mayBeZero) {
    std::string text;
    if (!table.read(key, text)) {
        return false;
    }
    const std::optional<std::uint64_t> parsed = parseDuration(text);
    if (!parsed) {
        table.fail(key, fmt::format("is \"{}\", expected {}", text, kDurationForm));
    }
    if (*parsed == 0 && !mayBeZero) {
        table.fail(key, "is zero, expected a longer duration");
    }
    nanoseconds = *parsed;
    return true;
}

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

void rejectWith(const StrictTable& table, std::string_view key, ArrivalKind arrival,
                std::string_view belongsTo) {
    if (table.has(key)) {
        table.fail(key, fmt::format("does not go with arrival = \"{}\", expected it with {} only",
                                    arrivalName(arrival), belongsTo));
    }
}

void readArrival(StrictTable& table, ClientSpec& client) {
    table.require("arrival", "one of periodic, closed_loop, poisson");
    std::size_t arrival = 0;
    table.readChoice("arrival", kArrivalWords, arrival);
    client.arrival = static_cast<ArrivalKind>(arrival);
    if (client.arrival != ArrivalKind::kPeriodic) {
        rejectWith(table, "period", client.arrival, "\"periodic\"");
    }
    if (client.arrival != ArrivalKind::kClosedLoop) {
        rejectWith(table, "think_time", client.arrival, "\"closed_loop\"");
    }
    if (client.arrival == ArrivalKind::kClosedLoop) {
        rejectWith(table, "rate_hz", client.arrival, "\"periodic\" and \"poisson\"");
        readDuration(table, "think_time", client.thinkNs, true);
    } else if (client.arrival == ArrivalKind::kPoisson) {
        table.require("rate_hz", "arrivals per second");
        readRate(table, client.rateHz);
    } else {
        const bool hasPeriod = readDuration(table, "period", client.periodNs, false);
        const bool hasRate = readRate(table, client.rateHz);
        if (hasPeriod == hasRate) {
            table.fail(hasPeriod ? "rate_hz" : "period",
                       hasPeriod ? "stands beside period, expected one of the two"
                                 : "is missing, expected period or rate_hz");
        }
    }
    readDuration(table, "phase", client.phaseNs, true);
}

std::string resolvePath(const std::string& written, const std::filesystem::path& folder) {
    const std::filesystem::path path(written);
    return path.is_absolute() || folder.empty() ? written
                                                : (folder / path).lexically_normal().string();
}

ClientSpec readClient(const toml::table& source, const std::string& file,
                      const std::filesystem::path& folder) {
    StrictTable table(source, file, "client.");
    table.know({"name", "uid", "model", "priority", "path", "arrival", "period", "rate_hz",
                "think_time", "phase", "deadline", "count", "state"});
    ClientSpec client;
    readName(table, client.name);
    table.require("uid", "the Android UID of the app, such as 10101");
    table.read("uid", client.uid);
    table.require("model", "\"zoo:NAME\" or the path of a .tflite file");
    table.read("model", client.model);
    if (client.model.empty()) {
        table.fail("model", "is empty, expected \"zoo:NAME\" or the path of a .tflite file");
    }
    client.modelPlace = table.place("model");
    client.modelSource =
            client.model.starts_with("zoo:") ? client.model : resolvePath(client.model, folder);
    std::size_t choice = static_cast<std::size_t>(client.priority);
    table.readChoice("priority", kPriorityWords, choice);
    client.priority = static_cast<ClientPriority>(choice);
    choice = static_cast<std::size_t>(client.path);
    table.readChoice("path", kPathWords, choice);
    client.path = static_cast<ClientPath>(choice);
    readArrival(table, client);
    readDuration(table, "deadline", client.deadlineNs, false);
    if (table.read("count", client.count) && client.count == 0) {
        table.fail("count", "is 0, expected at least 1");
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    if (table.readPairs("state", pairs)) {
        client.statePlace = table.place("state");
        for (const auto& [output, input] : pairs) {
            client.states.push_back({.output = output, .input = input});
        }
    }
    table.finish();
    return client;
}

void readHead(StrictTable& table, Scenario& scenario, const std::filesystem::path& folder) {
    table.know({"name", "duration", "config", "seed"});
    readName(table, scenario.name);
    table.require("duration", kDurationForm);
    readDuration(table, "duration", scenario.durationNs, false);
    table.require("config", "a configuration's name or the path of a .toml file");
    table.read("config", scenario.config);
    scenario.configPlace = table.place("config");
    const bool isPath =
            scenario.config.find('/') != std::string::npos || scenario.config.ends_with(".toml");
    scenario.configSource = isPath ? resolvePath(scenario.config, folder) : scenario.config;
    table.read("seed", scenario.seed);
    table.finish();
}

}  // namespace

std::string_view priorityName(ClientPriority priority) {
    return kPriorityWords[static_cast<std::size_t>(priority)];
}

std::string_view arrivalName(ArrivalKind arrival) {
    return kArrivalWords[static_cast<std::size_t>(arrival)];
}

std::string_view pathName(ClientPath path) {
    return kPathWords[static_cast<std::size_t>(path)];
}

Scenario parseScenario(std::string_view text, const std::string& file) {
    const toml::table root = parseToml(text, file);
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    StrictTable top(root, file, "");
    Scenario scenario;
    const toml::table* head = top.table("scenario");
    const toml::array* clients = top.tableArray("client");
    top.finish();
    if (head == nullptr) {
        throw InputError(fmt::format(
                "{}:1: table [scenario] is missing, expected it with name, duration and config",
                file));
    }
    StrictTable headTable(*head, file, "scenario.");
    readHead(headTable, scenario, folder);
    if (clients == nullptr) {
        throw InputError(fmt::format("{}:1: no [[client]] table, expected at least one", file));
    }
    std::set<std::string> names;
    for (const toml::node& node : *clients) {
        scenario.clients.push_back(readClient(*node.as_table(), file, folder));
        if (!names.insert(scenario.clients.back().name).second) {
            const StrictTable table(*node.as_table(), file, "client.");
            table.fail("name", fmt::format("is \"{}\" twice, expected names that differ",
                                           scenario.clients.back().name));
        }
    }
    return scenario;
}

Scenario loadScenario(const std::string& nameOrPath) {
    if (const EmbeddedFile* shipped = findEmbedded(embeddedScenarios(), nameOrPath)) {
        return parseScenario(shipped->text, fmt::format("{}.toml", shipped->name));
    }
    std::ifstream in(nameOrPath, std::ios::binary);
    if (!in) {
        std::vector<std::string> names;
        for (const EmbeddedFile& file : embeddedScenarios()) {
            names.emplace_back(file.name);
        }
        throw InputError(fmt::format(
                "scenario \"{}\" can't be read, expected the path of a .toml file or one of {}{}",
                nameOrPath, fmt::join(names, ", "), didYouMean(nameOrPath, names)));
    }
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return parseScenario(text, nameOrPath);
}

}  // namespace vnpu::sim
