// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/sweep_progress.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace vnpu::sim {

namespace {

constexpr std::size_t kBarLetters = 20;  // chosen: the line fits 80 columns

std::string bar(const SweepProgress& progress) {
    const std::size_t full = progress.count == 0 ? 0 : progress.done * kBarLetters / progress.count;
    std::string text(full, '=');
    text += full < kBarLetters ? ">" : "";
    text.resize(kBarLetters, ' ');
    return text;
}

}  // namespace

std::string roughTime(std::chrono::duration<double> time) {
    const auto seconds = static_cast<std::uint64_t>(std::llround(time.count()));
    if (seconds < 60) {
        return fmt::format("{} s", seconds);
    }
    if (seconds < 3600) {
        return fmt::format("{} min {} s", seconds / 60, seconds % 60);
    }
    return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

std::string SweepProgressText::text(const SweepProgress& progress,
                                    std::chrono::steady_clock::time_point now) {
    std::string text =
            fmt::format("{} [{}] {} of {}", progress.isMeasuringAlone ? "models alone" : "points",
                        bar(progress), progress.done, progress.count);
    if (progress.failed != 0) {
        text += fmt::format(", {} failed", progress.failed);
    }
    if (!begin_ || begin_->isMeasuringAlone != progress.isMeasuringAlone) {
        begin_ = {progress.isMeasuringAlone, now, progress.done};
    }
    if (progress.done > begin_->done && progress.done < progress.count) {
        const std::chrono::duration<double> each =
                (now - begin_->time) / static_cast<double>(progress.done - begin_->done);
        text += fmt::format(", about {} left",
                            roughTime(each * static_cast<double>(progress.count - progress.done)));
    }
    return text;
}

}  // namespace vnpu::sim
