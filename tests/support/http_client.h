// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace vnpu::test {

/// A connection to a port of 127.0.0.1, which sends and receives plain bytes.
class TcpConnection {
  public:
    /// Fails the test if nobody listens.
    explicit TcpConnection(std::uint16_t port);
    ~TcpConnection();
    TcpConnection(const TcpConnection&) = delete;
    TcpConnection& operator=(const TcpConnection&) = delete;

    /// Whether all bytes could be sent.
    bool send(const std::string& bytes) const;
    /// What arrives until the other end closes, or nothing has arrived for `patience`.
    std::string receive(std::chrono::milliseconds patience = std::chrono::seconds(20)) const;
    /// What arrives up to and including `end`.
    std::string receiveUntil(const std::string& end) const;
    /// Whether the other end has closed, within `patience`.
    bool isClosed(std::chrono::milliseconds patience) const;

  private:
    int socket_;
};

/// The answer to `GET path`, with its header.
std::string httpGet(std::uint16_t port, const std::string& path);
/// What follows the header of an answer.
std::string bodyOf(const std::string& answer);

}  // namespace vnpu::test
