// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/service_watch.h"

#include <exception>
#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/report/html/html_page.h"

namespace vnpu::sim {

namespace {

std::string pageOf(const ServiceWatch::Options& options) {
    nlohmann::ordered_json data{{"kind", "live"}, {"socket", options.socketPath}};
    data["devices"] = nlohmann::ordered_json::array();
    for (const ServiceWatch::Device& device : options.devices) {
        data["devices"].push_back({{"name", device.name}, {"description", device.description}});
    }
    return htmlPage("vnpu serve", data, PageReach::kOwnServer);
}

}  // namespace

ServiceWatch::ServiceWatch(const Options& options, std::chrono::milliseconds sampling)
    : status_(options.status),
      page_(pageOf(options)),
      sampling_(sampling),
      server_(options.port, [this](std::string_view path) { return contentAt(path); }, {},
              {.interval = sampling, .work = [this] { sample(); }}) {}

void ServiceWatch::refresh() {
    const auto now = std::chrono::steady_clock::now();
    if (!state_ || now - stateTime_ >= kFreshness) {
        state_.reset();  // an old one is no answer if this fails
        state_ = status_();
        stateJson_.clear();
        stateTime_ = now;
    }
}

void ServiceWatch::sample() {
    try {
        refresh();
    } catch (const std::exception&) {
        return;  // the page shows the error; the history lacks a sample
    }
    for (const DeviceStatus& device : state_->devices) {
        std::deque<Sample>& samples = history_[device.name];
        const auto current = device.activity.is_object() ? device.activity.find("current")
                                                         : device.activity.end();
        samples.push_back({.deviceNs = device.deviceNs,
                           .busy = device.load.busy,
                           .jobs = current == device.activity.end() ? 0 : current->size()});
        if (samples.size() > kSamples) {
            samples.pop_front();
        }
    }
}

std::string ServiceWatch::historyJson() const {
    nlohmann::ordered_json json{{"interval_ms", sampling_.count()},
                                {"devices", nlohmann::ordered_json::object()}};
    for (const auto& [name, samples] : history_) {
        nlohmann::ordered_json& list = json["devices"][name] = nlohmann::ordered_json::array();
        for (const Sample& sample : samples) {
            nlohmann::ordered_json busy;
            for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
                busy[hw::engineName(static_cast<hw::Engine>(i))] = sample.busy.at(i).count();
            }
            list.push_back(
                    {{"device_ns", sample.deviceNs}, {"busy_ns", busy}, {"jobs", sample.jobs}});
        }
    }
    return jsonText(json);
}

std::optional<HttpContent> ServiceWatch::contentAt(std::string_view path) {
    if (path == "/") {
        return HttpContent{"text/html; charset=utf-8", page_};
    }
    if (path == "/history.json") {
        return HttpContent{"application/json", historyJson()};
    }
    if (path != "/state.json") {
        return std::nullopt;
    }
    refresh();
    if (stateJson_.empty()) {
        stateJson_ = statusJson(*state_);
    }
    return HttpContent{"application/json", stateJson_};
}

}  // namespace vnpu::sim
