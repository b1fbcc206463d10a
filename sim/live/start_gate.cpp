// SPDX-License-Identifier: Apache-2.0
#include "sim/live/start_gate.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace vnpu::sim {

using android::base::unique_fd;

namespace {

sockaddr_un addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) {
        throw std::runtime_error(fmt::format("{}: too long for a socket's path", path));
    }
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

std::uint64_t steadyNs() {
    const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(now.count());
}

}  // namespace

StartGate::StartGate(const std::string& path, std::size_t clients)
    : listening_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      givenUp_(eventfd(0, EFD_CLOEXEC)) {
    const sockaddr_un address = addressOf(path);
    if (!listening_.ok() || !givenUp_.ok() ||
        bind(listening_.get(), generic(address), sizeof(address)) != 0 ||
        listen(listening_.get(), SOMAXCONN) != 0) {
        throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
    }
    thread_ = std::thread([this, clients] { serve(clients); });
}

StartGate::~StartGate() {
    giveUp();
    thread_.join();
}

void StartGate::giveUp() {
    eventfd_write(givenUp_.get(), 1);
}

bool StartGate::awaitClient() {
    pollfd events[] = {{listening_.get(), POLLIN, 0}, {givenUp_.get(), POLLIN, 0}};
    while (poll(events, std::size(events), -1) < 0 && errno == EINTR) {
    }
    return events[1].revents == 0;
}

void StartGate::serve(std::size_t clients) {
    while (waiting_.size() < clients && awaitClient()) {
        unique_fd client(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (client.ok()) {
            waiting_.push_back(std::move(client));
        }
    }
    if (waiting_.size() == clients) {
        const std::uint64_t startNs = steadyNs();
        startNs_ = startNs;
        for (const unique_fd& client : waiting_) {
            send(client.get(), &startNs, sizeof(startNs), MSG_NOSIGNAL);
        }
    }
    waiting_.clear();
    listening_.reset();  // later clients are refused
}

std::uint64_t StartGate::await(const std::string& path) {
    const unique_fd gate(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = addressOf(path);
    std::uint64_t startNs = 0;
    if (!gate.ok() || connect(gate.get(), generic(address), sizeof(address)) != 0 ||
        recv(gate.get(), &startNs, sizeof(startNs), MSG_WAITALL) != sizeof(startNs)) {
        throw std::runtime_error("the other clients are not ready: the run is over");
    }
    return startNs;
}

}  // namespace vnpu::sim
