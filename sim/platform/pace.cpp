// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sim/base/error.h"

namespace vnpu::sim {

using std::chrono::nanoseconds;

namespace {

// chosen: the host's requests wait for the end of a slice, which takes about as long to simulate as
// a thread takes to wake
constexpr nanoseconds kSlice{20'000};
// chosen: engines and firmware do something every few microseconds while a job runs; heartbeats of
// an idle device are a millisecond apart
constexpr nanoseconds kSleep{100'000};
// chosen: a host that lags further than this is too slow, not merely interrupted
constexpr nanoseconds kMostLag{10'000'000};
// chosen: the sleep of a device that has nothing to do
constexpr nanoseconds kLongestSleep{1'000'000'000};

nanoseconds scaled(nanoseconds time, double factor) {
    return nanoseconds(static_cast<std::int64_t>(static_cast<double>(time.count()) * factor));
}

}  // namespace

void Pace::restart(nanoseconds now, WallTime wall) {
    isAnchored_ = true;
    anchor_ = now;
    wallAnchor_ = wall;
}

Pace::Step Pace::next(nanoseconds now, nanoseconds nextEvent, WallTime wall) {
    nextEvent = std::min(nextEvent, now + kLongestSleep);
    if (factor_ == 0.0) {
        if (nextEvent - now <= kSleep) {
            isAnchored_ = false;
            return {now + kSlice, std::nullopt};
        }
        if (!isAnchored_) {
            restart(now, wall);
        }
        return followWall(now, nextEvent, wall, 1.0);
    }
    if (!isAnchored_ || scaled(wall - wallAnchor_, factor_) - (now - anchor_) > kMostLag) {
        restart(now, wall);
    }
    // At least one slice at a time, because waking a thread costs more than simulating a shorter
    // time.
    return followWall(now, std::max(nextEvent, now + kSlice), wall, factor_);
}

Pace::Step Pace::followWall(nanoseconds now, nanoseconds target, WallTime wall,
                            double factor) const {
    const nanoseconds reached = anchor_ + scaled(wall - wallAnchor_, factor);
    if (reached >= target) {
        return {std::max(target, now), std::nullopt};
    }
    return {now, wallAnchor_ + scaled(target - anchor_, 1.0 / factor)};
}

Pace parsePace(const std::string& text) {
    if (text == "max") {
        return Pace::maximum();
    }
    if (text == "realtime") {
        return Pace::byFactor(1.0);
    }
    char* end = nullptr;
    const double factor = std::strtod(text.c_str(), &end);
    // chosen: slower than a thousandth, a timeout of the driver's takes minutes
    if (text.empty() || *end != '\0' || !std::isfinite(factor) || factor < 0.001 || factor > 1000) {
        throw InputError(fmt::format(
                "pace \"{}\", expected max, realtime or a factor from 0.001 to 1000", text));
    }
    return Pace::byFactor(factor);
}

}  // namespace vnpu::sim
