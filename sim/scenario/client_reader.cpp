// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/client_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "sim/base/random.h"
#include "sim/scenario/arrival_reader.h"
#include "sim/scenario/scenario_keys.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kMaxBatch = 1024;   // chosen: more is a typing mistake
constexpr std::uint32_t kMaxCopies = 1000;  // chosen: likewise
constexpr double kMaxDeadlineFactor = 1e6;  // chosen: likewise

/// The choices that a table leaves to the seed; each copy takes one element of every list.
struct Choices {
    std::vector<std::string> models;
    std::vector<std::uint32_t> batches = {1};
    std::vector<ClientPriority> priorities = {ClientPriority::kMedium};
};

template <typename Value>
const Value& choose(const std::vector<Value>& values, Random& random) {
    return values[random.next() % values.size()];
}

Choices readChoices(StrictTable& table) {
    Choices choices;
    table.require("model", "\"zoo:NAME\" or the path of a .tflite file");
    table.readList("model", choices.models);
    for (const std::string& model : choices.models) {
        if (model.empty()) {
            table.fail("model", "is empty, expected \"zoo:NAME\" or the path of a .tflite file");
        }
    }
    table.readList("batch", choices.batches);
    for (const std::uint32_t batch : choices.batches) {
        if (batch == 0 || batch > kMaxBatch) {
            table.fail("batch", fmt::format("is {}, expected 1 to {}", batch, kMaxBatch));
        }
    }
    table.readChoiceList("priority", kPriorityNames, choices.priorities);
    return choices;
}

void readDeadline(StrictTable& table, ClientSpec& client) {
    const bool hasTime = readDuration(table, "deadline", client.deadlineNs, false);
    const bool hasFactor = table.read("deadline_factor", client.deadlineFactor);
    if (hasTime && hasFactor) {
        table.fail("deadline_factor", "is given together with deadline, expected one of the two");
    }
    // The comparison is written so that a NaN fails it.
    if (hasFactor &&
        !(client.deadlineFactor > 0.0 && client.deadlineFactor <= kMaxDeadlineFactor)) {
        table.fail("deadline_factor", fmt::format("is {}, expected above 0 to {}",
                                                  client.deadlineFactor, kMaxDeadlineFactor));
    }
    if ((hasTime || hasFactor) && client.path == ClientPath::kBurst) {
        table.fail(hasTime ? "deadline" : "deadline_factor",
                   "is not allowed with path = \"burst\", expected none: a burst cannot carry it");
    }
}

void readStates(StrictTable& table, ClientSpec& client) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    if (!table.readPairs("state", pairs)) {
        return;
    }
    if (client.path == ClientPath::kBurst) {
        table.fail("state",
                   "is not allowed with path = \"burst\", expected none: a burst cannot "
                   "carry buffers of the device");
    }
    client.statePlace = table.place("state");
    for (const auto& [output, input] : pairs) {
        client.states.push_back({.output = output, .input = input});
    }
}

/// One number, or the least and the most.
void readExpectedFailures(StrictTable& table, ClientSpec& client) {
    std::vector<std::uint64_t> counts;
    if (!table.readList("expected_failures", counts)) {
        return;
    }
    if (counts.size() > 2 || counts.back() < counts.front()) {
        table.fail("expected_failures", fmt::format("is [{}], expected one number, or the least "
                                                    "and the most",
                                                    fmt::join(counts, ", ")));
    }
    client.leastFailures = counts.front();
    client.mostFailures = counts.back();
}

void applyChoice(ClientSpec& client, const Choices& choices, const ClientReading& reading) {
    // A random stream of its own, because input data and arrivals use that of the client's seed.
    Random random(clientSeed(reading.seed, client.name + "/choice"));
    client.model = choose(choices.models, random);
    client.modelSource = client.model.starts_with("zoo:")
                                 ? client.model
                                 : resolvePath(client.model, reading.folder);
    client.batch = choose(choices.batches, random);
    client.priority = choose(choices.priorities, random);
}

}  // namespace

std::vector<ClientSpec> readClients(const toml::table& source, const ClientReading& reading) {
    StrictTable table(source, reading.file, "client.");
    table.know({"name",       "uid",
                "model",      "batch",
                "priority",   "path",
                "arrival",    "period",
                "rate_hz",    "jitter",
                "think_time", "window",
                "trace",      "phase",
                "deadline",   "deadline_factor",
                "count",      "copies",
                "state",      "process",
                "preference", "expected_failures"});
    ClientSpec client;
    readName(table, client.name);
    table.require("uid", "the Android UID of the app, such as 10101");
    table.read("uid", client.uid);
    const Choices choices = readChoices(table);
    client.modelPlace = table.place("model");
    table.readChoice("path", kPathNames, client.path);
    table.readChoice("preference", kPreferenceNames, client.preference);
    readArrival(table, client, reading.folder);
    readDeadline(table, client);
    readStates(table, client);
    readExpectedFailures(table, client);
    bool isProcess = false;
    if (table.read("process", isProcess) && isProcess) {
        client.processPlace = table.place("process");
    }
    std::uint32_t copies = 0;
    if (table.read("copies", copies) && (copies == 0 || copies > kMaxCopies)) {
        table.fail("copies", fmt::format("is {}, expected 1 to {}", copies, kMaxCopies));
    }
    table.finish();
    if (copies == 0) {
        applyChoice(client, choices, reading);
        return {client};
    }
    std::vector<ClientSpec> clients;
    for (std::uint32_t i = 0; i < copies; ++i) {
        clients.push_back(client);
        clients.back().name = fmt::format("{}-{}", client.name, i + 1);
        clients.back().uid = client.uid + i;
        applyChoice(clients.back(), choices, reading);
    }
    return clients;
}

}  // namespace vnpu::sim
