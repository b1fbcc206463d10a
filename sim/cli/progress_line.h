// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace vnpu::sim {

/// One line on the terminal that tells how far a command is, wiped at its end. Where stderr is a
/// file or a pipe, as in CI, a line a minute.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Asks for the text only when it is time to draw it.
    void show(const std::function<std::string()>& text);

  private:
    bool isTerminal_;
    std::chrono::steady_clock::time_point drawn_;
};

}  // namespace vnpu::sim
