// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver/api/options.h"
#include "driver/result.h"

namespace vnpu::driver {

/// Part of a user's share, given back by the destructor.
class UserClaim {
  public:
    UserClaim() = default;
    UserClaim(std::shared_ptr<std::atomic<std::uint64_t>> counter, std::uint64_t amount)
        : counter_(std::move(counter)), amount_(amount) {}
    UserClaim(UserClaim&& other) noexcept = default;
    UserClaim& operator=(UserClaim&& other) noexcept {
        std::swap(counter_, other.counter_);
        std::swap(amount_, other.amount_);
        return *this;
    }
    ~UserClaim() {
        if (counter_ != nullptr) {
            *counter_ -= amount_;
        }
    }

  private:
    std::shared_ptr<std::atomic<std::uint64_t>> counter_;
    std::uint64_t amount_ = 0;
};

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
    // Claims may outlive this.
    const Counter memoryBytes_ = std::make_shared<std::atomic<std::uint64_t>>(0);
    const Counter executions_ = std::make_shared<std::atomic<std::uint64_t>>(0);
};

}  // namespace vnpu::driver
