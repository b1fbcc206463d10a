// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/workspace.h"

#include <algorithm>
#include <optional>

#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// The sets from the one with the largest slots to the one with the smallest, equal ones in their
/// order.
class BySize {
  public:
    explicit BySize(std::span<SlotSet* const> sets) : sets_(sets) {}

    /// Null behind the last one.
    SlotSet* next() {
        std::size_t found = sets_.size();
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            if (isBehindLast(i) &&
                (found == sets_.size() || sets_[i]->slotBytes > sets_[found]->slotBytes)) {
                found = i;
            }
        }
        last_ = found;
        return found == sets_.size() ? nullptr : sets_[found];
    }

  private:
    bool isBehindLast(std::size_t i) const {
        if (!last_) {
            return true;
        }
        const std::uint64_t bytes = sets_[*last_]->slotBytes;
        return sets_[i]->slotBytes < bytes || (sets_[i]->slotBytes == bytes && i > *last_);
    }

    std::span<SlotSet* const> sets_;
    std::optional<std::size_t> last_;
};

bool placeAll(std::span<SlotSet* const> sets, std::vector<Span64> free, std::uint64_t unit,
              std::uint32_t alignment, Side side) {
    BySize order(sets);
    while (SlotSet* set = order.next()) {
        const std::uint64_t bytes = hw::roundUp(set->slotBytes, unit);
        for (std::uint32_t& address : set->addresses) {
            const auto place = findPlace(free, bytes, alignment, side);
            if (!place) {
                return false;
            }
            address = static_cast<std::uint32_t>(*place);
            takeSpan(free, *place, *place + bytes);
        }
    }
    return true;
}

}  // namespace

std::uint64_t Workspace::freeBytes() const {
    std::uint64_t bytes = 0;
    for (const Span64& span : free) {
        bytes += span.size();
    }
    return bytes;
}

bool Workspace::place(std::span<SlotSet* const> sets) const {
    std::uint64_t needed = 0;
    for (const SlotSet* set : sets) {
        needed += set->totalBytes();
    }
    if (needed > freeBytes()) {
        return false;
    }
    std::size_t slots = 0;
    for (SlotSet* set : sets) {
        set->addresses.assign(set->slots, 0);
        slots += set->slots;
    }
    constexpr std::size_t kMostInBanks = 8;  // chosen: more slots than banks are small ones
    if (slots <= kMostInBanks && bankBytes != 0 &&
        placeAll(sets, free, bankBytes, static_cast<std::uint32_t>(bankBytes), side)) {
        return true;
    }
    return placeAll(sets, free, kSramAlignment, kSramAlignment, side);
}

}  // namespace vnpu::driver
