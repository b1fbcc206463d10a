// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include "sim/qemu/device_card.h"
#include "sim/qemu/device_clock.h"
#include "sim/qemu/pci_function.h"
#include "sim/qemu/proxy_channel.h"
#include "sim/qemu/qtest_wires.h"

namespace vnpu::sim {

/// A device and its connection to QEMU: serves requests, and lets device time pass in between. One
/// thread.
class QemuSession {
  public:
    struct Sockets {
        android::base::unique_fd proxy;  // to x-pci-proxy-dev
        android::base::unique_fd qtest;  // to the qtest server
        android::base::unique_fd stop;   // becomes readable when the session is to end
    };

    /// Throws InputError for wrong options.
    QemuSession(const DeviceCard::Options& options, Pace pace, Sockets sockets);

    enum class End { kDisconnected, kStopped };
    /// Returns when QEMU has closed the connection, or at `stop`. Throws std::runtime_error if QEMU
    /// breaks the protocol.
    End run();

  private:
    /// Whether there were requests.
    bool serveRequests();
    void wait(std::optional<Pace::WallTime> until);

    DeviceCard card_;
    QtestWires wires_;
    PciFunction function_;
    DeviceClock clock_;
    ProxyChannel channel_;
    android::base::unique_fd stop_;
    bool isStopped_ = false;
};

}  // namespace vnpu::sim
