// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/service/service_status.h"
#include "sim/watch/http_server.h"

namespace vnpu::sim {

/// Shows a running service to browsers on this machine: a page at "/", and the state that it asks
/// for at "/state.json". It only reads, and asks the service at most once each kFreshness, however
/// many clients ask. Any thread.
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

    /// Throws InputError if the port cannot be used.
    explicit ServiceWatch(const Options& options);

    std::uint16_t port() const { return server_.port(); }

  private:
    std::optional<HttpContent> contentAt(std::string_view path);

    const std::function<ServiceStatus()> status_;
    const std::string page_;
    // On the server's thread.
    std::string state_;
    std::chrono::steady_clock::time_point stateTime_{};
    HttpServer server_;  // ends before what it uses
};

}  // namespace vnpu::sim
