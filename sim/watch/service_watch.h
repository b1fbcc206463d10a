// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw_model/regs/engines.h"
#include "sim/service/service_status.h"
#include "sim/watch/http_server.h"

namespace vnpu::sim {

/// Shows a running service to browsers on this machine: a page at "/", and the state that it asks
/// for at "/state.json". It only reads, and asks the service at most once each kFreshness, however
/// many clients ask. Once each kSampling it keeps how much the engines have worked
/// ("/history.json"), so that the page knows the time before it was opened. Any thread.
class ServiceWatch {
  public:
    struct Device {
        std::string name;
        std::string description;
    };
    struct Options {
        std::uint16_t port = 0;  // 0: one that is free
        std::string socketPath;
        std::vector<Device> devices;            // in the order of the status
        std::function<ServiceStatus()> status;  // called on the server's thread
    };

    static constexpr std::chrono::milliseconds kFreshness{100};
    static constexpr std::chrono::milliseconds kSampling{1000};
    static constexpr std::size_t kSamples = 301;  // the ends of the five minutes that a page shows

    /// Throws InputError if the port cannot be used.
    explicit ServiceWatch(const Options& options) : ServiceWatch(options, kSampling) {}
    /// With another time between two samples, for tests.
    ServiceWatch(const Options& options, std::chrono::milliseconds sampling);

    std::uint16_t port() const { return server_.port(); }

  private:
    /// What the page's picture of a device needs, in numbers that only grow.
    struct Sample {
        std::uint64_t deviceNs = 0;
        std::array<std::chrono::nanoseconds, hw::kEngineCount> busy{};
        std::size_t jobs = 0;  // that waited or ran
    };

    std::optional<HttpContent> contentAt(std::string_view path);
    /// Asks the service unless its state is fresh. Throws what it throws.
    void refresh();
    void sample();
    std::string historyJson() const;

    const std::function<ServiceStatus()> status_;
    const std::string page_;
    const std::chrono::milliseconds sampling_;
    // On the server's thread.
    std::optional<ServiceStatus> state_;
    std::string stateJson_;                              // empty: not asked for yet
    std::map<std::string, std::deque<Sample>> history_;  // by the name of the device
    std::chrono::steady_clock::time_point stateTime_{};
    HttpServer server_;  // ends before what it uses
};

}  // namespace vnpu::sim
