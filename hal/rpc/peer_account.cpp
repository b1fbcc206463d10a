// SPDX-License-Identifier: Apache-2.0
#include "hal/rpc/peer_account.h"

#include <fmt/format.h>

#include <utility>

namespace vnpu::hal::rpc {

Charge::Charge(std::shared_ptr<std::atomic<size_t>> counter, size_t amount)
    : counter_(std::move(counter)), amount_(amount) {
    *counter_ += amount_;
}

Charge::~Charge() {
    if (counter_ != nullptr) {
        *counter_ -= amount_;
    }
}

Charge PeerAccount::charge(std::atomic<size_t> PeerAccount::*counter, size_t amount) {
    return {std::shared_ptr<std::atomic<size_t>>(shared_from_this(), &(this->*counter)), amount};
}

std::string PeerAccount::refusal(bool carriesObjects, size_t callBytes) const {
    const auto tooMany = [](const char* what, size_t present, size_t limit) {
        return fmt::format("this user has {} {}, expected at most {}", present, what, limit);
    };
    if (calls >= limits_.calls) {
        return tooMany("calls under way", calls, limits_.calls);
    }
    if (bytes + callBytes > limits_.bytesUnderWay) {
        return tooMany("bytes of calls under way, with this one", bytes + callBytes,
                       limits_.bytesUnderWay);
    }
    if (descriptors >= limits_.descriptors) {
        return tooMany("file descriptors of answers", descriptors, limits_.descriptors);
    }
    if (carriesObjects && objects >= limits_.objects) {
        return tooMany("objects", objects, limits_.objects);
    }
    if (carriesObjects && references >= limits_.references) {
        return tooMany("callbacks in use", references, limits_.references);
    }
    return "";
}

std::shared_ptr<PeerAccount> PeerAccounts::of(uid_t uid) {
    const std::lock_guard guard(mutex_);
    std::erase_if(accounts_, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<PeerAccount>& known = accounts_[uid];
    std::shared_ptr<PeerAccount> account = known.lock();
    if (account == nullptr) {
        account = std::make_shared<PeerAccount>(limits_);
        known = account;
    }
    return account;
}

std::vector<std::pair<uid_t, std::shared_ptr<PeerAccount>>> PeerAccounts::all() const {
    const std::lock_guard guard(mutex_);
    std::vector<std::pair<uid_t, std::shared_ptr<PeerAccount>>> present;
    for (const auto& [uid, known] : accounts_) {
        if (auto account = known.lock()) {
            present.emplace_back(uid, std::move(account));
        }
    }
    return present;
}

}  // namespace vnpu::hal::rpc
