// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vnpu::sim {

/// The contents at a path of a server.
struct HttpContent {
    std::string type;  // "application/json"
    std::string text;
};

/// Shows contents to browsers on this machine: HTTP 1.1 at 127.0.0.1. It answers GET and HEAD only,
/// refuses requests that name another host (pages of other sites may reach 127.0.0.1 by a name that
/// their owner directs there), and reads no files. All connections share one thread of the server,
/// so slow and hostile clients cost its time only; their number, the size of their requests and the
/// time for each request are limited. Any thread.
class HttpServer {
  public:
    struct Limits {
        std::size_t connections = 32;  // more wait for the end of others, in the system's queue
        std::uint32_t headerBytes = 8 << 10;
        /// For a whole request and for a whole answer; also the longest pause between requests.
        std::chrono::milliseconds time{10'000};
    };
    /// The contents at a path, such as "/" (without a query); none: 404. Called on the server's
    /// thread.
    using Answer = std::function<std::optional<HttpContent>(std::string_view path)>;

    /// Work that the server's thread does at once and then again and again, besides answering.
    /// Throws nothing.
    struct Routine {
        std::chrono::milliseconds interval{};
        std::function<void()> work;  // empty: none
    };

    /// Listens at `port`; 0: one that is free. Throws InputError if the port cannot be used.
    HttpServer(std::uint16_t port, Answer answer, const Limits& limits, Routine routine);
    HttpServer(std::uint16_t port, Answer answer, const Limits& limits)
        : HttpServer(port, std::move(answer), limits, {}) {}
    HttpServer(std::uint16_t port, Answer answer) : HttpServer(port, std::move(answer), Limits()) {}
    /// Ends all connections.
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::uint16_t port() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace vnpu::sim
