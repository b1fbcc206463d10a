// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/range_allocator.h"

#include <algorithm>
#include <numeric>

#include "hw_model/regs/check.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

bool livesTogether(const LiveRange& a, const LiveRange& b) {
    return a.first <= b.last && b.first <= a.last;
}

}  // namespace

RangePlacement placeRanges(std::span<const LiveRange> ranges, std::uint32_t alignment) {
    std::vector<std::size_t> order(ranges.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return ranges[a].sizeBytes > ranges[b].sizeBytes;
    });
    RangePlacement placement;
    placement.offsets.resize(ranges.size(), 0);
    std::vector<std::size_t> placed;
    for (const std::size_t i : order) {
        std::vector<Span64> taken;
        for (const std::size_t other : placed) {
            if (livesTogether(ranges[i], ranges[other])) {
                const std::uint64_t begin = placement.offsets[other];
                taken.push_back({begin, begin + ranges[other].sizeBytes});
            }
        }
        std::sort(taken.begin(), taken.end(),
                  [](const Span64& a, const Span64& b) { return a.begin < b.begin; });
        std::uint64_t offset = 0;
        for (const Span64& span : taken) {
            if (span.begin >= offset + ranges[i].sizeBytes) {
                break;
            }
            offset = std::max(offset, hw::roundUp(span.end, alignment));
        }
        placement.offsets[i] = offset;
        placement.totalBytes = std::max(placement.totalBytes, offset + ranges[i].sizeBytes);
        placed.push_back(i);
    }
    return placement;
}

std::vector<Span64> freeSpans(std::vector<Span64> taken, std::uint64_t total) {
    std::sort(taken.begin(), taken.end(),
              [](const Span64& a, const Span64& b) { return a.begin < b.begin; });
    std::vector<Span64> free;
    std::uint64_t next = 0;
    for (const Span64& span : taken) {
        if (span.begin > next) {
            free.push_back({next, std::min(span.begin, total)});
        }
        next = std::max(next, span.end);
    }
    if (next < total) {
        free.push_back({next, total});
    }
    return free;
}

void takeSpan(std::vector<Span64>& free, std::uint64_t begin, std::uint64_t end) {
    const auto span = std::find_if(free.begin(), free.end(), [&](const Span64& candidate) {
        return candidate.begin <= begin && end <= candidate.end;
    });
    VNPU_CHECK(span != free.end(), "the range is free");
    const Span64 tail{end, span->end};
    span->end = begin;
    if (span->size() == 0) {
        *span = tail;
    } else if (tail.size() != 0) {
        free.insert(span + 1, tail);
        return;
    }
    if (span->size() == 0) {
        free.erase(span);
    }
}

std::optional<std::uint64_t> findPlace(std::span<const Span64> free, std::uint64_t sizeBytes,
                                       std::uint32_t alignment, Side side) {
    std::optional<std::uint64_t> place;
    for (const Span64& span : free) {
        if (span.size() < sizeBytes) {
            continue;
        }
        const std::uint64_t low = hw::roundUp(span.begin, alignment);
        const std::uint64_t high = (span.end - sizeBytes) / alignment * alignment;
        if (low + sizeBytes > span.end || high < span.begin) {
            continue;
        }
        if (side == Side::kLow) {
            return low;
        }
        place = high;
    }
    return place;
}

}  // namespace vnpu::driver
