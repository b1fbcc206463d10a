// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "driver/api/options.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Part of a user's share; its end gives the part back. May outlive the share.
using UserClaim = std::shared_ptr<const void>;

/// The resources of one user and their limits. Any thread.
class UserShare {
  public:
    UserShare(std::uint32_t uid, const UserLimits& limits) : uid_(uid), limits_(limits) {}

    /// RESOURCE_EXHAUSTED_PERSISTENT for more than the user's limit, _TRANSIENT for more than is
    /// left of it.
    Result<UserClaim> claimMemory(std::uint64_t sizeBytes);
    /// The same for one execution.
    Result<UserClaim> claimExecution();

  private:
    struct Demand {
        std::uint64_t amount = 0;
        std::uint64_t limit = 0;
        const char* what = "";
    };
    using Counter = std::shared_ptr<std::atomic<std::uint64_t>>;

    Result<UserClaim> claim(const Counter& counter, const Demand& demand) const;

    const std::uint32_t uid_;
    const UserLimits limits_;
    const Counter memoryBytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    const Counter executions_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace vnpu::driver
