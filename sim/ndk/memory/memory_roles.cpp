// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/memory/memory_roles.h"

#include <algorithm>
#include <utility>

#include "driver/validation/operand_types.h"

namespace vnpu::sim::ndk {

MemoryRoles::MemoryRoles(Operand operand, std::vector<MemoryRole> roles)
    : operand_(std::move(operand)), roles_(std::move(roles)), dimensions_(operand_.dimensions) {}

bool MemoryRoles::includes(const MemoryRole& role) const {
    return std::find(roles_.begin(), roles_.end(), role) != roles_.end();
}

Dimensions MemoryRoles::dimensions() const {
    const std::lock_guard lock(mutex_);
    return dimensions_;
}

std::optional<std::uint32_t> MemoryRoles::contentBytes() const {
    return driver::sizeOfData(operand_.type, dimensions());
}

bool MemoryRoles::hasContents() const {
    noteWriterEnd();
    const std::lock_guard lock(mutex_);
    return hasContents_;
}

void MemoryRoles::setWriter(std::function<void()> noteEnd) {
    const std::lock_guard lock(mutex_);
    noteWriterEnd_ = std::move(noteEnd);
}

void MemoryRoles::noteWriterEnd() const {
    std::function<void()> noteEnd;
    {
        const std::lock_guard lock(mutex_);
        noteEnd = noteWriterEnd_;
    }
    if (noteEnd) {
        noteEnd();  // without the lock, because it sets the contents
    }
}

void MemoryRoles::setContents(const Dimensions& dimensions) {
    const std::lock_guard lock(mutex_);
    if (!dimensions.empty()) {
        dimensions_ = dimensions;
    }
    hasContents_ = true;
}

void MemoryRoles::invalidate() {
    const std::lock_guard lock(mutex_);
    hasContents_ = false;
    dimensions_ = operand_.dimensions;
}

}  // namespace vnpu::sim::ndk
