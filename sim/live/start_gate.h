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

/// Lets clients on any threads of any processes begin together, once the last is ready.
class StartGate {
  public:
    /// Opens for that many clients, at a socket of this path. std::runtime_error if it cannot be
    /// made.
    StartGate(const std::string& path, std::size_t clients);
    /// Who still waits is told that the run is over.
    ~StartGate();
    StartGate(const StartGate&) = delete;
    StartGate& operator=(const StartGate&) = delete;

    /// Those who wait, or will, get std::runtime_error. Any thread.
    void giveUp();

    /// The common start on the steady clock; 0 if it has not come. After all clients have ended.
    std::uint64_t startNs() const { return startNs_; }

    /// Waits at the gate of this path for the common start on the steady clock. std::runtime_error
    /// if it does not come.
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
