// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/byte_set.h"

#include <algorithm>
#include <bit>

namespace vnpu::driver {
namespace {

constexpr std::uint64_t kWordBits = 64;

}  // namespace

template <typename Visit>
void ByteSet::forWords(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    end = std::min(end, limit_);
    if (begin >= end) {
        return;
    }
    const std::uint64_t first = begin / kWordBits;
    const std::uint64_t last = (end - 1) / kWordBits;
    const std::uint64_t fromBegin = UINT64_MAX << (begin % kWordBits);
    const std::uint64_t toEnd = UINT64_MAX >> (kWordBits - 1 - (end - 1) % kWordBits);
    if (first == last) {
        visit(first, fromBegin & toEnd);
        return;
    }
    visit(first, fromBegin);
    for (std::uint64_t index = first + 1; index < last; ++index) {
        visit(index, UINT64_MAX);
    }
    visit(last, toEnd);
}

void ByteSet::change(std::uint64_t begin, std::uint64_t end, bool isMember) {
    forWords(begin, end, [&](std::uint64_t index, std::uint64_t bits) {
        std::uint64_t& word = words_[index];
        const std::uint64_t flipped = (isMember ? ~word : word) & bits;
        if (flipped != 0) {
            const std::uint64_t count =
                    flipped == UINT64_MAX ? kWordBits
                                          : static_cast<std::uint64_t>(std::popcount(flipped));
            count_ = isMember ? count_ + count : count_ - count;
            word ^= flipped;
        }
    });
}

std::uint64_t ByteSet::count(std::uint64_t begin, std::uint64_t end) const {
    std::uint64_t count = 0;
    forWords(begin, end, [&](std::uint64_t index, std::uint64_t bits) {
        count += static_cast<std::uint64_t>(std::popcount(words_[index] & bits));
    });
    return count;
}

bool ByteSet::unite(const ByteSet& other) {
    const std::uint64_t before = count_;
    count_ = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        words_[i] |= other.words_[i];
        count_ += static_cast<std::uint64_t>(std::popcount(words_[i]));
    }
    return count_ != before;
}

std::vector<Span64> ByteSet::allSpans() const {
    std::vector<Span64> spans;
    for (std::size_t i = 0; i < words_.size(); ++i) {
        std::uint64_t word = words_[i];
        const std::uint64_t base = i * kWordBits;
        while (word != 0) {
            const auto first = static_cast<std::uint64_t>(std::countr_zero(word));
            const auto ones = static_cast<std::uint64_t>(std::countr_one(word >> first));
            if (!spans.empty() && spans.back().end == base + first) {
                spans.back().end += ones;
            } else {
                spans.push_back({base + first, base + first + ones});
            }
            word = first + ones == kWordBits ? 0 : word >> (first + ones) << (first + ones);
        }
    }
    return spans;
}

std::vector<Span64> ByteSet::spans(std::size_t most) const {
    std::vector<Span64> all = allSpans();
    if (all.size() <= most) {
        return all;
    }
    // The widest gaps stay open; of equal ones the lowest.
    std::vector<std::size_t> gaps(all.size() - 1);
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        gaps[i] = i;
    }
    const auto width = [&](std::size_t gap) { return all[gap + 1].begin - all[gap].end; };
    std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(most - 1),
                      gaps.end(), [&](std::size_t a, std::size_t b) {
                          return width(a) != width(b) ? width(a) > width(b) : a < b;
                      });
    gaps.resize(most - 1);
    std::sort(gaps.begin(), gaps.end());
    std::vector<Span64> joined;
    std::uint64_t begin = all.front().begin;
    for (const std::size_t gap : gaps) {
        joined.push_back({begin, all[gap].end});
        begin = all[gap + 1].begin;
    }
    joined.push_back({begin, all.back().end});
    return joined;
}

}  // namespace vnpu::driver
