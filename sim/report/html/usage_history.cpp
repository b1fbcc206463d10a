// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/usage_history.h"

#include <algorithm>

#include "sim/report/html/packed_column.h"
#include "sim/trace/counter_windows.h"

namespace vnpu::sim {

UsageHistory::Window& UsageHistory::Window::operator+=(const Window& more) {
    for (std::size_t i = 0; i < busyCycles.size(); ++i) {
        busyCycles[i] += more.busyCycles[i];
    }
    macOperations += more.macOperations;
    dramBytes += more.dramBytes;
    return *this;
}

void UsageHistory::makeRoom(std::uint64_t endNs) {
    while (endNs / lengthNs_ >= maxWindows_) {
        for (std::size_t i = 0; i < windows_.size(); i += 2) {
            Window joined = windows_[i];
            if (i + 1 < windows_.size()) {
                joined += windows_[i + 1];
            }
            windows_[i / 2] = joined;
        }
        windows_.resize((windows_.size() + 1) / 2);
        lengthNs_ *= 2;
    }
    windows_.resize(std::max<std::size_t>(windows_.size(), endNs / lengthNs_ + 1));
}

void UsageHistory::add(const EngineEvent& event) {
    const hw::EngineCommandRecord& record = event.record;
    makeRoom(event.endNs);
    forEachWindow(event.startNs, event.endNs, lengthNs_, [&](std::uint64_t index, double share) {
        Window& window = windows_[index];
        window.busyCycles[hw::engineIndex(record.engine)] +=
                share * static_cast<double>(record.busyCycles);
        window.dramBytes += share * static_cast<double>(record.dramBytes);
        if (record.engine == hw::Engine::kMac) {
            window.macOperations += share * static_cast<double>(record.operations);
        }
    });
}

nlohmann::ordered_json UsageHistory::json() const {
    std::vector<double> column(windows_.size());
    const auto columnOf = [&](auto&& valueOf) {
        std::transform(windows_.begin(), windows_.end(), column.begin(), valueOf);
        return packedNumbers(column);
    };
    nlohmann::ordered_json json;
    json["window_ns"] = lengthNs_;
    json["busy_cycles"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        json["busy_cycles"].push_back(
                columnOf([i](const Window& window) { return window.busyCycles[i]; }));
    }
    json["mac_operations"] = columnOf([](const Window& window) { return window.macOperations; });
    json["dram_bytes"] = columnOf([](const Window& window) { return window.dramBytes; });
    return json;
}

}  // namespace vnpu::sim
