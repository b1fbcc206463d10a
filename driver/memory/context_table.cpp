// SPDX-License-Identifier: Apache-2.0
#include "driver/memory/context_table.h"

#include <fmt/format.h>

namespace vnpu::driver {

Result<std::shared_ptr<Context>> ContextTable::contextFor(std::uint32_t uid) {
    const HostLockGuard turn(turn_);
    if (const auto known = contexts_.find(uid); known != contexts_.end()) {
        if (auto context = known->second.lock()) {
            return context;
        }
    }
    std::erase_if(contexts_, [](const auto& entry) { return entry.second.expired(); });
    const auto index = takeIndex();
    if (!index) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                    fmt::format("all {} contexts are taken; uid {} needs one",
                                options_.environment.info.contextCount, uid));
    }
    auto context = Context::create({.environment = options_.environment,
                                    .mailbox = options_.mailbox,
                                    .rings = options_.rings,
                                    .uid = uid,
                                    .index = *index,
                                    .onEnd = [this, taken = *index] { giveBackIndex(taken); }});
    if (!context) {
        giveBackIndex(*index);
        return context;
    }
    contexts_[uid] = *context;
    return context;
}

std::optional<std::uint32_t> ContextTable::takeIndex() {
    const MutexLock guard(mutex_);
    for (std::uint32_t index = 0; index < options_.environment.info.contextCount; ++index) {
        if (!isTaken_[index]) {
            isTaken_[index] = true;
            return index;
        }
    }
    return std::nullopt;
}

void ContextTable::giveBackIndex(std::uint32_t index) {
    const MutexLock guard(mutex_);
    isTaken_[index] = false;
}

}  // namespace vnpu::driver
