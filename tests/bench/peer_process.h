// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <new>
#include <utility>
#include <vector>

namespace vnpu::bench {

/// Pins the calling process to the first or second processor available to it.
inline void pinToProcessor(std::size_t index) {
    static const std::vector<std::size_t> allowed = [] {
        cpu_set_t set;
        CPU_ZERO(&set);
        sched_getaffinity(0, sizeof(set), &set);
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < CPU_SETSIZE; ++i) {
            if (CPU_ISSET(i, &set)) {
                found.push_back(i);
            }
        }
        return found;
    }();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(allowed[index % allowed.size()], &one);
    sched_setaffinity(0, sizeof(one), &one);
}

/// A process on the second processor while the caller stays on the first; ends with `body`.
class PeerProcess {
  public:
    explicit PeerProcess(const std::function<void()>& body) {
        pinToProcessor(0);
        id_ = fork();
        if (id_ == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);  // it may spin
            pinToProcessor(1);
            body();
            _exit(0);
        }
    }
    ~PeerProcess() { waitpid(id_, nullptr, 0); }
    PeerProcess(const PeerProcess&) = delete;
    PeerProcess& operator=(const PeerProcess&) = delete;

  private:
    pid_t id_ = -1;
};

/// An object in memory shared with a forked process.
template <typename T>
class SharedObject {
  public:
    SharedObject() {
        void* const memory =
                mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            std::abort();
        }
        object_ = new (memory) T;
    }
    ~SharedObject() { munmap(object_, sizeof(T)); }
    SharedObject(const SharedObject&) = delete;
    SharedObject& operator=(const SharedObject&) = delete;

    T* operator->() const { return object_; }

  private:
    T* object_;
};

}  // namespace vnpu::bench
