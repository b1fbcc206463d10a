// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "driver/control/index_pool.h"
#include "driver/memory/context.h"

namespace vnpu::driver {

/// The contexts by caller. Any thread but the interrupt thread.
class ContextTable {
  public:
    explicit ContextTable(const Environment& environment)
        : environment_(environment),
          indexes_(environment.info.contextCount),
          turn_(environment.port) {}

    /// The caller's context, created if it has none. RESOURCE_EXHAUSTED_TRANSIENT if the device has
    /// no context left.
    Result<std::shared_ptr<Context>> contextFor(std::uint32_t uid);

  private:
    const Environment& environment_;
    IndexPool indexes_;
    HostLock turn_;  // guards contexts_; held while the firmware answers
    std::map<std::uint32_t, std::weak_ptr<Context>> contexts_;
};

}  // namespace vnpu::driver
