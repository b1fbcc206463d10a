// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/proxy_channel.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace vnpu::sim {

namespace {

constexpr std::size_t kMostDescriptors = 253;  // source: Linux, SCM_MAX_FD

/// Takes over the descriptors that came with a message.
void adoptDescriptors(msghdr& message, std::vector<android::base::unique_fd>& descriptors) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
            descriptors.emplace_back(descriptor);
        }
    }
}

}  // namespace

ProxyChannel::ProxyChannel(android::base::unique_fd socket) : socket_(std::move(socket)) {}

void ProxyChannel::startMessage() {
    count_ = 0;
    descriptors_.clear();
}

tl::expected<std::optional<ProxyRequest>, std::string> ProxyChannel::receive() {
    auto isFilled = fill(kProxyHeaderBytes);
    if (!isFilled || !*isFilled) {
        return isFilled.map([](bool) { return std::optional<ProxyRequest>(); });
    }
    auto header = readProxyHeader(std::span(bytes_).first<kProxyHeaderBytes>());
    if (!header) {
        return tl::unexpected(std::move(header.error()));
    }
    // The body is received by itself, so that descriptors belong to the message they came with.
    isFilled = fill(kProxyHeaderBytes + header->bodyBytes);
    if (!isFilled || !*isFilled) {
        return isFilled.map([](bool) { return std::optional<ProxyRequest>(); });
    }
    const auto body = std::span(bytes_).subspan(kProxyHeaderBytes, header->bodyBytes);
    auto request = readProxyRequest(*header, body, std::move(descriptors_));
    startMessage();
    if (!request) {
        return tl::unexpected(std::move(request.error()));
    }
    return std::optional(std::move(*request));
}

tl::expected<bool, std::string> ProxyChannel::fill(std::size_t wanted) {
    while (count_ < wanted) {
        iovec data{bytes_.data() + count_, wanted - count_};
        alignas(cmsghdr) char control[CMSG_SPACE(kMostDescriptors * sizeof(int))];
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof(control);
        const ssize_t got = recvmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return false;
        }
        if (got <= 0) {
            // A peer that ends is no error; what it had begun to say is lost.
            isClosed_ = true;
            return false;
        }
        adoptDescriptors(message, descriptors_);
        if (descriptors_.size() > kMostProxyRegions || (message.msg_flags & MSG_CTRUNC) != 0) {
            return tl::unexpected(fmt::format("a message with {} descriptors, expected at most {}",
                                              descriptors_.size(), kMostProxyRegions));
        }
        count_ += static_cast<std::size_t>(got);
    }
    return true;
}

tl::expected<void, std::string> ProxyChannel::answer(std::uint64_t value) {
    const auto bytes = proxyAnswer(value);
    ssize_t sent = 0;
    do {
        sent = send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent == static_cast<ssize_t>(bytes.size())) {
        return {};
    }
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) {
        isClosed_ = true;
        return {};
    }
    // A peer waits for each answer before its next request, so the socket always has room for one.
    return tl::unexpected(std::string("the peer sends requests without taking the answers"));
}

}  // namespace vnpu::sim
