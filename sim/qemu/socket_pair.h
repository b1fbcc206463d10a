// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>

namespace vnpu::sim {

/// Two connected Unix stream sockets: ours, which programs that we start do not inherit, and
/// QEMU's.
struct SocketPair {
    android::base::unique_fd ours, theirs;

    static SocketPair create() {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
            throw std::runtime_error("no socket can be created");
        }
        SocketPair pair{android::base::unique_fd(ends[0]), android::base::unique_fd(ends[1])};
        fcntl(pair.ours.get(), F_SETFD, FD_CLOEXEC);
        return pair;
    }
};

}  // namespace vnpu::sim
