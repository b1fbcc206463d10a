// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <memory>
#include <string>

#include "sim/qemu/qemu_session.h"
#include "sim/qemu/socket_pair.h"

namespace vnpu::sim {

/// Plugs the device into a running QEMU, whose QMP monitor listens at a Unix socket and whose
/// memory is shared (`-machine pc,memory-backend=ram -object
/// memory-backend-memfd,id=ram,size=512M,share=on`).
class QemuMonitor {
  public:
    /// Connects to the monitor at `path` and prepares the sockets. Throws InputError if there is
    /// none, and std::runtime_error if QEMU refuses.
    explicit QemuMonitor(const std::string& path);
    ~QemuMonitor();

    /// The device's ends of the sockets, once.
    QemuSession::Sockets takeSockets();

    /// Adds the card. QEMU waits for the device meanwhile, so this runs on another thread than the
    /// session. Throws std::runtime_error if QEMU refuses, and closes the sockets then.
    void plug();

  private:
    class Connection;
    std::unique_ptr<Connection> connection_;
    SocketPair proxy_, qtest_;
};

}  // namespace vnpu::sim
