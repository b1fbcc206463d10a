// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/tlb.h"

#include <algorithm>
#include <bit>

#include "hw_model/regs/page_table.h"

namespace vnpu::hw {

namespace {

constexpr unsigned kContextShift = 40;

std::uint64_t keyOf(std::uint32_t context, std::uint64_t virtualAddress, bool isLarge) {
    const std::uint64_t page = virtualAddress / (isLarge ? kLargePageBytes : kPageBytes);
    return (std::uint64_t{context} << kContextShift) | (page << 1) | (isLarge ? 1U : 0U);
}

}  // namespace

Tlb::Tlb(std::uint32_t entries)
    : entries_(entries),
      next_(entries, kNone),
      buckets_(std::size_t{2} * std::bit_ceil(entries), kNone) {}

std::uint32_t Tlb::bucketOf(std::uint64_t key) const {
    constexpr std::uint64_t kGolden =
            0x9E3779B97F4A7C15ULL;  // chosen: 2^64 over the golden ratio spreads adjacent pages
    return static_cast<std::uint32_t>((key * kGolden) >> 32) &
           static_cast<std::uint32_t>(buckets_.size() - 1);
}

Tlb::Entry* Tlb::lookUp(std::uint64_t key) {
    for (std::uint32_t i = buckets_[bucketOf(key)]; i != kNone; i = next_[i]) {
        if (entries_[i].key == key) {
            entries_[i].isUsed = true;
            return &entries_[i];
        }
    }
    return nullptr;
}

const Tlb::Entry* Tlb::find(std::uint32_t context, std::uint64_t virtualAddress) {
    if (largeEntries_ != 0) {
        if (const Entry* const entry = lookUp(keyOf(context, virtualAddress, true))) {
            return entry;
        }
    }
    return lookUp(keyOf(context, virtualAddress, false));
}

void Tlb::unlink(std::uint32_t index) {
    Entry& entry = entries_[index];
    std::uint32_t* link = &buckets_[bucketOf(entry.key)];
    while (*link != index) {
        link = &next_[*link];
    }
    *link = next_[index];
    largeEntries_ -= entry.isLarge ? 1 : 0;
    entry.isValid = false;
}

const Tlb::Entry* Tlb::insert(std::uint32_t context, std::uint64_t virtualAddress,
                              std::uint64_t busBase, bool isWritable, bool isLarge) {
    const auto count = static_cast<std::uint32_t>(entries_.size());
    while (entries_[hand_].isValid && entries_[hand_].isUsed) {
        entries_[hand_].isUsed = false;
        hand_ = (hand_ + 1) % count;
    }
    const std::uint32_t index = hand_;
    hand_ = (hand_ + 1) % count;
    if (entries_[index].isValid) {
        unlink(index);
    }
    const std::uint64_t key = keyOf(context, virtualAddress, isLarge);
    entries_[index] = Entry{key, busBase, isWritable, isLarge, true, true};
    std::uint32_t& head = buckets_[bucketOf(key)];
    next_[index] = head;
    head = index;
    largeEntries_ += isLarge ? 1 : 0;
    return &entries_[index];
}

void Tlb::drop(std::uint32_t context) {
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].isValid && (entries_[i].key >> kContextShift) == context) {
            unlink(i);
        }
    }
}

void Tlb::dropAll() {
    std::fill(entries_.begin(), entries_.end(), Entry{});
    std::fill(buckets_.begin(), buckets_.end(), kNone);
    largeEntries_ = 0;
    hand_ = 0;
}

}  // namespace vnpu::hw
