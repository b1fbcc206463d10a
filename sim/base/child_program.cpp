// SPDX-License-Identifier: Apache-2.0
#include "sim/base/child_program.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace vnpu::sim {

namespace {

/// Runs in the child process. The threads of the parent do not exist here, so only system calls are
/// allowed.
[[noreturn]] void become(const std::vector<char*>& words, const ChildProgram::Streams& streams,
                         pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    const int output =
            streams.output >= 0 ? streams.output : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (getppid() == parent && dup2(output, STDOUT_FILENO) >= 0 &&
        (streams.input < 0 || dup2(streams.input, STDIN_FILENO) >= 0) &&
        (streams.errors < 0 || dup2(streams.errors, STDERR_FILENO) >= 0)) {
        execv(words[0], words.data());
    }
    _exit(127);
}

}  // namespace

ChildProgram::ChildProgram(std::vector<std::string> words, const Streams& streams) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    const pid_t parent = getpid();
    id_ = fork();
    if (id_ == 0) {
        become(pointers, streams, parent);
    }
    if (id_ < 0) {
        code_ = 127;
    }
}

ChildProgram::ChildProgram(ChildProgram&& other) noexcept
    : id_(std::exchange(other.id_, -1)), code_(std::exchange(other.code_, 127)) {}

ChildProgram::~ChildProgram() {
    if (!code_) {
        end(SIGKILL);
    }
}

int ChildProgram::wait() {
    return *reap(0);
}

int ChildProgram::end(int signal) {
    if (!code_) {
        kill(id_, signal);
    }
    return wait();
}

std::optional<int> ChildProgram::poll() {
    return reap(WNOHANG);
}

std::optional<int> ChildProgram::reap(int options) {
    if (code_) {
        return code_;
    }
    int status = 0;
    pid_t ended = 0;
    do {
        ended = waitpid(id_, &status, options);
    } while (ended < 0 && errno == EINTR);
    if (ended == 0) {
        return std::nullopt;
    }
    code_ = ended < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_;
}

}  // namespace vnpu::sim
