// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace vnpu::sim {

/// One line on the terminal that tells how far a command is; nothing where stderr is a file. It is
/// wiped at its end.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Asks for the text only when it is time to draw it.
    void show(const std::function<std::string()>& text);

  private:
    bool isShown_;
    std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace vnpu::sim
