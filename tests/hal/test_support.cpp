// SPDX-License-Identifier: Apache-2.0
#include "tests/hal/test_support.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

namespace vnpu::hal::test {

namespace {

size_t entryCount(const char* path) {
    namespace fs = std::filesystem;
    return static_cast<size_t>(
            std::distance(fs::directory_iterator(path), fs::directory_iterator()));
}

// The count once it has not changed for 50 ms.
size_t settledEntryCount(const char* path) {
    size_t count = entryCount(path);
    for (int same = 0; same < 5; ++same) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (const size_t next = entryCount(path); next != count) {
            count = next;
            same = -1;
        }
    }
    return count;
}

constexpr const char* kDescriptors = "/proc/self/fd";  // one of them is that of the folder itself

}  // namespace

size_t openFdCount() {
    return entryCount(kDescriptors) - 1;
}

size_t settledFdCount() {
    return settledEntryCount(kDescriptors) - 1;
}

size_t settledThreadCount() {
    return settledEntryCount("/proc/self/task");
}

android::base::unique_fd makeFile(size_t sizeBytes) {
    std::vector<uint8_t> bytes(sizeBytes);
    for (size_t i = 0; i < sizeBytes; ++i) {
        bytes[i] = static_cast<uint8_t>(i);
    }
    android::base::unique_fd fd(memfd_create("vnpu-test", MFD_CLOEXEC));
    if (fd.get() < 0 ||
        write(fd.get(), bytes.data(), sizeBytes) != static_cast<ssize_t>(sizeBytes)) {
        std::abort();
    }
    return fd;
}

bool aborts(const std::function<void()>& action) {
    const pid_t child = fork();
    if (child == 0) {
        // The test framework's own handler would report the signal as a failure.
        (void)std::signal(SIGABRT, SIG_DFL);
        const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(sink, STDOUT_FILENO);
        dup2(sink, STDERR_FILENO);
        action();
        _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT;
}

}  // namespace vnpu::hal::test
