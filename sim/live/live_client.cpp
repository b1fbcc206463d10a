// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_client.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sim/base/error.h"
#include "sim/client/remote_context.h"
#include "sim/live/start_gate.h"
#include "sim/scenario/scenario_client.h"

namespace vnpu::sim {

namespace {

using Json = nlohmann::ordered_json;

/// Collects the frames.
class LiveWatch : public ClientWatch {
  public:
    LiveWatch(std::string gate, std::vector<FrameRecord>& frames)
        : gate_(std::move(gate)), frames_(frames) {}

    std::uint64_t awaitStart(ClientContext& /*context*/) override {
        return StartGate::await(gate_);
    }
    void onExecuted(ClientContext& /*context*/, FrameRecord record) override {
        frames_.push_back(std::move(record));
    }

  private:
    const std::string gate_;
    std::vector<FrameRecord>& frames_;
};

template <typename Object>
struct Field {
    const char* name;
    std::uint64_t Object::*value;
};
constexpr Field<ClientOutcome> kOutcomeFields[] = {
        {"macs", &ClientOutcome::macs},
        {"prepare_ns", &ClientOutcome::prepareNs},
        {"arrived", &ClientOutcome::arrived},
        {"executed", &ClientOutcome::executed},
        {"failed", &ClientOutcome::failed},
        {"late", &ClientOutcome::late},
        {"missed_deadlines", &ClientOutcome::missedDeadlines},
        {"output_hash", &ClientOutcome::outputHash},
        {"output_mismatches", &ClientOutcome::outputMismatches}};
constexpr Field<FrameRecord> kFrameFields[] = {{"frame", &FrameRecord::frame},
                                               {"arrival_ns", &FrameRecord::arrivalNs},
                                               {"call_ns", &FrameRecord::callNs},
                                               {"return_ns", &FrameRecord::returnNs},
                                               {"time_on_device_us", &FrameRecord::timeOnDeviceUs},
                                               {"time_in_driver_us", &FrameRecord::timeInDriverUs}};

struct Flag {
    const char* name;
    bool FrameRecord::*value;
};
constexpr Flag kFrameFlags[] = {{"ok", &FrameRecord::isOk},
                                {"refused", &FrameRecord::isRefused},
                                {"late", &FrameRecord::isLate},
                                {"missed", &FrameRecord::missedDeadline}};

template <typename Object, std::size_t kCount>
void writeFields(Json& json, const Object& object, const Field<Object> (&fields)[kCount]) {
    for (const Field<Object>& field : fields) {
        json[field.name] = object.*field.value;
    }
}

template <typename Object, std::size_t kCount>
void readFields(const Json& json, Object& object, const Field<Object> (&fields)[kCount]) {
    for (const Field<Object>& field : fields) {
        json.at(field.name).get_to(object.*field.value);
    }
}

}  // namespace

LiveClientAnswer runLiveClient(const Scenario& scenario, const LiveClientRequest& request) {
    const ClientSpec& spec = scenario.clients.at(request.client);
    const Network network = networkOf(spec, scenario.seed, false);
    LiveClientAnswer answer;
    answer.outcome.network = network.name;
    answer.outcome.macs = network.macs;
    RemoteContext context(request.socket);
    LiveWatch watch(request.gate, answer.frames);
    runClient({scenario, request.client, network, true, watch, answer.outcome}, context);
    return answer;
}

std::string toJson(const LiveClientRequest& request) {
    Json json = {{"scenario", request.scenario},       {"file", request.file},
                 {"isolated", request.isolated.byKey}, {"client", request.client},
                 {"socket", request.socket},           {"gate", request.gate}};
    if (request.seed) {
        json["seed"] = *request.seed;
    }
    return json.dump();
}

LiveClientRequest liveClientRequestFrom(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        LiveClientRequest request;
        json.at("scenario").get_to(request.scenario);
        json.at("file").get_to(request.file);
        json.at("isolated").get_to(request.isolated.byKey);
        json.at("client").get_to(request.client);
        json.at("socket").get_to(request.socket);
        json.at("gate").get_to(request.gate);
        if (json.contains("seed")) {
            request.seed = json.at("seed").get<std::uint64_t>();
        }
        return request;
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("stdin: {}, expected the request of a client", error.what()));
    }
}

std::string toJson(const LiveClientAnswer& answer) {
    Json json = {{"network", answer.outcome.network}, {"frames", Json::array()}};
    writeFields(json, answer.outcome, kOutcomeFields);
    for (const FrameRecord& record : answer.frames) {
        Json frame = {{"client", record.client}, {"status", record.status}};
        writeFields(frame, record, kFrameFields);
        for (const Flag& flag : kFrameFlags) {
            frame[flag.name] = record.*flag.value;
        }
        json["frames"].push_back(std::move(frame));
    }
    return json.dump();
}

LiveClientAnswer liveClientAnswerFrom(const std::string& text) {
    try {
        const Json json = Json::parse(text);
        LiveClientAnswer answer;
        json.at("network").get_to(answer.outcome.network);
        readFields(json, answer.outcome, kOutcomeFields);
        for (const Json& frame : json.at("frames")) {
            FrameRecord& record = answer.frames.emplace_back();
            frame.at("client").get_to(record.client);
            frame.at("status").get_to(record.status);
            readFields(frame, record, kFrameFields);
            for (const Flag& flag : kFrameFlags) {
                frame.at(flag.name).get_to(record.*flag.value);
            }
        }
        return answer;
    } catch (const Json::exception& error) {
        throw std::runtime_error(fmt::format("a client's answer: {}", error.what()));
    }
}

}  // namespace vnpu::sim
