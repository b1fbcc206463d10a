// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "driver/memory/context.h"
#include "driver/port/mutex.h"
#include "hw_model/regs/register_map.h"

namespace vnpu::driver {

/// The contexts by caller. Any thread but the interrupt thread.
class ContextTable {
  public:
    struct Options {
        const Environment& environment;
        MailboxClient& mailbox;
        RingRegistry& rings;
    };

    explicit ContextTable(const Options& options)
        : options_(options), turn_(options.environment.port) {}

    /// The caller's context, created if it has none. RESOURCE_EXHAUSTED_TRANSIENT if the device has
    /// no context left.
    Result<std::shared_ptr<Context>> contextFor(std::uint32_t uid);

  private:
    std::optional<std::uint32_t> takeIndex();
    void giveBackIndex(std::uint32_t index);

    const Options options_;
    HostLock turn_;  // guards contexts_; held while the firmware answers
    std::map<std::uint32_t, std::weak_ptr<Context>> contexts_;
    Mutex mutex_ VNPU_LOCK_RANK(80);
    std::array<bool, hw::regs::kContextCount> isTaken_ VNPU_GUARDED_BY(mutex_){};
};

}  // namespace vnpu::driver
