// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/qemu_monitor.h"

#include <android-base/cmsg.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "sim/base/error.h"
#include "sim/qemu/socket_pair.h"

namespace vnpu::sim {

using nlohmann::json;

/// QEMU's machine protocol: one JSON object for each command and each answer.
class QemuMonitor::Connection {
  public:
    explicit Connection(const std::string& path)
        : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        if (path.size() >= sizeof(address.sun_path)) {
            throw InputError(fmt::format("{}: the path of a socket has at most {} characters", path,
                                         sizeof(address.sun_path) - 1));
        }
        std::memcpy(address.sun_path, path.data(), path.size());
        // chosen: a monitor that is free answers within milliseconds
        const timeval timeout{.tv_sec = 10, .tv_usec = 0};
        setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
        if (connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
            0) {
            throw InputError(fmt::format(
                    "{}: no monitor of QEMU; start it with -qmp unix:{},server=on,wait=off", path,
                    path));
        }
        readLine();  // the greeting
        execute("qmp_capabilities");
    }

    /// Throws std::runtime_error if QEMU refuses. `descriptor` goes with the command if it is not
    /// negative.
    void execute(const char* command, json arguments = json::object(), int descriptor = -1) {
        const std::string text = json{{"execute", command}, {"arguments", arguments}}.dump();
        send(text, descriptor);
        while (true) {
            const json answer = json::parse(readLine(), nullptr, /*allow_exceptions=*/false);
            if (answer.is_object() && answer.contains("return")) {
                return;
            }
            if (answer.is_object() && answer.contains("error")) {
                throw std::runtime_error(fmt::format("QEMU refuses {}: {}", command,
                                                     answer["error"].value("desc", "no reason")));
            }
        }
    }

  private:
    void send(const std::string& text, int descriptor) {
        const ssize_t sent =
                descriptor >= 0 ? android::base::SendFileDescriptors(socket_.get(), text.data(),
                                                                     text.size(), descriptor)
                                : ::send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent != static_cast<ssize_t>(text.size())) {
            throw std::runtime_error("QEMU has closed its monitor");
        }
    }

    std::string readLine() {
        std::size_t end = 0;
        while ((end = received_.find('\n')) == std::string::npos) {
            char text[4096];
            const ssize_t got = recv(socket_.get(), text, sizeof(text), 0);
            if (got <= 0) {
                throw std::runtime_error("QEMU does not answer at its monitor");
            }
            received_.append(text, static_cast<std::size_t>(got));
        }
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return line;
    }

    android::base::unique_fd socket_;
    std::string received_;
};

QemuMonitor::QemuMonitor(const std::string& path)
    : connection_(std::make_unique<Connection>(path)),
      proxy_(SocketPair::create()),
      qtest_(SocketPair::create()) {
    connection_->execute("getfd", {{"fdname", "vnpu-proxy"}}, proxy_.theirs.get());
    connection_->execute("getfd", {{"fdname", "vnpu-qtest"}}, qtest_.theirs.get());
    const json address = {{"type", "fd"}, {"data", {{"str", "vnpu-qtest"}}}};
    connection_->execute(
            "chardev-add",
            {{"id", "vnpu-interrupts"},
             {"backend", {{"type", "socket"}, {"data", {{"addr", address}, {"server", false}}}}}});
    connection_->execute("object-add", {{"qom-type", "qtest"},
                                        {"id", "vnpu-qtest"},
                                        {"chardev", "vnpu-interrupts"},
                                        {"log", "/dev/null"}});
}

QemuMonitor::~QemuMonitor() = default;

QemuSession::Sockets QemuMonitor::takeSockets() {
    return {.proxy = std::move(proxy_.ours), .qtest = std::move(qtest_.ours), .stop = {}};
}

void QemuMonitor::plug() {
    try {
        // chosen: a slot whose pin A the firmware routes to input 11, as in pci_function.cpp
        connection_->execute("device_add", {{"driver", "x-pci-proxy-dev"},
                                            {"id", "vnpu"},
                                            {"fd", "vnpu-proxy"},
                                            {"bus", "pci.0"},
                                            {"addr", "0x1b"}});
    } catch (...) {
        shutdown(proxy_.theirs.get(), SHUT_RDWR);
        throw;
    }
    // QEMU has its own descriptors; the session sees the end of these sockets when QEMU ends.
    proxy_.theirs.reset();
    qtest_.theirs.reset();
}

}  // namespace vnpu::sim
