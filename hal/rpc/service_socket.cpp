// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/service_socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "hal/src/failure.h"
#include "hal/src/try.h"

namespace vnpu::hal::rpc {

using android::base::unique_fd;

namespace {

constexpr int kBacklog = 64;  // chosen: clients that connect at the same moment

template <typename Call>
int retryOnSignal(const Call& call) {
    int result = 0;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

unique_fd openSocket() {
    return unique_fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

tl::expected<sockaddr_un, std::string> addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof(address.sun_path)) {
        return failure("socket path \"{}\" has {} characters, expected 1 to {}", path, path.size(),
                       sizeof(address.sun_path) - 1);
    }
    std::copy(path.begin(), path.end(), address.sun_path);
    return address;
}

int tryConnect(int socket, const sockaddr_un& address) {
    return retryOnSignal([&] {
        return connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    });
}

/// Removes the old socket unless a process listens at it.
tl::expected<void, std::string> removeStale(const std::string& path, const sockaddr_un& address) {
    struct stat present {};
    if (lstat(path.c_str(), &present) != 0) {
        return {};
    }
    if (!S_ISSOCK(present.st_mode)) {
        return failure("{} is no socket, expected one or nothing", path);
    }
    const unique_fd probe = openSocket();
    if (tryConnect(probe.get(), address) == 0) {
        return failure("{}: another service listens there", path);
    }
    if (errno != ECONNREFUSED) {
        return failure("{}: {}", path, std::strerror(errno));
    }
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
        return failure("{} cannot be replaced: {}", path, std::strerror(errno));
    }
    return {};
}

}  // namespace

tl::expected<ListeningSocket, std::string> ListeningSocket::create(const std::string& path,
                                                                   mode_t mode) {
    VNPU_TRY_ASSIGN(const auto address, addressOf(path));
    VNPU_TRY(removeStale(path, address));
    unique_fd socket = openSocket();
    if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        return failure("{}: {}", path, std::strerror(errno));
    }
    ListeningSocket listening(path, std::move(socket));
    // No client can connect before listen(), so none connects too early.
    if (chmod(path.c_str(), mode) != 0 || listen(listening.fd(), kBacklog) != 0 ||
        fcntl(listening.fd(), F_SETFL, O_NONBLOCK) != 0) {
        return failure("{}: {}", path, std::strerror(errno));
    }
    return listening;
}

ListeningSocket::ListeningSocket(std::string path, unique_fd socket)
    : path_(std::move(path)),
      socket_(std::move(socket)),
      spare_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {
    struct stat own {};
    if (lstat(path_.c_str(), &own) == 0) {
        device_ = own.st_dev;
        inode_ = own.st_ino;
    }
}

ListeningSocket::~ListeningSocket() {
    struct stat present {};
    if (socket_.ok() && lstat(path_.c_str(), &present) == 0 && present.st_dev == device_ &&
        present.st_ino == inode_) {
        unlink(path_.c_str());
    }
}

unique_fd ListeningSocket::accept() {
    const auto acceptOne = [this] {
        return unique_fd(retryOnSignal([this] {
            return accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        }));
    };
    unique_fd accepted = acceptOne();
    if (!accepted.ok() && (errno == EMFILE || errno == ENFILE)) {
        // Without a free descriptor the kernel reports the error even if no client is waiting.
        spare_.reset();
        const bool isRefused = acceptOne().ok();
        spare_.reset(open("/dev/null", O_RDONLY | O_CLOEXEC));
        errno = isRefused ? EMFILE : EAGAIN;
    }
    return accepted;
}

tl::expected<unique_fd, std::string> connectTo(const std::string& path) {
    VNPU_TRY_ASSIGN(const auto address, addressOf(path));
    unique_fd socket = openSocket();
    if (tryConnect(socket.get(), address) != 0 || fcntl(socket.get(), F_SETFL, O_NONBLOCK) != 0) {
        return failure("no service at {}: {}", path, std::strerror(errno));
    }
    return socket;
}

tl::expected<Caller, std::string> peerOf(int socket) {
    ucred peer{};
    socklen_t size = sizeof(peer);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return failure("who is at the other end: {}", std::strerror(errno));
    }
    return Caller{peer.uid, peer.pid};
}

}  // namespace vnpu::hal::rpc
