// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace vnpu::sim {

/// The relation between simulated time and the wall clock in a live platform. There are two modes:
/// - as fast as possible: while the device works, simulated time is not delayed. While the device
/// sleeps and a thread waits (for a timeout, or for something outside), time passes as on the wall
/// clock, so that a timeout of ten seconds does not expire immediately.
/// - by a factor: simulated time never runs ahead of the wall clock times the factor. A host that
/// is too slow for it falls behind and does not catch up.
///
/// Reads no clock: the caller passes both times. One thread.
class Pace {
  public:
    using WallTime = std::chrono::steady_clock::time_point;

    static Pace maximum() { return Pace(0.0); }
    /// `factor` simulated seconds per real second; positive.
    static Pace byFactor(double factor) { return Pace(factor); }

    /// The next step: simulated time may run to `runUntil`; or nothing happens before `sleepUntil`
    /// on the wall clock unless the host sends a request.
    struct Step {
        std::chrono::nanoseconds runUntil{};
        std::optional<WallTime> sleepUntil;
    };

    /// `now` and `nextEvent` are simulated times; `nextEvent` is the next event of the device or
    /// the end of a wait, and not before `now`.
    Step next(std::chrono::nanoseconds now, std::chrono::nanoseconds nextEvent, WallTime wall);

    /// Simulated time has stood still until now, because no thread waited.
    void restart(std::chrono::nanoseconds now, WallTime wall);

  private:
    explicit Pace(double factor) : factor_(factor) {}

    Step followWall(std::chrono::nanoseconds now, std::chrono::nanoseconds target, WallTime wall,
                    double factor) const;

    double factor_;  // 0: as fast as possible
    bool isAnchored_ = false;
    std::chrono::nanoseconds anchor_{};  // both clocks at the same moment
    WallTime wallAnchor_;
};

/// "max", "realtime", or a positive factor of wall time ("0.5"); throws InputError for other texts.
Pace parsePace(const std::string& text);

}  // namespace vnpu::sim
