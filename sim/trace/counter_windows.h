// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "hw_model/regs/engines.h"
#include "sim/trace/command_frontier.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

/// Sums of one window of time.
struct CounterWindow {
    double dramBytes = 0.0;
    double macOperations = 0.0;
    std::uint64_t tlbMisses = 0;
    std::array<std::uint32_t, hw::kEngineCount> maxQueueDepth{};
    std::array<bool, hw::kEngineCount> hasQueueChange{};
    std::array<std::uint32_t, hw::kEngineCount> lastQueueDepth{};  // where it changed
};

/// Calls `take(index, share)` for every window of `lengthNs` that [fromNs, toNs] touches, with the
/// window's share of that time; the shares add up to 1.
template <typename Take>
void forEachWindow(std::uint64_t fromNs, std::uint64_t toNs, std::uint64_t lengthNs, Take&& take) {
    const double length = static_cast<double>(std::max<std::uint64_t>(1, toNs - fromNs));
    std::uint64_t from = fromNs;
    do {
        const std::uint64_t index = from / lengthNs;
        const std::uint64_t to = std::min(toNs, (index + 1) * lengthNs);
        take(index, toNs == fromNs ? 1.0 : static_cast<double>(to - from) / length);
        from = to;
    } while (from < toNs);
}

/// Distributes the work of commands over windows of equal length; the bytes and operations of a
/// command are spread evenly over its working time. Windows are removed in order once no further
/// command can change them; windows without events are omitted.
class CounterWindows {
  public:
    explicit CounterWindows(std::uint64_t lengthNs) : lengthNs_(lengthNs) {}

    void onEngineCommand(const EngineEvent& event) {
        const hw::EngineCommandRecord& record = event.record;
        frontier_.onCommandEnd(record.engine, event.startNs);
        const double operations =
                record.engine == hw::Engine::kMac ? static_cast<double>(record.operations) : 0.0;
        if (record.dramBytes == 0 && operations == 0.0) {
            return;
        }
        forEachWindow(
                event.startNs, event.endNs, lengthNs_, [&](std::uint64_t index, double share) {
                    windows_[index].dramBytes += share * static_cast<double>(record.dramBytes);
                    windows_[index].macOperations += share * operations;
                });
    }

    void onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) {
        frontier_.onQueueDepth(timeNs, engine, commands);
        CounterWindow& window = windows_[timeNs / lengthNs_];
        const std::size_t index = hw::engineIndex(engine);
        window.maxQueueDepth[index] = std::max(window.maxQueueDepth[index], commands);
        window.hasQueueChange[index] = true;
        window.lastQueueDepth[index] = commands;
    }

    void onMmuMiss(std::uint64_t timeNs) { ++windows_[timeNs / lengthNs_].tlbMisses; }

    void onJobBoundary() { frontier_.onJobBoundary(); }

    /// Calls `take(startNs, window)` for each window that is complete at `nowNs`; for all windows
    /// if that is UINT64_MAX.
    template <typename Take>
    void takeComplete(std::uint64_t nowNs, Take&& take) {
        const std::uint64_t completeNs =
                nowNs == UINT64_MAX ? nowNs : frontier_.completeBefore(nowNs);
        while (!windows_.empty() && windows_.begin()->first < completeNs / lengthNs_) {
            CounterWindow& window = windows_.begin()->second;
            for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
                window.maxQueueDepth[i] = std::max(window.maxQueueDepth[i], queueDepth_[i]);
            }
            take(windows_.begin()->first * lengthNs_, window);
            for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
                queueDepth_[i] =
                        window.hasQueueChange[i] ? window.lastQueueDepth[i] : queueDepth_[i];
            }
            windows_.erase(windows_.begin());
        }
    }

    /// Commands in an engine's queue after the last removed window.
    std::uint32_t queueDepth(std::size_t engine) const { return queueDepth_[engine]; }

  private:
    std::uint64_t lengthNs_;
    CommandFrontier frontier_;
    std::map<std::uint64_t, CounterWindow> windows_;  // by index
    std::array<std::uint32_t, hw::kEngineCount> queueDepth_{};
};

}  // namespace vnpu::sim
