// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/qemu/qemu_session.h"

namespace vnpu::sim {

/// Plugs the device into a running QEMU, whose QMP monitor listens at the Unix socket `path` and
/// whose memory is shared (`-machine pc,memory-backend=ram -object memory-backend-memfd,id=ram,...`).
/// Returns the proxy and qtest sockets. Throws InputError if there is no monitor, and
/// std::runtime_error if QEMU refuses.
QemuSession::Sockets plugIntoQemu(const std::string& path);

}  // namespace vnpu::sim
