// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver/result.h"

namespace vnpu::driver {

/// What one user (UID) may have of a device at once, in all processes.
struct UserLimits {
    std::uint64_t memoryBytes = UINT64_MAX;  // of the device: models' data and buffers
    std::uint64_t executions = UINT64_MAX;   // that were asked for and are not over
};

/// A part of what a user may have, until its end.
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

/// What one user has of the device, and may have. Any thread.
class UserShare {
  public:
    UserShare(std::uint32_t uid, const UserLimits& limits) : uid_(uid), limits_(limits) {}

    /// RESOURCE_EXHAUSTED_PERSISTENT for more than the user may have at all, _TRANSIENT for more
    /// than is left.
    Result<UserClaim> claimMemory(std::uint64_t sizeBytes);
    /// Likewise for an execution.
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
