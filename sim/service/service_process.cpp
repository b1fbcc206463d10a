// SPDX-License-Identifier: Apache-2.0
#include "sim/service/service_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace vnpu::sim {

namespace fs = std::filesystem;

namespace {

/// Ends the child if it cannot start, or when its parent goes.
[[noreturn]] void become(const std::vector<char*>& arguments, int output, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && dup2(output, STDOUT_FILENO) >= 0) {
        execv(arguments[0], arguments.data());
    }
    _exit(127);
}

/// The first line, without its end; empty if the other end closes before.
std::string readLine(int descriptor) {
    std::string line;
    char next = 0;
    while (read(descriptor, &next, 1) == 1 && next != '\n') {
        line += next;
    }
    return next == '\n' ? line : "";
}

std::string makeFolder() {
    std::string pattern = (fs::temp_directory_path() / "vnpu_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw std::runtime_error("no folder for a socket could be made");
    }
    return pattern;
}

}  // namespace

ServiceProcess::ServiceProcess(const std::string& program,
                               const std::vector<std::string>& arguments)
    : folder_(makeFolder()), socketPath_(folder_ + "/vnpu.sock") {
    std::vector<std::string> words{program, "serve", "--socket", socketPath_};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe could be made");
    }
    const pid_t parent = getpid();
    id_ = fork();
    if (id_ == 0) {
        become(pointers, ends[1], parent);
    }
    close(ends[1]);
    const std::string line = readLine(ends[0]);
    close(ends[0]);
    if (line.empty()) {
        const int code = end(SIGTERM);
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
        throw std::runtime_error(fmt::format("the service did not start (exit code {})", code));
    }
}

ServiceProcess::~ServiceProcess() {
    end(SIGTERM);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

int ServiceProcess::end(int signal) {
    const pid_t id = std::exchange(id_, -1);
    if (id <= 0) {
        return -1;
    }
    kill(id, signal);
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace vnpu::sim
