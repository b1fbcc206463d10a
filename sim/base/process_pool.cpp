// SPDX-License-Identifier: Apache-2.0
#include "sim/base/process_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

// The calling process's environment; POSIX has no header for it.
extern char** environ;

namespace vnpu::sim {

namespace {

constexpr int kPollMs = 200;  // chosen: longest delay until a stop is noticed

[[noreturn]] void fail(std::string_view what) {
    throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// A file in memory. Unlike a pipe, neither side ever waits for the other.
class MemoryFile {
  public:
    explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {
        if (descriptor_ < 0) {
            fail("no memory file for a process");
        }
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    int descriptor() const { return descriptor_; }

    void fill(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t count = ::write(descriptor_, text.data(), text.size());
            if (count < 0 && errno != EINTR) {
                fail("can't write the input of a process");
            }
            text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
        }
        lseek(descriptor_, 0, SEEK_SET);
    }

    std::string text() const {
        std::string out(
                static_cast<std::size_t>(std::max<off_t>(0, lseek(descriptor_, 0, SEEK_END))),
                '\0');
        std::size_t done = 0;
        while (done < out.size()) {
            const ssize_t count = pread(descriptor_, out.data() + done, out.size() - done,
                                        static_cast<off_t>(done));
            if (count <= 0) {
                break;
            }
            done += static_cast<std::size_t>(count);
        }
        out.resize(done);
        return out;
    }

  private:
    int descriptor_;
};

}  // namespace

/// A running process, which is ended with this object.
class ProcessPool::Child {
  public:
    Child(const std::string& program, std::size_t task, ProcessTask what)
        : task_(task), input_("input"), output_("output"), errors_("errors") {
        input_.fill(what.input);
        std::string name = program;
        std::vector<char*> argv = {name.data()};
        for (std::string& argument : what.arguments) {
            argv.push_back(argument.data());
        }
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, input_.descriptor(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output_.descriptor(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors_.descriptor(), STDERR_FILENO);
        const int error =
                posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error != 0) {
            errno = error;
            fail(fmt::format("can't start {}", program));
        }
        // glibc 2.36 declares pidfd_open without C linkage.
        descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
        if (descriptor_ < 0) {
            const int reason = errno;
            end();
            errno = reason;
            fail("can't wait for a process");
        }
    }
    ~Child() {
        end();
        if (descriptor_ >= 0) {
            close(descriptor_);
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    std::size_t task() const { return task_; }
    int descriptor() const { return descriptor_; }

    /// To be called once the descriptor is readable.
    ProcessResult collect() {
        int status = 0;
        while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
        return {.isExited = WIFEXITED(status),
                .code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
                .output = output_.text(),
                .errors = errors_.text()};
    }

  private:
    void end() {
        if (process_ == 0) {
            return;
        }
        kill(process_, SIGKILL);
        while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
        }
        process_ = 0;
    }

    std::size_t task_;
    MemoryFile input_, output_, errors_;
    pid_t process_ = 0;
    int descriptor_ = -1;
};

ProcessPool::ProcessPool(std::string program, unsigned jobs, const std::atomic<bool>* stop)
    : program_(std::move(program)), jobs_(std::max(1U, jobs)), stop_(stop) {}

bool ProcessPool::run(std::size_t count, const std::function<ProcessTask(std::size_t)>& task,
                      const std::function<void(std::size_t, ProcessResult)>& finished) {
    std::vector<std::unique_ptr<Child>> children;
    std::size_t next = 0;
    while (!isStopped() && (next < count || !children.empty())) {
        while (next < count && children.size() < jobs_) {
            children.push_back(std::make_unique<Child>(program_, next, task(next)));
            ++next;
        }
        std::vector<pollfd> waiting;
        for (const auto& child : children) {
            waiting.push_back({child->descriptor(), POLLIN, 0});
        }
        if (poll(waiting.data(), waiting.size(), kPollMs) <= 0) {
            continue;  // a signal or nothing yet
        }
        for (std::size_t i = waiting.size(); i-- > 0;) {
            if (waiting[i].revents == 0) {
                continue;
            }
            const std::unique_ptr<Child> child = std::move(children[i]);
            children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
            finished(child->task(), child->collect());
        }
    }
    return !isStopped();
}

unsigned defaultJobs() {
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace vnpu::sim
