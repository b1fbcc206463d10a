// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <sys/types.h>
#include <vnpu/hal/caller_identity.h>

#include <string>
#include <tl/expected.hpp>

namespace vnpu::hal::rpc {

/// A Unix socket at a path, where others may connect. It leaves with its path.
class ListeningSocket {
  public:
    /// See RpcServer::create. Neither the socket nor what it accepts blocks.
    [[nodiscard]] static tl::expected<ListeningSocket, std::string> create(const std::string& path,
                                                                           mode_t mode);
    ListeningSocket(ListeningSocket&& other) noexcept = default;
    ListeningSocket& operator=(ListeningSocket&& other) = delete;
    ~ListeningSocket();

    int fd() const { return socket_.get(); }

    /// The next connection; an invalid one if there is none. Where this process has no descriptors
    /// left for one, that one is closed.
    android::base::unique_fd accept();

  private:
    ListeningSocket(std::string path, android::base::unique_fd socket);

    std::string path_;
    android::base::unique_fd socket_;
    android::base::unique_fd spare_;  // given up to close a connection that there is no room for
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

/// Connects; the socket does not block.
[[nodiscard]] tl::expected<android::base::unique_fd, std::string> connectTo(
        const std::string& path);

/// The process at the other end of a connected socket, when it connected or began to listen.
[[nodiscard]] tl::expected<Caller, std::string> peerOf(int socket);

}  // namespace vnpu::hal::rpc
