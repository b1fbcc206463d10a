// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// One command to a DRAM, for tests that check the order and the times of the commands.
struct DramCommand {
    enum class Kind : std::uint8_t { kActivate, kPrecharge, kRead, kWrite, kRefresh };
    Kind kind = Kind::kActivate;
    std::uint32_t channel = 0;
    std::uint32_t bank = 0;  // of the channel; 0 for a refresh, which concerns all banks
    std::uint64_t row = 0;   // of an activation or a column command
    std::uint64_t tick = 0;
};

/// What the commands found. Sums over all channels.
struct DramCounters {
    std::uint64_t hits = 0;       // column commands whose row was open
    std::uint64_t misses = 0;     // whose bank was closed
    std::uint64_t conflicts = 0;  // whose bank had another row open
    std::uint64_t refreshes = 0;
    std::uint64_t turnaroundTicks =
            0;  // for which column commands waited after the other direction
};

/// A DRAM of channels, bank groups and banks with one open row each (DramModel::kBanked). An access
/// becomes column commands of one burst each, in order of addresses, and accesses are served in
/// order of the calls. Rows stay open until another row of the bank is wanted, or until a refresh.
/// Every command is given at the earliest time that all of these allow:
/// - the access's own time, and the room in the controller's queue: not earlier than
///   `queueBursts` bursts before the channel's data bus is free. Within that window, precharges and
///   activations overlap with earlier data;
/// - tRCD, tRP, tRAS, tRTP, tWR of the bank; tRRD, tRRD_L and tFAW between activations;
/// - the data bus, tCCD_L within a bank group, tRTW and tWTR between reads and writes;
/// - a refresh of all banks of a channel once every tREFI: due at its multiples, it waits only for
///   column commands that were given before. It precharges all banks and lasts tRFC.
/// source: JEDEC JESD79-4 (DDR4) and JESD209-4 (LPDDR4), the parameters of these names.
///
/// Not modeled: the command bus, several ranks, refreshes of single banks, postponed refreshes,
/// power-down, reordering of accesses, temperature.
///
/// Times are in ticks, of which the caller chooses the length. Pure arithmetic; copies continue
/// independently. No thread of its own.
class DramBanks {
  public:
    using Ticks = std::uint64_t;

    /// `config` must have passed findConfigError() with DramModel::kBanked.
    DramBanks(const DramConfig& config, double ticksPerCycle);

    /// Reads or writes [address, address + bytes), widened to whole bursts; at least one byte. No
    /// command is given before `earliest`. Returns the time at which the last data have passed the
    /// pins.
    Ticks access(std::uint64_t address, std::uint64_t bytes, bool isWrite, Ticks earliest);

    /// The earliest time at which the queues of all channels have room for a further access.
    Ticks roomTick() const;

    std::uint64_t burstBytes() const { return burstBytes_; }
    const DramCounters& counters() const { return counters_; }
    void clearCounters() { counters_ = {}; }

    /// Appends all further commands to `log`; null: to nothing. Commands of different banks are not
    /// in order of time.
    void logTo(std::vector<DramCommand>* log) { log_ = log; }

  private:
    /// In ticks, rounded up.
    struct Timing {
        Ticks burst = 0;
        Ticks columnPitch = 0;  // of column commands to one bank
        Ticks rcd = 0;
        Ticks rp = 0;
        Ticks cl = 0;
        Ticks cwl = 0;
        Ticks ras = 0;
        Ticks rrd = 0;
        Ticks rrdLong = 0;
        Ticks faw = 0;
        Ticks rtp = 0;
        Ticks writeToPrecharge = 0;  // from the write command
        Ticks writeToRead = 0;
        Ticks readToWrite = 0;
        Ticks refreshInterval = 0;  // 0: none
        Ticks refresh = 0;
        Ticks window = 0;  // of the queue
    };
    // The times until which commands must wait.
    struct Bank {
        bool isOpen = false;
        std::uint64_t row = 0;
        Ticks activateReady = 0;
        Ticks columnReady = 0;
        Ticks prechargeReady = 0;
    };
    struct Group {
        Ticks activateReady = 0;
        Ticks columnReady = 0;
    };
    struct Channel {
        std::array<Ticks, 4> windows{};  // ends of the last four activations' windows of tFAW
        std::size_t oldestWindow = 0;
        Ticks activateReady = 0;
        Ticks busReady = 0;  // for a column command in the direction of the last one
        Ticks readReady = 0;
        Ticks writeReady = 0;
        Ticks dataEnd = 0;
        Ticks refreshDue = 0;
    };
    /// Consecutive bursts of one row.
    struct Visit {
        std::uint32_t channel = 0;
        std::uint32_t bank = 0;
        std::uint64_t row = 0;
        std::uint64_t bursts = 0;
        bool isWrite = false;
    };
    /// The first burst's commands of a visit.
    struct Plan {
        bool isHit = false;
        bool isConflict = false;
        Ticks precharge = 0;
        Ticks activate = 0;
        Ticks column = 0;
        Ticks turnaround = 0;
    };

    Visit visitAt(std::uint64_t address, std::uint64_t bytes) const;
    Ticks serve(Visit visit, Ticks earliest);
    Plan plan(const Visit& visit, Ticks earliest) const;
    void open(const Visit& visit, const Plan& plan);
    Ticks giveColumns(const Visit& visit, Ticks first);
    void refresh(std::uint32_t channel, Ticks earliest);
    void refreshOnce(std::uint32_t channel);
    void log(const DramCommand& command) const;

    Bank& bankOf(const Visit& visit) {
        return banks_[std::size_t{visit.channel} * banksPerChannel_ + visit.bank];
    }
    const Bank& bankOf(const Visit& visit) const {
        return banks_[std::size_t{visit.channel} * banksPerChannel_ + visit.bank];
    }
    Group& groupOf(const Visit& visit) {
        return groups_[std::size_t{visit.channel} * groupsPerChannel_ +
                       visit.bank % groupsPerChannel_];
    }
    const Group& groupOf(const Visit& visit) const {
        return groups_[std::size_t{visit.channel} * groupsPerChannel_ +
                       visit.bank % groupsPerChannel_];
    }
    Ticks queueTick(const Channel& channel) const {
        return channel.dataEnd > timing_.window ? channel.dataEnd - timing_.window : 0;
    }

    Timing timing_;
    DramMapping mapping_;
    std::uint32_t banksPerChannel_;
    std::uint32_t groupsPerChannel_;
    std::uint64_t rowBytes_;
    std::uint64_t burstBytes_;
    std::uint64_t interleaveBytes_;
    std::vector<Channel> channels_;
    std::vector<Group> groups_;
    std::vector<Bank> banks_;
    DramCounters counters_;
    std::vector<DramCommand>* log_ = nullptr;
};

}  // namespace vnpu::hw
