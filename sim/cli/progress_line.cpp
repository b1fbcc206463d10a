// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace vnpu::sim {

ProgressLine::ProgressLine() : isShown_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (isShown_) {
        fmt::print(stderr, "\r\033[K");
    }
}

void ProgressLine::show(const std::function<std::string()>& text) {
    // Wall time decides only how often the line is drawn.
    const auto now = std::chrono::steady_clock::now();
    if (!isShown_ || now - drawn_ < std::chrono::milliseconds(100)) {
        return;
    }
    drawn_ = now;
    fmt::print(stderr, "\r\033[K{}", text());
    std::fflush(stderr);
}

}  // namespace vnpu::sim
