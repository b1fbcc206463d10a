// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <sys/types.h>
#include <vnpu/hal/caller_identity.h>

#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal::rpc {

/// A listening Unix socket at a path. The path is removed with it.
class ListeningSocket {
  public:
    /// See RpcServer::create. The socket and the accepted connections are non-blocking.
    [[nodiscard]] static tl::expected<ListeningSocket, std::string> create(const std::string& path,
                                                                           mode_t mode);
    ListeningSocket(ListeningSocket&& other) noexcept = default;
    ListeningSocket& operator=(ListeningSocket&& other) = delete;
    ~ListeningSocket();

    int fd() const { return socket_.get(); }

    /// Accepts the next connection; invalid if none is waiting. If this process is out of
    /// descriptors, the connection is closed.
    android::base::unique_fd accept();

  private:
    ListeningSocket(std::string path, android::base::unique_fd socket);

    std::string path_;
    android::base::unique_fd socket_;
    android::base::unique_fd spare_;  // freed to close a connection for which no descriptor is left
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

/// Connects; the socket is non-blocking.
[[nodiscard]] tl::expected<android::base::unique_fd, std::string> connectTo(
        const std::string& path);

/// The process at the other end of a connected socket, as of the time when it connected or started
/// to listen.
[[nodiscard]] tl::expected<Caller, std::string> peerOf(int socket);

}  // namespace vnpu::hal::rpc
