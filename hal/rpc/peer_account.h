// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <vnpu/hal/rpc_limits.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vnpu::hal::rpc {

/// A counted share of a resource, returned on destruction.
class Charge {
  public:
    Charge(std::shared_ptr<std::atomic<size_t>> counter, size_t amount);
    Charge(Charge&& other) noexcept = default;
    Charge& operator=(Charge&&) = delete;
    ~Charge();

  private:
    std::shared_ptr<std::atomic<size_t>> counter_;
    size_t amount_;
};

/// The resource usage of all processes of a user. Any thread. Concurrent calls may together exceed
/// a limit.
class PeerAccount : public std::enable_shared_from_this<PeerAccount> {
  public:
    explicit PeerAccount(const RpcLimits& limits) : limits_(limits) {}

    const RpcLimits& limits() const { return limits_; }

    Charge charge(std::atomic<size_t> PeerAccount::*counter, size_t amount = 1);

    /// The reason why another call exceeds a limit; empty if it does not.
    std::string refusal(bool carriesObjects, size_t bytes) const;

    std::atomic<size_t> connections{0};
    std::atomic<size_t> calls{0};
    std::atomic<size_t> bytes{0};
    std::atomic<size_t> objects{0};
    std::atomic<size_t> references{0};
    std::atomic<size_t> descriptors{0};

  private:
    const RpcLimits limits_;
};

/// The accounts of all users. Any thread.
class PeerAccounts {
  public:
    explicit PeerAccounts(const RpcLimits& limits) : limits_(limits) {}

    std::shared_ptr<PeerAccount> of(uid_t uid);
    /// The accounts in use.
    std::vector<std::pair<uid_t, std::shared_ptr<PeerAccount>>> all() const;

  private:
    const RpcLimits limits_;
    mutable std::mutex mutex_;  // guards accounts_; no other lock is taken under it
    std::map<uid_t, std::weak_ptr<PeerAccount>> accounts_;
};

}  // namespace vnpu::hal::rpc
