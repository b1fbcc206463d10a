// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>

namespace vnpu::driver {

/// The even shares of UIDs as the driver sees them: an account of device time for each UID, by the
/// rules of the firmware (firmware/core/scheduling/context_shares.h). The firmware's accounts are
/// in device cycles and include context switches.
class UserAccounts {
  public:
    using Time = std::chrono::nanoseconds;
    using Users = std::set<std::uint32_t>;  // UIDs with jobs

    /// `user` ran for `time`, while `users` had jobs.
    void charge(std::uint32_t user, Time time, const Users& users);

    /// A user who had no job has one.
    void onReturn(std::uint32_t user, Time slice);

    /// The time that `running` keeps the device from the other users with jobs.
    Time turnLeft(std::uint32_t running, const Users& users, Time slice) const;

    Time of(std::uint32_t user) const {
        const auto found = accounts_.find(user);
        return found == accounts_.end() ? Time(0) : found->second;
    }

  private:
    std::map<std::uint32_t, Time> accounts_;  // none: 0
    Time lowest_{};  // the lowest account of users with jobs, when one last ran
};

}  // namespace vnpu::driver
