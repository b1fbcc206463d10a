// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android-base/unique_fd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace vnpu::sim {

/// Starts clients on any threads of any processes together, once the last is ready.
class StartGate {
  public:
    /// Waits for that many clients at a socket with this path. Throws std::runtime_error if the
    /// socket cannot be created.
    StartGate(const std::string& path, std::size_t clients);
    /// Clients that still wait are told that the run is over.
    ~StartGate();
    StartGate(const StartGate&) = delete;
    StartGate& operator=(const StartGate&) = delete;

    /// Clients that wait now or later get std::runtime_error. Any thread.
    void giveUp();

    /// The common start on the steady clock; 0 if it has not come. After all clients have ended.
    std::uint64_t startNs() const { return startNs_; }

    /// Waits at the gate with this path and returns the common start on the steady clock. Throws
    /// std::runtime_error if the start does not come.
    static std::uint64_t await(const std::string& path);

  private:
    void serve(std::size_t clients);
    /// False once the run is given up.
    bool awaitClient();

    android::base::unique_fd listening_, givenUp_;
    std::vector<android::base::unique_fd> waiting_;
    std::atomic<std::uint64_t> startNs_{0};
    std::thread thread_;
};

}  // namespace vnpu::sim
