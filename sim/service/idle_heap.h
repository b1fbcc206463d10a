// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace vnpu::sim {

/// Gives the free memory of the heap back to the operating system when the process has become idle.
/// The allocator by itself keeps up to 64 MiB for each thread that has worked. One thread.
class IdleHeap {
  public:
    /// To be called every kInterval with the processor time that the process has used so far.
    /// Returns whether memory was given back: once after each period of work, however short.
    bool look(std::chrono::nanoseconds processorTime);
    /// The same for this process.
    bool look();

    static constexpr std::chrono::seconds kInterval{1};

  private:
    std::chrono::nanoseconds seen_{};     // processor time at the last look
    std::chrono::nanoseconds trimmed_{};  // and when memory was last given back
};

}  // namespace vnpu::sim
