// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/saved_context.h"

#include <algorithm>

#include "firmware/api/save_area.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

// Bound on the bytes of a repeated transfer, in multiples of its live bytes: saving moves those
// twice, once while another job waits
constexpr std::uint64_t kMostReload = 2;

/// Indexes of the copies to load again, rising.
std::vector<std::size_t> chooseReloads(const LiveMemory& live,
                                       const std::vector<MemoryCopy>& copies) {
    std::vector<std::uint64_t> liveBytes;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        liveBytes.push_back(live.bytes(copies[i].bytes));
        if (liveBytes.back() * kMostReload >= copies[i].bytes.size()) {
            chosen.push_back(i);
        }
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](std::size_t a, std::size_t b) { return liveBytes[a] > liveBytes[b]; });
    chosen.resize(std::min<std::size_t>(chosen.size(), hw::kMaxReloads));
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

/// Whether a saved range contains these bytes, because it joins ranges on both sides of them.
bool isSaved(const Span64& bytes, const hw::Checkpoint& checkpoint) {
    return std::any_of(checkpoint.ranges, checkpoint.ranges + checkpoint.rangeCount,
                       [&](const hw::SramRange& range) {
                           return range.offset <= bytes.begin &&
                                  bytes.end <= std::uint64_t{range.offset} + range.sizeBytes;
                       });
}

}  // namespace

void describeContext(LiveMemory live, const std::vector<MemoryCopy>& copies,
                     PlacedCheckpoint& placed) {
    const std::vector<std::size_t> chosen = chooseReloads(live, copies);
    for (const std::size_t i : chosen) {
        live.exclude(copies[i].bytes);
    }
    live.describe(placed.checkpoint);
    for (const std::size_t i : chosen) {
        if (!isSaved(copies[i].bytes, placed.checkpoint)) {
            placed.reloads.push_back(copies[i].command);
            placed.checkpoint.reloadBytes += static_cast<std::uint32_t>(copies[i].bytes.size());
        }
    }
}

std::uint64_t saveAreaBytes(const hw::Checkpoint& checkpoint) {
    const auto aligned = [](std::uint64_t bytes) { return hw::roundUp(bytes, fw::kSaveAlignment); };
    std::uint64_t bytes = sizeof(fw::SaveArea) + aligned(checkpoint.accumulatorBytes);
    for (const hw::SramRange& range : checkpoint.ranges) {
        bytes += aligned(range.sizeBytes);
    }
    return bytes;
}

}  // namespace vnpu::driver
