// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "driver/compiler/stream/command_list.h"

namespace vnpu::driver {

/// The load on the banks of the SRAM by commands that run at the same time. A command keeps a
/// bank's port busy for the share of its time in which its bytes pass. One that begins where the
/// shares of a bank add up to more than 1 is slowed by that factor until the others end; those that
/// run already are not.
class BankLoad {
  public:
    explicit BankLoad(const DeviceInfo& device);

    /// The cycles that others add to a command that begins at `start` and takes `cycles` without
    /// them.
    double begin(const ListedCommand& command, double start, double cycles);

  private:
    struct Running {
        double finish = 0;
        std::vector<double> share;  // by bank
    };

    double loadAt(const Running& self, double time) const;
    double stallCycles(const Running& self, double start, double cycles) const;
    void addTraffic(const Access& access, double bytes, double cycles, std::vector<double>& share);

    const DeviceInfo& device_;
    double bankBytes_;
    // Of each engine, and a second one of the MAC array, whose output stage works beside it.
    std::array<Running, hw::kEngineCount + 1> running_;
    bool isOdd_ = false;  // the MAC array's present command
};

}  // namespace vnpu::driver
