// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "driver/compiler/stream/command_list.h"

namespace vnpu::driver {

/// The load on the banks of the SRAM by commands that run at the same time. A command keeps a
/// bank's port busy for the share of its time in which its bytes pass. One that begins where the
/// shares of a bank add up to more than 1 takes longer by that factor; those that run already do
/// not.
class BankLoad {
  public:
    explicit BankLoad(const DeviceInfo& device);

    /// How many times as long a command takes that begins now, `cycles` without others.
    double begin(const ListedCommand& command, double start, double cycles);
    /// When the command that began last ends.
    void setEnd(double finish) { running_[last_].finish = finish; }

  private:
    struct Running {
        double finish = 0;
        std::vector<double> share;  // by bank
    };

    void addTraffic(const Access& access, double bytes, double cycles, std::vector<double>& share);

    const DeviceInfo& device_;
    double bankBytes_;
    // Of each engine, and a second one of the MAC array, whose output stage works beside it.
    std::array<Running, hw::kEngineCount + 1> running_;
    std::size_t last_ = 0;
    bool isOdd_ = false;  // the MAC array's present command
};

}  // namespace vnpu::driver
