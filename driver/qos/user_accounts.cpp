// SPDX-License-Identifier: Apache-2.0
#include "driver/qos/user_accounts.h"

#include <algorithm>

namespace vnpu::driver {

void UserAccounts::charge(std::uint32_t user, Time time, const Users& users) {
    accounts_[user] += time;
    lowest_ = of(user);
    for (const std::uint32_t other : users) {
        lowest_ = std::min(lowest_, of(other));
    }
}

void UserAccounts::onReturn(std::uint32_t user, Time slice) {
    const Time least = std::max(lowest_ - slice, Time(0));
    std::erase_if(accounts_, [&](const auto& one) { return one.second < least; });
    accounts_[user] = std::max(of(user), least);
}

UserAccounts::Time UserAccounts::turnLeft(std::uint32_t running, const Users& users,
                                          Time slice) const {
    Time left = Time::max();
    for (const std::uint32_t user : users) {
        if (user != running) {
            left = std::min(left, std::max(of(user) + slice - of(running), Time(0)));
        }
    }
    return left;
}

}  // namespace vnpu::driver
