// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "driver/compiler/ir/accesses.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

/// The tokens that one command waits for, at most one per engine.
struct WaitList {
    std::array<hw::TokenWait, hw::kMaxWaits> waits{};
    std::uint8_t count = 0;

    std::span<const hw::TokenWait> view() const { return {waits.data(), count}; }
};

/// Keeps the last writer of every byte of SRAM and of the regions and its readers since then, and
/// derives the fewest waits that keep read-after-write, write-after-read and write-after-write in
/// order between engines. Commands of one engine run in order, so none waits for its own engine.
class HazardTracker {
  public:
    /// Registers the next command of `engine` and returns its waits.
    WaitList record(hw::Engine engine, std::span<const Access> accesses);

  private:
    /// Counts per engine; a command is known to be finished when its engine's count has reached its
    /// number.
    using Clock = std::array<std::uint32_t, hw::kEngineCount>;

    /// The accesses to the bytes from the map's key to `end`.
    struct Segment {
        std::uint64_t end = 0;
        hw::Engine writer = hw::Engine::kController;
        std::uint32_t writeCount = 0;  // 0: never written
        Clock readCounts{};            // since then
    };
    using Segments = std::map<std::uint64_t, Segment>;

    static void split(Segments& segments, std::uint64_t at);
    static void collect(Segments& segments, const Access& access, Clock& required);
    static void update(Segments& segments, const Access& access, hw::Engine engine,
                       std::uint32_t count);
    WaitList reduce(hw::Engine engine, const Clock& required) const;

    std::map<std::uint16_t, Segments> spaces_;
    std::array<std::vector<Clock>, hw::kEngineCount> history_;  // known finished once command i is
    /// Known to be finished when the engine's last command started.
    std::array<Clock, hw::kEngineCount> known_{};
};

}  // namespace vnpu::driver
