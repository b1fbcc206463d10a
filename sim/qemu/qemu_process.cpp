// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/qemu_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "sim/base/error.h"

namespace vnpu::sim {

std::string findProgram(const std::string& program) {
    if (program.find('/') != std::string::npos) {
        if (access(program.c_str(), X_OK) == 0) {
            return program;
        }
        throw InputError(fmt::format("{} is not a program", program));
    }
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        std::string file = fmt::format("{}/{}", folder, program);
        if (access(file.c_str(), X_OK) == 0) {
            return file;
        }
    }
    throw InputError(
            fmt::format("{} is not in PATH; Debian's package is qemu-system-x86", program));
}

std::vector<std::string> qemuWords(const QemuMachine& machine, int proxy, int qtest) {
    std::vector<std::string> words = {
            findProgram(machine.program),
            "-machine",
            "pc,memory-backend=ram",
            "-object",
            fmt::format("memory-backend-memfd,id=ram,size={},share=on", machine.memory),
            "-accel",
            "tcg",
            "-cpu",
            machine.processor,
            "-nographic",
            "-no-reboot",
            "-nic",
            "none",
            "-device",
            fmt::format("x-pci-proxy-dev,id=vnpu,fd={}", proxy),
            "-chardev",
            fmt::format("socket,id=vnpu-interrupts,fd={}", qtest),
            "-object",
            "qtest,id=vnpu-qtest,chardev=vnpu-interrupts,log=/dev/null",
    };
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) {
            words.insert(words.end(), {option, value});
        }
    };
    add("-kernel", machine.kernel);
    add("-initrd", machine.initrd);
    add("-append", machine.kernel.empty() ? "" : machine.append);
    words.insert(words.end(), machine.more.begin(), machine.more.end());
    return words;
}

}  // namespace vnpu::sim
