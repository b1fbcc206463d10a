// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/workspace.h"

#include <algorithm>

#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

/// One slot of a set, to be placed.
struct Request {
    SlotSet* set;
    std::uint32_t slot;
};

void take(std::vector<Span64>& free, std::uint64_t begin, std::uint64_t end) {
    std::vector<Span64> left;
    for (const Span64& span : free) {
        if (end <= span.begin || begin >= span.end) {
            left.push_back(span);
            continue;
        }
        if (span.begin < begin) {
            left.push_back({span.begin, begin});
        }
        if (end < span.end) {
            left.push_back({end, span.end});
        }
    }
    free = std::move(left);
}

bool placeAll(std::span<const Request> requests, std::vector<Span64> free, std::uint64_t unit,
              std::uint32_t alignment, Side side) {
    for (const Request& request : requests) {
        const std::uint64_t bytes = hw::roundUp(request.set->slotBytes, unit);
        const auto place = findPlace(free, bytes, alignment, side);
        if (!place) {
            return false;
        }
        request.set->addresses[request.slot] = static_cast<std::uint32_t>(*place);
        take(free, *place, *place + bytes);
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
    std::vector<Request> requests;
    for (SlotSet* set : sets) {
        set->addresses.assign(set->slots, 0);
        for (std::uint32_t slot = 0; slot < set->slots; ++slot) {
            requests.push_back({set, slot});
        }
    }
    std::stable_sort(requests.begin(), requests.end(), [](const Request& a, const Request& b) {
        return a.set->slotBytes > b.set->slotBytes;
    });
    constexpr std::size_t kMostInBanks = 8;  // chosen: more slots than banks are small ones
    if (requests.size() <= kMostInBanks && bankBytes != 0 && bankBytes % kSramAlignment == 0 &&
        placeAll(requests, free, bankBytes, static_cast<std::uint32_t>(bankBytes), side)) {
        return true;
    }
    return placeAll(requests, free, kSramAlignment, kSramAlignment, side);
}

}  // namespace vnpu::driver
