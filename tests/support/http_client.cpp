// SPDX-License-Identifier: Apache-2.0
#include "tests/support/http_client.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace vnpu::test {

TcpConnection::TcpConnection(std::uint16_t port)
    : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

TcpConnection::~TcpConnection() {
    close(socket_);
}

bool TcpConnection::send(const std::string& bytes) const {
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t now = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (now <= 0) {
            return false;
        }
        sent += static_cast<std::size_t>(now);
    }
    return true;
}

std::string TcpConnection::receive(std::chrono::milliseconds patience) const {
    std::string all;
    std::array<char, 4096> part{};
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    while (poll(&wait, 1, static_cast<int>(patience.count())) == 1) {
        const ssize_t count = recv(socket_, part.data(), part.size(), 0);
        if (count <= 0) {
            break;
        }
        all.append(part.data(), static_cast<std::size_t>(count));
    }
    return all;
}

std::string TcpConnection::receiveUntil(const std::string& end) const {
    std::string all;
    char next = 0;
    while (!all.ends_with(end) && recv(socket_, &next, 1, 0) == 1) {
        all += next;
    }
    return all;
}

bool TcpConnection::isClosed(std::chrono::milliseconds patience) const {
    pollfd wait{.fd = socket_, .events = POLLIN, .revents = 0};
    char next = 0;
    return poll(&wait, 1, static_cast<int>(patience.count())) == 1 &&
           recv(socket_, &next, 1, MSG_PEEK) <= 0;
}

std::string httpGet(std::uint16_t port, const std::string& path) {
    const TcpConnection connection(port);
    CHECK(connection.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                          "\r\nConnection: close\r\n\r\n"));
    return connection.receive();
}

std::string bodyOf(const std::string& answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
}

}  // namespace vnpu::test
