// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "sim/qemu/proxy_message.h"

namespace vnpu::sim {

/// The device's end of the socket to QEMU: makes requests of what arrives and sends answers. Never
/// waits. Trusts nothing that arrives: the first mistake ends the connection. One thread.
class ProxyChannel {
  public:
    /// `socket` is a connected Unix stream socket.
    explicit ProxyChannel(android::base::unique_fd socket);

    int socket() const { return socket_.get(); }

    /// The next request, or nothing until more has arrived. An error if the peer breaks the
    /// protocol.
    tl::expected<std::optional<ProxyRequest>, std::string> receive();
    /// Whether the peer has closed the connection.
    bool isClosed() const { return isClosed_; }

    /// An error if the peer does not take answers.
    tl::expected<void, std::string> answer(std::uint64_t value);

  private:
    /// Receives until there are `wanted` bytes; whether there are.
    tl::expected<bool, std::string> fill(std::size_t wanted);
    void startMessage();

    android::base::unique_fd socket_;
    // The message that arrives: its bytes and descriptors so far.
    std::array<std::byte, kProxyHeaderBytes + std::size_t{3} * 8 * kMostProxyRegions> bytes_{};
    std::size_t count_ = 0;
    std::vector<android::base::unique_fd> descriptors_;
    bool isClosed_ = false;
};

}  // namespace vnpu::sim
