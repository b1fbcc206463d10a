// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/json_text.h"
#include "sim/client/remote_context.h"
#include "sim/live/start_gate.h"
#include "sim/scenario/scenario_client.h"

namespace vnpu::sim {

// The answer of a client's process.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClientOutcome, network, macs, prepareNs, arrived, executed,
                                   failed, late, missedDeadlines, outputHash, outputMismatches,
                                   firstMismatch)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FrameRecord, client, frame, arrivalNs, callNs, returnNs, status,
                                   isOk, isRefused, isLate, missedDeadline, timeOnDeviceUs,
                                   timeInDriverUs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LiveClientAnswer, outcome, frames)

namespace {

using Json = nlohmann::json;

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

}  // namespace

LiveClientAnswer runLiveClient(const Scenario& scenario, const LiveClientRequest& request) {
    const ClientSpec& spec = scenario.clients.at(request.client);
    const Network network = networkOf(spec, scenario.seed, true);
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
    return jsonText(json);
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
    return jsonText(Json(answer));
}

LiveClientAnswer liveClientAnswerFrom(const std::string& text) {
    try {
        return Json::parse(text).get<LiveClientAnswer>();
    } catch (const Json::exception& error) {
        throw std::runtime_error(fmt::format("a client's answer: {}", error.what()));
    }
}

}  // namespace vnpu::sim
