// SPDX-License-Identifier: Apache-2.0
#include "tests/hal/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

namespace vnpu::hal::test {

ChildProcess::ChildProcess(const std::function<int()>& body) : id_(fork()) {
    if (id_ == 0) {
        _exit(body());
    }
}

ChildProcess::~ChildProcess() {
    wait();
}

int ChildProcess::wait() {
    int status = 0;
    const pid_t ended = id_ < 0 ? -1 : waitpid(id_, &status, 0);
    id_ = -1;
    return ended >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace vnpu::hal::test
