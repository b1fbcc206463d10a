// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/walk_cache.h"

#include <algorithm>

namespace vnpu::hw {

WalkCache::WalkCache(std::size_t lines, std::uint64_t lineBytes)
    : capacity_(lines), lineBytes_(lineBytes) {
    lines_.reserve(lines);
}

bool WalkCache::take(std::uint64_t address) {
    const std::uint64_t line = address / lineBytes_;
    const auto found = std::find(lines_.begin(), lines_.end(), line);
    if (found != lines_.end()) {
        std::rotate(found, found + 1, lines_.end());
        return true;
    }
    if (lines_.size() == capacity_) {
        lines_.erase(lines_.begin());
    }
    lines_.push_back(line);
    return false;
}

}  // namespace vnpu::hw
