// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/ir/range_allocator.h"

namespace vnpu::driver {

/// A set of addresses below a limit, one bit each, with its size.
class ByteSet {
  public:
    explicit ByteSet(std::uint64_t limit) : limit_(limit), words_((limit + 63) / 64) {}

    /// Addresses at or above the limit are ignored.
    void add(std::uint64_t begin, std::uint64_t end) { change(begin, end, true); }
    void remove(std::uint64_t begin, std::uint64_t end) { change(begin, end, false); }

    /// Adds all of `other`, which has the same limit; returns whether the set grew.
    bool unite(const ByteSet& other);

    std::uint64_t count() const { return count_; }
    /// Members within [begin, end).
    std::uint64_t count(std::uint64_t begin, std::uint64_t end) const;

    /// The members by rising address; spans are joined until there are at most `most`, across the
    /// smallest gaps first.
    std::vector<Span64> spans(std::size_t most) const;

  private:
    /// Calls `visit` with the index and the bits of each word that [begin, end) is part of.
    template <typename Visit>
    void forWords(std::uint64_t begin, std::uint64_t end, Visit visit) const;
    void change(std::uint64_t begin, std::uint64_t end, bool isMember);
    std::vector<Span64> allSpans() const;

    std::uint64_t limit_;
    std::vector<std::uint64_t> words_;
    std::uint64_t count_ = 0;
};

}  // namespace vnpu::driver
