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

/// A share of something that is counted for as long as this lives.
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

/// What a user's processes cost together. Any thread; an amount may exceed its limit by what
/// several calls bring at the same moment.
class PeerAccount : public std::enable_shared_from_this<PeerAccount> {
  public:
    explicit PeerAccount(const RpcLimits& limits) : limits_(limits) {}

    const RpcLimits& limits() const { return limits_; }

    Charge charge(std::atomic<size_t> PeerAccount::*counter, size_t amount = 1);

    /// Why a call is one too many; empty if it is not.
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
    /// Those that somebody holds.
    std::vector<std::pair<uid_t, std::shared_ptr<PeerAccount>>> all() const;

  private:
    const RpcLimits limits_;
    mutable std::mutex mutex_;  // guards accounts_; a leaf
    std::map<uid_t, std::weak_ptr<PeerAccount>> accounts_;
};

}  // namespace vnpu::hal::rpc
