// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/dram_banks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hw_model/regs/rounding.h"

namespace vnpu::hw {

DramBanks::DramBanks(const DramConfig& config, double ticksPerCycle)
    : mapping_(config.bank.mapping),
      banksPerChannel_(config.banks),
      groupsPerChannel_(config.bank.bankGroups),
      rowBytes_(config.rowBytes),
      burstBytes_(config.bank.burstBytes),
      interleaveBytes_(config.bank.interleaveBytes),
      channels_(config.bank.channels),
      groups_(std::size_t{config.bank.channels} * config.bank.bankGroups),
      banks_(std::size_t{config.bank.channels} * config.banks) {
    const DramBankConfig& bank = config.bank;
    const auto ticks = [&](double cycles) {
        return static_cast<Ticks>(std::ceil(cycles * ticksPerCycle));
    };
    Timing& t = timing_;
    t.burst = ticks(static_cast<double>(burstBytes_) * bank.channels / config.bytesPerCycle);
    t.columnPitch = std::max(t.burst, groupsPerChannel_ > 1 ? ticks(bank.tCcdLCycles) : 0);
    t.rcd = ticks(bank.tRcdCycles);
    t.rp = ticks(bank.tRpCycles);
    t.cl = ticks(bank.tClCycles);
    t.cwl = ticks(bank.tCwlCycles);
    t.ras = ticks(bank.tRasCycles);
    t.rrd = ticks(bank.tRrdCycles);
    t.rrdLong = std::max(t.rrd, groupsPerChannel_ > 1 ? ticks(bank.tRrdLCycles) : 0);
    t.faw = ticks(bank.tFawCycles);
    t.rtp = ticks(bank.tRtpCycles);
    t.writeToPrecharge = t.cwl + t.burst + ticks(bank.tWrCycles);
    t.writeToRead = t.cwl + t.burst + ticks(bank.tWtrCycles);
    const Ticks readEnd = t.cl + t.burst;
    t.readToWrite = std::max(ticks(bank.tRtwCycles), readEnd > t.cwl ? readEnd - t.cwl : 0);
    t.refreshInterval = ticks(config.refreshIntervalCycles);
    t.refresh = ticks(config.refreshCycles);
    t.window = t.burst * bank.queueBursts;
    for (Channel& channel : channels_) {
        channel.refreshDue =
                t.refreshInterval == 0 ? std::numeric_limits<Ticks>::max() : t.refreshInterval;
    }
}

DramBanks::Ticks DramBanks::access(std::uint64_t address, std::uint64_t bytes, bool isWrite,
                                   Ticks earliest) {
    const std::uint64_t end = roundUp(address + bytes, burstBytes_);
    Ticks finish = 0;
    for (address -= address % burstBytes_; address < end;) {
        Visit visit = visitAt(address, end - address);
        visit.isWrite = isWrite;
        address += visit.bursts * burstBytes_;
        finish = std::max(finish, serve(visit, earliest));
    }
    return finish;
}

DramBanks::Ticks DramBanks::roomTick() const {
    Ticks room = 0;
    for (const Channel& channel : channels_) {
        room = std::max(room, queueTick(channel));
    }
    return room;
}

/// The bursts from `address` on that lie in one row of one channel, at most `bytes`; both are whole
/// bursts.
DramBanks::Visit DramBanks::visitAt(std::uint64_t address, std::uint64_t bytes) const {
    Visit visit;
    if (channels_.size() > 1) {
        const std::uint64_t block = address / interleaveBytes_;
        const std::uint64_t offset = address % interleaveBytes_;
        visit.channel = static_cast<std::uint32_t>(block % channels_.size());
        bytes = std::min(bytes, interleaveBytes_ - offset);
        address = block / channels_.size() * interleaveBytes_ + offset;
    }
    if (mapping_ == DramMapping::kRowColumnBank) {
        const std::uint64_t burst = address / burstBytes_;
        visit.bank = static_cast<std::uint32_t>(burst % banksPerChannel_);
        visit.row = burst / banksPerChannel_ / (rowBytes_ / burstBytes_);
        visit.bursts = 1;
        return visit;
    }
    const std::uint64_t page = address / rowBytes_;
    visit.row = page / banksPerChannel_;
    visit.bank = static_cast<std::uint32_t>(page % banksPerChannel_);
    if (mapping_ == DramMapping::kRowBankColumnXor) {
        visit.bank ^= static_cast<std::uint32_t>(visit.row % banksPerChannel_);
    }
    visit.bursts = std::min(bytes, rowBytes_ - address % rowBytes_) / burstBytes_;
    return visit;
}

DramBanks::Ticks DramBanks::serve(Visit visit, Ticks earliest) {
    Channel& channel = channels_[visit.channel];
    Ticks last = 0;
    while (visit.bursts > 0) {
        const Ticks from = std::max(earliest, queueTick(channel));
        const Plan first = plan(visit, from);
        if (first.column >= channel.refreshDue) {
            refresh(visit.channel, from);
            continue;
        }
        open(visit, first);
        Visit part = visit;
        part.bursts = std::min(visit.bursts,
                               (channel.refreshDue - 1 - first.column) / timing_.columnPitch + 1);
        counters_.hits += part.bursts - (first.isHit ? 0 : 1);
        counters_.turnaroundTicks += first.turnaround;
        last = giveColumns(part, first.column);
        channel.dataEnd = std::max(
                channel.dataEnd, last + (visit.isWrite ? timing_.cwl : timing_.cl) + timing_.burst);
        visit.bursts -= part.bursts;
    }
    return last + (visit.isWrite ? timing_.cwl : timing_.cl) + timing_.burst;
}

DramBanks::Plan DramBanks::plan(const Visit& visit, Ticks earliest) const {
    const Channel& channel = channels_[visit.channel];
    const Group& group = groupOf(visit);
    const Bank& bank = bankOf(visit);
    Plan plan;
    plan.isHit = bank.isOpen && bank.row == visit.row;
    plan.isConflict = bank.isOpen && bank.row != visit.row;
    Ticks rowReady = std::max(earliest, bank.columnReady);
    if (!plan.isHit) {
        Ticks ready = bank.activateReady;
        if (plan.isConflict) {
            plan.precharge = std::max(earliest, bank.prechargeReady);
            ready = plan.precharge + timing_.rp;
        }
        plan.activate = std::max({earliest, ready, channel.activateReady, group.activateReady,
                                  channel.windows[channel.oldestWindow]});
        rowReady = plan.activate + timing_.rcd;
    }
    const Ticks withoutTurn = std::max({rowReady, channel.busReady, group.columnReady});
    plan.column = std::max(withoutTurn, visit.isWrite ? channel.writeReady : channel.readReady);
    plan.turnaround = plan.column - withoutTurn;
    return plan;
}

/// Opens the row of a visit that is not a hit.
void DramBanks::open(const Visit& visit, const Plan& plan) {
    if (plan.isHit) {
        return;
    }
    Channel& channel = channels_[visit.channel];
    Bank& bank = bankOf(visit);
    if (plan.isConflict) {
        ++counters_.conflicts;
        log({DramCommand::Kind::kPrecharge, visit.channel, visit.bank, bank.row, plan.precharge});
    } else {
        ++counters_.misses;
    }
    log({DramCommand::Kind::kActivate, visit.channel, visit.bank, visit.row, plan.activate});
    bank.isOpen = true;
    bank.row = visit.row;
    bank.columnReady = plan.activate + timing_.rcd;
    bank.prechargeReady = plan.activate + timing_.ras;
    channel.activateReady = plan.activate + timing_.rrd;
    channel.windows[channel.oldestWindow] = plan.activate + timing_.faw;
    channel.oldestWindow = (channel.oldestWindow + 1) % channel.windows.size();
    groupOf(visit).activateReady = plan.activate + timing_.rrdLong;
}

/// Gives the column commands of a visit whose row is open, the first at `first`; returns the last
/// one's time.
DramBanks::Ticks DramBanks::giveColumns(const Visit& visit, Ticks first) {
    Channel& channel = channels_[visit.channel];
    Bank& bank = bankOf(visit);
    const Ticks last = first + (visit.bursts - 1) * timing_.columnPitch;
    const Ticks toPrecharge = visit.isWrite ? timing_.writeToPrecharge : timing_.rtp;
    const Ticks toRead = visit.isWrite ? timing_.writeToRead : timing_.burst;
    const Ticks toWrite = visit.isWrite ? timing_.burst : timing_.readToWrite;
    bank.prechargeReady = std::max(bank.prechargeReady, last + toPrecharge);
    groupOf(visit).columnReady = last + timing_.columnPitch;
    channel.busReady = last + timing_.burst;
    channel.readReady = std::max(channel.readReady, last + toRead);
    channel.writeReady = std::max(channel.writeReady, last + toWrite);
    if (log_ != nullptr) {
        for (Ticks tick = first; tick <= last; tick += timing_.columnPitch) {
            log({visit.isWrite ? DramCommand::Kind::kWrite : DramCommand::Kind::kRead,
                 visit.channel, visit.bank, visit.row, tick});
        }
    }
    return last;
}

/// The refresh that is due, and those that followed while the channel was idle until `earliest`.
void DramBanks::refresh(std::uint32_t index, Ticks earliest) {
    refreshOnce(index);
    Channel& channel = channels_[index];
    // All banks are closed, so only the last of these refreshes matters. The log has all of them.
    if (log_ == nullptr && channel.refreshDue < earliest) {
        const std::uint64_t skipped = (earliest - channel.refreshDue) / timing_.refreshInterval;
        counters_.refreshes += skipped;
        channel.refreshDue += skipped * timing_.refreshInterval;
    }
}

void DramBanks::refreshOnce(std::uint32_t index) {
    Channel& channel = channels_[index];
    Bank* const first = &banks_[std::size_t{index} * banksPerChannel_];
    Ticks precharge = channel.refreshDue;
    for (std::uint32_t b = 0; b < banksPerChannel_; ++b) {
        precharge = std::max(precharge, first[b].isOpen ? first[b].prechargeReady : 0);
    }
    Ticks start = channel.refreshDue;
    for (std::uint32_t b = 0; b < banksPerChannel_; ++b) {
        Bank& bank = first[b];
        if (bank.isOpen) {
            log({DramCommand::Kind::kPrecharge, index, b, bank.row, precharge});
            bank.isOpen = false;
            bank.activateReady = precharge + timing_.rp;
        }
        start = std::max(start, bank.activateReady);
    }
    log({DramCommand::Kind::kRefresh, index, 0, 0, start});
    for (std::uint32_t b = 0; b < banksPerChannel_; ++b) {
        first[b].activateReady = start + timing_.refresh;
    }
    channel.refreshDue += timing_.refreshInterval;
    ++counters_.refreshes;
}

void DramBanks::log(const DramCommand& command) const {
    if (log_ != nullptr) {
        log_->push_back(command);
    }
}

}  // namespace vnpu::hw
