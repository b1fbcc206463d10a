// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/child_program.h"

namespace vnpu::sim {

/// A virtual machine to start.
struct QemuMachine {
    std::string program = "qemu-system-x86_64";  // a name in PATH, or a path
    std::string memory = "512M";
    std::string processor = "max";
    std::string kernel, initrd;  // files; empty: none
    std::string append = "console=ttyS0 panic=-1";
    std::vector<std::string> more;  // further arguments of QEMU
};

/// The words of QEMU's command line, for a device at two sockets that QEMU inherits. `proxy` and
/// `qtest` are their descriptors.
std::vector<std::string> qemuWords(const QemuMachine& machine, int proxy, int qtest);

/// The file of `program`, searched in PATH; throws InputError if there is none.
std::string findProgram(const std::string& program);

}  // namespace vnpu::sim
