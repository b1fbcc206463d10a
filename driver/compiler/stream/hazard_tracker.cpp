// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/hazard_tracker.h"

#include <algorithm>

#include "hw_model/regs/check.h"

namespace vnpu::driver {
namespace {

void raise(std::uint32_t& value, std::uint32_t to) {
    value = std::max(value, to);
}

}  // namespace

void HazardTracker::split(Segments& segments, std::uint64_t at) {
    auto next = segments.upper_bound(at);
    if (next == segments.begin()) {
        return;
    }
    auto here = std::prev(next);
    if (here->first == at || here->second.end <= at) {
        return;
    }
    Segment tail = here->second;
    here->second.end = at;
    segments.emplace_hint(next, at, tail);
}

void HazardTracker::collect(Segments& segments, const Access& access, Clock& required) {
    auto it = segments.upper_bound(access.begin);
    if (it != segments.begin() && std::prev(it)->second.end > access.begin) {
        --it;
    }
    for (; it != segments.end() && it->first < access.end; ++it) {
        const Segment& segment = it->second;
        raise(required[hw::engineIndex(segment.writer)], segment.writeCount);
        if (access.isWrite) {
            for (std::size_t e = 0; e < hw::kEngineCount; ++e) {
                raise(required[e], segment.readCounts[e]);
            }
        }
    }
}

void HazardTracker::update(Segments& segments, const Access& access, hw::Engine engine,
                           std::uint32_t count) {
    split(segments, access.begin);
    split(segments, access.end);
    auto it = segments.lower_bound(access.begin);
    if (access.isWrite) {
        while (it != segments.end() && it->first < access.end) {
            it = segments.erase(it);
        }
        segments.emplace_hint(it, access.begin, Segment{access.end, engine, count, {}});
        return;
    }
    std::uint64_t next = access.begin;
    while (next < access.end) {
        if (it == segments.end() || it->first > next) {
            // Bytes without an earlier access: only the reader is recorded.
            const std::uint64_t end =
                    it == segments.end() ? access.end : std::min(access.end, it->first);
            it = segments.emplace_hint(it, next, Segment{end, hw::Engine::kController, 0, {}});
        }
        raise(it->second.readCounts[hw::engineIndex(engine)], count);
        next = it->second.end;
        ++it;
    }
}

WaitList HazardTracker::reduce(hw::Engine engine, const Clock& required) const {
    const Clock& known = known_[hw::engineIndex(engine)];
    WaitList list;
    for (std::size_t e = 0; e < hw::kEngineCount; ++e) {
        if (e == hw::engineIndex(engine) || required[e] <= known[e]) {
            continue;
        }
        bool isImplied = false;
        for (std::size_t other = 0; other < hw::kEngineCount && !isImplied; ++other) {
            if (other != e && other != hw::engineIndex(engine) && required[other] > known[other]) {
                isImplied = history_[other][required[other] - 1][e] >= required[e];
            }
        }
        if (!isImplied) {
            VNPU_CHECK(list.count < hw::kMaxWaits, "there are no more other engines than waits");
            hw::TokenWait& wait = list.waits[list.count++];
            wait.engine = static_cast<std::uint8_t>(e);
            wait.count = required[e] & 0xFFFFFFU;
        }
    }
    return list;
}

WaitList HazardTracker::record(hw::Engine engine, std::span<const Access> accesses) {
    const std::size_t self = hw::engineIndex(engine);
    Clock required{};
    for (const Access& access : accesses) {
        collect(spaces_[access.space], access, required);
    }
    const WaitList list = reduce(engine, required);

    Clock& known = known_[self];
    for (const hw::TokenWait& wait : list.view()) {
        const Clock& implied = history_[wait.engine][wait.count - 1];
        for (std::size_t e = 0; e < hw::kEngineCount; ++e) {
            raise(known[e], implied[e]);
        }
        raise(known[wait.engine], wait.count);
    }
    const auto count = static_cast<std::uint32_t>(history_[self].size() + 1);
    VNPU_CHECK(count < (1U << 24), "token counts have 24 bits");
    Clock finished = known;
    finished[self] = count;
    history_[self].push_back(finished);
    for (const Access& access : accesses) {
        update(spaces_[access.space], access, engine, count);
    }
    return list;
}

}  // namespace vnpu::driver
