// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace vnpu::sim {

/// A line on the terminal that shows the progress of a command and is erased at its end. If stderr
/// is a file or a pipe, as in CI, it prints one line a minute. A quiet one shows nothing. Any
/// thread.
class ProgressLine {
  public:
    explicit ProgressLine(bool isQuiet = false);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Calls `text` only when the line is due to be drawn.
    void show(const std::function<std::string()>& text);

    /// Prints a line that stays, above the progress.
    void note(const std::string& text);

    /// A callback that shows "DONE/TOTAL UNIT"; the line must outlive it.
    std::function<void(std::uint64_t)> counter(std::uint64_t total, const std::string& unit);

  private:
    const bool isQuiet_;
    const bool isTerminal_;
    std::mutex mutex_;  // guards drawn_, and the output
    std::chrono::steady_clock::time_point drawn_;
};

}  // namespace vnpu::sim
