// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/service_watch.h"

#include <nlohmann/json.hpp>

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

ServiceWatch::ServiceWatch(const Options& options)
    : status_(options.status),
      page_(pageOf(options)),
      server_(options.port, [this](std::string_view path) { return contentAt(path); }) {}

std::optional<HttpContent> ServiceWatch::contentAt(std::string_view path) {
    if (path == "/") {
        return HttpContent{"text/html; charset=utf-8", page_};
    }
    if (path != "/state.json") {
        return std::nullopt;
    }
    const auto now = std::chrono::steady_clock::now();
    if (state_.empty() || now - stateTime_ >= kFreshness) {
        state_ = statusJson(status_());
        stateTime_ = now;
    }
    return HttpContent{"application/json", state_};
}

}  // namespace vnpu::sim
