// SPDX-License-Identifier: Apache-2.0
// Hardware buffers over sockets. A message consists of the ints of the handle, with its descriptor
// attached to the first byte. Both ends run on one machine and have the same version (the first
// int).
#include <android-base/unique_fd.h>
#include <hidl/HidlInternal.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "hal/src/memory/hardware_buffer.h"

namespace {

using android::base::unique_fd;
using vnpu::hal::HandleInts;

constexpr size_t kMessageBytes = sizeof(HandleInts);
constexpr size_t kMaxFds = 4;  // chosen: more than the one expected, to detect a second

using Control = std::array<char, CMSG_SPACE(kMaxFds * sizeof(int))>;

/// Whether to retry after an error in the middle of a message, once the socket is ready.
bool waitAfterError(int socketFd, short events) {
    if (errno == EINTR) {
        return true;
    }
    if (errno != EAGAIN) {
        return false;
    }
    pollfd socket{socketFd, events, 0};
    return poll(&socket, 1, -1) > 0 || errno == EINTR;
}

/// Sends the descriptor with the first byte and as many bytes as the socket accepts.
ssize_t sendFirst(int socketFd, const HandleInts& ints, int fd) {
    iovec bytes{const_cast<int*>(ints.data()), kMessageBytes};
    alignas(cmsghdr) Control control{};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int));
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &fd, sizeof(int));
    ssize_t sent = -1;
    do {
        sent = sendmsg(socketFd, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

/// Takes all descriptors out of a message, so that none leaks.
void takeFds(msghdr& message, std::vector<unique_fd>& fds) {
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        for (size_t at = CMSG_LEN(0); at + sizeof(int) <= header->cmsg_len; at += sizeof(int)) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(header) + (at - CMSG_LEN(0)), sizeof(int));
            fds.emplace_back(fd);
        }
    }
}

/// Whether the rest of a message may still arrive.
bool isStream(int socketFd) {
    int type = 0;
    socklen_t length = sizeof(type);
    return getsockopt(socketFd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

struct Received {
    HandleInts ints{};
    std::vector<unique_fd> fds;
    bool isTruncated = false;
};

/// Receives the bytes of one message; returns 0 or a negative errno.
int receive(int socketFd, Received& received) {
    auto* const start = reinterpret_cast<char*>(received.ints.data());
    size_t count = 0;
    while (count < kMessageBytes) {
        iovec bytes{start + count, kMessageBytes - count};
        alignas(cmsghdr) Control control{};
        msghdr message{};
        message.msg_iov = &bytes;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const ssize_t got = recvmsg(socketFd, &message, MSG_CMSG_CLOEXEC);
        if (got >= 0) {
            takeFds(message, received.fds);
        }
        if (got > 0) {
            received.isTruncated =
                    received.isTruncated || (message.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0;
            count += static_cast<size_t>(got);
            if (count < kMessageBytes && !isStream(socketFd)) {
                return -EBADMSG;
            }
        } else if (got == 0) {
            return count == 0 ? -ENODATA : -EBADMSG;
        } else if (errno != EINTR && (count == 0 || !waitAfterError(socketFd, POLLIN))) {
            return -errno;
        }
    }
    return 0;
}

int refuse(const std::string& reason) {
    android::hardware::details::logError("hardware buffer from a socket: " + reason);
    return -EBADMSG;
}

}  // namespace

int AHardwareBuffer_sendHandleToUnixSocket(const AHardwareBuffer* buffer, int socketFd) {
    if (buffer == nullptr) {
        return -EINVAL;
    }
    const native_handle_t* const handle = buffer->handle();
    HandleInts ints{};
    std::copy_n(&handle->data[1], ints.size(), ints.begin());
    ssize_t sent = sendFirst(socketFd, ints, handle->data[0]);
    if (sent < 0) {
        return -errno;
    }
    const auto* const start = reinterpret_cast<const char*>(ints.data());
    for (auto count = static_cast<size_t>(sent); count < kMessageBytes;) {
        sent = send(socketFd, start + count, kMessageBytes - count, MSG_NOSIGNAL);
        if (sent < 0 && !waitAfterError(socketFd, POLLOUT)) {
            return -errno;
        }
        count += static_cast<size_t>(std::max<ssize_t>(sent, 0));
    }
    return 0;
}

int AHardwareBuffer_recvHandleFromUnixSocket(int socketFd, AHardwareBuffer** outBuffer) {
    if (outBuffer == nullptr) {
        return -EINVAL;
    }
    Received received;
    if (const int result = receive(socketFd, received); result != 0) {
        return result;
    }
    if (received.isTruncated || received.fds.size() != 1) {
        return refuse("the message has " + std::to_string(received.fds.size()) +
                      " descriptors or is too long, expected 1 and " +
                      std::to_string(kMessageBytes) + " bytes");
    }
    vnpu::hal::OwnedHandle handle =
            vnpu::hal::makeHandle(std::move(received.fds.front()), received.ints);
    if (handle == nullptr) {
        return -ENOMEM;
    }
    const auto buffer = AHardwareBuffer::import(handle, nullptr);
    if (!buffer) {
        return refuse(buffer.error().reason);
    }
    *outBuffer = *buffer;
    return 0;
}
