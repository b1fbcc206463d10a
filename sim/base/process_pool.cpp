// SPDX-License-Identifier: Apache-2.0
#include "sim/base/process_pool.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "sim/base/child_program.h"

namespace vnpu::sim {

using android::base::unique_fd;

namespace {

constexpr int kPollMs = 200;  // chosen: longest delay until a stop or a limit is noticed

[[noreturn]] void fail(std::string_view what) {
    throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// A file in memory. Unlike with a pipe, neither side ever waits for the other.
class MemoryFile {
  public:
    explicit MemoryFile(const char* name, const std::string& text = "")
        : file_(memfd_create(name, MFD_CLOEXEC)) {
        if (!file_.ok() || !android::base::WriteStringToFd(text, file_)) {
            fail("no memory file for a process");
        }
        lseek(file_.get(), 0, SEEK_SET);
    }

    int descriptor() const { return file_.get(); }

    std::string text() const {
        std::string out;
        lseek(file_.get(), 0, SEEK_SET);
        android::base::ReadFdToString(file_, &out);
        return out;
    }

  private:
    const unique_fd file_;
};

}  // namespace

/// A running process, which is killed by the destructor.
class ProcessPool::Child {
  public:
    Child(const std::string& program, std::size_t task, ProcessTask what)
        : task_(task),
          input_("input", what.input),
          output_("output"),
          errors_("errors"),
          program_(wordsOf(program, std::move(what.arguments)),
                   {input_.descriptor(), output_.descriptor(), errors_.descriptor()}),
          // glibc 2.36 declares pidfd_open without C linkage.
          end_(static_cast<int>(syscall(SYS_pidfd_open, program_.id(), 0))) {
        if (!end_.ok()) {
            fail("can't wait for a process");
        }
    }

    std::size_t task() const { return task_; }
    int descriptor() const { return end_.get(); }

    /// Kills the process once it takes longer than the limit.
    void killIfLate(std::chrono::nanoseconds limit) {
        if (!isLate_ && std::chrono::steady_clock::now() - begin_ > limit) {
            isLate_ = true;
            kill(program_.id(), SIGKILL);
        }
    }

    /// To be called once the descriptor is readable.
    ProcessResult collect(std::optional<std::chrono::nanoseconds> limit) {
        constexpr int kFirstSignal = 128;
        const int code = program_.wait();
        const bool isExited = code < kFirstSignal;
        return {.isExited = isExited,
                .code = isExited ? code : code - kFirstSignal,
                .output = output_.text(),
                .errors = errors_.text() + (isLate_ ? lateText(*limit) : "")};
    }

  private:
    static std::string lateText(std::chrono::nanoseconds limit) {
        return fmt::format("\ndid not end within {:g} s\n",
                           std::chrono::duration<double>(limit).count());
    }

    static std::vector<std::string> wordsOf(const std::string& program,
                                            std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), program);
        return arguments;
    }

    std::size_t task_;
    MemoryFile input_, output_, errors_;
    ChildProgram program_;
    const unique_fd end_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    bool isLate_ = false;
};

ProcessPool::ProcessPool(std::string program, unsigned jobs, const std::atomic<bool>* stop,
                         std::optional<std::chrono::nanoseconds> limit)
    : program_(std::move(program)), jobs_(std::max(1U, jobs)), stop_(stop), limit_(limit) {}

void ProcessPool::killLate(const std::vector<std::unique_ptr<Child>>& children) const {
    for (const auto& child : children) {
        if (limit_) {
            child->killIfLate(*limit_);
        }
    }
}

bool ProcessPool::run(std::size_t count, const std::function<ProcessTask(std::size_t)>& task,
                      const std::function<void(std::size_t, ProcessResult)>& finished) {
    if (access(program_.c_str(), X_OK) != 0) {
        fail(fmt::format("can't start {}", program_));
    }
    std::vector<std::unique_ptr<Child>> children;
    std::size_t next = 0;
    while (!isStopped() && (next < count || !children.empty())) {
        while (next < count && children.size() < jobs_) {
            children.push_back(std::make_unique<Child>(program_, next, task(next)));
            ++next;
        }
        std::vector<pollfd> waiting;
        waiting.reserve(children.size());
        for (const auto& child : children) {
            waiting.push_back({child->descriptor(), POLLIN, 0});
        }
        killLate(children);
        if (poll(waiting.data(), waiting.size(), kPollMs) <= 0) {
            continue;  // a signal or nothing yet
        }
        for (std::size_t i = waiting.size(); i-- > 0;) {
            if (waiting[i].revents == 0) {
                continue;
            }
            const std::unique_ptr<Child> child = std::move(children[i]);
            children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
            finished(child->task(), child->collect(limit_));
        }
    }
    return !isStopped();
}

unsigned defaultJobs() {
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace vnpu::sim
