// SPDX-License-Identifier: Apache-2.0
#include "sim/base/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace vnpu::sim {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

}  // namespace

ProgressLine::ProgressLine(bool isQuiet)
    : isQuiet_(isQuiet),
      isTerminal_(isatty(STDERR_FILENO) != 0),
      drawn_(isTerminal_ ? steady_clock::time_point{} : steady_clock::now()) {}

ProgressLine::~ProgressLine() {
    if (isTerminal_ && !isQuiet_) {
        fmt::print(stderr, "\r\033[K");
    }
}

void ProgressLine::show(const std::function<std::string()>& text) {
    if (isQuiet_) {
        return;
    }
    const std::lock_guard guard(mutex_);
    // Wall time decides only how often the line is drawn.
    const auto now = steady_clock::now();
    if (now - drawn_ < (isTerminal_ ? 100ms : 60s)) {
        return;
    }
    drawn_ = now;
    const std::string line = text();
    if (isTerminal_) {
        fmt::print(stderr, "\r\033[K{}", line);
        std::fflush(stderr);
    } else {
        fmt::print(stderr, "{}\n", line);
    }
}

void ProgressLine::note(const std::string& text) {
    const std::lock_guard guard(mutex_);
    fmt::print(stderr, "{}{}\n", isTerminal_ ? "\r\033[K" : "", text);
}

std::function<void(std::uint64_t)> ProgressLine::counter(std::uint64_t total,
                                                         const std::string& unit) {
    return [this, total, unit](std::uint64_t done) {
        show([&] { return fmt::format("{}/{} {}", done, total, unit); });
    };
}

}  // namespace vnpu::sim
