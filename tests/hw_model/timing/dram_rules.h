// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw_model/timing/dram_banks.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::test {

/// The JEDEC rules between pairs of commands, as a table that is independent of the model's state
/// machine. Times in ticks of which a device cycle has `ticksPerCycle`; the timings must be whole
/// numbers of them.
class DramRules {
  public:
    DramRules(const hw::DramConfig& config, double ticksPerCycle);

    struct Gap {
        const char* rule;
        std::uint64_t ticks;
    };
    /// The least time from `first` to a later `second`, and the rule that says so; the largest of
    /// several. Nothing if the commands do not concern each other.
    std::optional<Gap> between(const hw::DramCommand& first, const hw::DramCommand& second) const;

    /// The rules that a log breaks, in the order of time: distances, the window of four
    /// activations, rows that are open or closed when they must not be, data that overlap on the
    /// pins, refreshes that are too far apart. Each is named once.
    std::vector<std::string> broken(std::vector<hw::DramCommand> log) const;

    struct Address {
        std::uint32_t channel = 0;
        std::uint32_t bank = 0;
        std::uint64_t row = 0;
    };
    /// The place of a burst.
    Address decode(std::uint64_t address) const;

    std::uint64_t ticks(double cycles) const;
    std::uint64_t burstTicks() const;
    /// From a column command to the end of its data.
    std::uint64_t dataTicks(bool isWrite) const;

    const hw::DramConfig& config() const { return config_; }

  private:
    hw::DramConfig config_;
    double ticksPerCycle_;
};

/// A naive scheduler: one burst after the other, each command as early as its distances from all
/// earlier commands allow.
class NaiveDram {
  public:
    NaiveDram(const hw::DramConfig& config, double ticksPerCycle);

    /// As hw::DramBanks::access().
    std::uint64_t access(std::uint64_t address, std::uint64_t bytes, bool isWrite,
                         std::uint64_t earliest);

    const std::vector<hw::DramCommand>& log() const { return log_; }

  private:
    std::uint64_t burst(std::uint64_t address, bool isWrite, std::uint64_t earliest);
    std::uint64_t earliestOf(const hw::DramCommand& command, std::uint64_t from) const;
    std::optional<std::uint64_t> openRow(std::uint32_t channel, std::uint32_t bank) const;
    void refresh(std::uint32_t channel);

    DramRules rules_;
    std::vector<hw::DramCommand> log_;
    std::vector<std::uint64_t> dataEnd_;     // by channel
    std::vector<std::uint64_t> refreshDue_;  // by channel
};

}  // namespace vnpu::test
