// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace vnpu::hal::rpc::test {

using Bytes = std::vector<unsigned char>;

/// A Unix socket and a path as its address.
struct RawSocket {
    explicit RawSocket(const std::string& path)
        : fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        address.sun_family = AF_UNIX;
        REQUIRE(path.size() < sizeof(address.sun_path));
        std::copy(path.begin(), path.end(), address.sun_path);
    }
    const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&address); }

    android::base::unique_fd fd;
    sockaddr_un address{};
};

/// A connection without an RPC library.
inline android::base::unique_fd connectRaw(const std::string& path) {
    RawSocket raw(path);
    REQUIRE(connect(raw.fd.get(), raw.generic(), sizeof(raw.address)) == 0);
    return std::move(raw.fd);
}

/// Sends all bytes, then reads until the other side closes.
inline void sayAndLeave(const std::string& path, const Bytes& bytes) {
    const auto raw = connectRaw(path);
    // The other side may close before it has read everything.
    send(raw.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    shutdown(raw.get(), SHUT_WR);
    char ignored[256];
    while (::read(raw.get(), ignored, sizeof(ignored)) > 0) {
    }
}

}  // namespace vnpu::hal::rpc::test
