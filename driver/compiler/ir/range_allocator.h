// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vnpu::driver {

/// A block of memory that is needed during the steps first .. last, both included.
struct LiveRange {
    std::uint64_t sizeBytes = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

struct RangePlacement {
    std::vector<std::uint64_t> offsets;  // one per range
    std::uint64_t totalBytes = 0;
};

/// Places ranges so that none overlaps another that lives at the same time: larger ones first, each
/// at the lowest offset.
RangePlacement placeRanges(std::span<const LiveRange> ranges, std::uint32_t alignment);

/// A half-open range of addresses.
struct Span64 {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    std::uint64_t size() const { return end - begin; }
    auto operator<=>(const Span64&) const = default;
};

/// The spans of [0, total) outside of `taken`, which may be unordered and overlap, by rising
/// address.
std::vector<Span64> freeSpans(std::vector<Span64> taken, std::uint64_t total);

/// Takes [begin, end) out of the one of the spans in which it lies.
void takeSpan(std::vector<Span64>& free, std::uint64_t begin, std::uint64_t end);

enum class Side : std::uint8_t { kLow, kHigh };

/// The lowest (or highest) aligned place for `sizeBytes` within the free spans.
std::optional<std::uint64_t> findPlace(std::span<const Span64> free, std::uint64_t sizeBytes,
                                       std::uint32_t alignment, Side side);

}  // namespace vnpu::driver
