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
    const auto index = indexes_.take();
    if (!index) {
        return fail(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT,
                    fmt::format("all {} contexts are taken; uid {} needs one",
                                environment_.info.contextCount, uid));
    }
    auto context = Context::create({.environment = environment_,
                                    .uid = uid,
                                    .index = *index,
                                    .onEnd = [this, taken = *index] { indexes_.giveBack(taken); }});
    if (!context) {
        indexes_.giveBack(*index);
        return context;
    }
    contexts_[uid] = *context;
    return context;
}

}  // namespace vnpu::driver
