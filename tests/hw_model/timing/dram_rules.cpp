// SPDX-License-Identifier: Apache-2.0
#include "tests/hw_model/timing/dram_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace vnpu::test {

using hw::DramCommand;
using Kind = DramCommand::Kind;

namespace {

bool isColumn(const DramCommand& command) {
    return command.kind == Kind::kRead || command.kind == Kind::kWrite;
}

}  // namespace

DramRules::DramRules(const hw::DramConfig& config, double ticksPerCycle)
    : config_(config), ticksPerCycle_(ticksPerCycle) {}

std::uint64_t DramRules::ticks(double cycles) const {
    return static_cast<std::uint64_t>(std::lround(cycles * ticksPerCycle_));
}

std::uint64_t DramRules::burstTicks() const {
    return ticks(config_.bank.burstBytes * config_.bank.channels / config_.bytesPerCycle);
}

std::uint64_t DramRules::dataTicks(bool isWrite) const {
    return ticks(isWrite ? config_.bank.tCwlCycles : config_.bank.tClCycles) + burstTicks();
}

std::optional<DramRules::Gap> DramRules::between(const DramCommand& first,
                                                 const DramCommand& second) const {
    const hw::DramBankConfig& t = config_.bank;
    if (first.channel != second.channel) {
        return std::nullopt;
    }
    const bool isSameBank = first.bank == second.bank;
    const bool isSameGroup = first.bank % t.bankGroups == second.bank % t.bankGroups;
    const auto gap = [&](const char* rule, double cycles) { return Gap{rule, ticks(cycles)}; };
    if (first.kind == Kind::kRefresh) {
        const bool mustWait = second.kind == Kind::kActivate || second.kind == Kind::kRefresh;
        return mustWait ? std::optional(gap("tRFC", config_.refreshCycles)) : std::nullopt;
    }
    if (second.kind == Kind::kRefresh) {
        return first.kind == Kind::kPrecharge ? std::optional(gap("tRP", t.tRpCycles))
                                              : std::nullopt;
    }
    if (first.kind == Kind::kActivate && second.kind == Kind::kActivate) {
        if (isSameBank) {
            return gap("tRC", t.tRasCycles + t.tRpCycles);
        }
        const bool isLong = isSameGroup && t.bankGroups > 1 && t.tRrdLCycles > t.tRrdCycles;
        return isLong ? gap("tRRD_L", t.tRrdLCycles) : gap("tRRD", t.tRrdCycles);
    }
    if (isColumn(first) && isColumn(second)) {
        if (first.kind == Kind::kRead && second.kind == Kind::kWrite) {
            const std::uint64_t bus = dataTicks(false);
            const std::uint64_t lead = ticks(t.tCwlCycles);
            const Gap turn = gap("tRTW", t.tRtwCycles);
            return turn.ticks + lead >= bus ? turn : Gap{"data bus", bus - lead};
        }
        if (first.kind == Kind::kWrite && second.kind == Kind::kRead) {
            return Gap{"tWTR", dataTicks(true) + ticks(t.tWtrCycles)};
        }
        const bool isLong = isSameGroup && t.bankGroups > 1 && ticks(t.tCcdLCycles) > burstTicks();
        return isLong ? gap("tCCD_L", t.tCcdLCycles) : Gap{"data bus", burstTicks()};
    }
    if (!isSameBank) {
        return std::nullopt;
    }
    if (first.kind == Kind::kActivate) {
        return isColumn(second) ? gap("tRCD", t.tRcdCycles) : gap("tRAS", t.tRasCycles);
    }
    if (first.kind == Kind::kPrecharge) {
        return second.kind == Kind::kActivate ? std::optional(gap("tRP", t.tRpCycles))
                                              : std::nullopt;
    }
    if (second.kind == Kind::kPrecharge) {
        return first.kind == Kind::kRead ? gap("tRTP", t.tRtpCycles)
                                         : Gap{"tWR", dataTicks(true) + ticks(t.tWrCycles)};
    }
    return std::nullopt;
}

std::vector<std::string> DramRules::broken(std::vector<DramCommand> log) const {
    std::vector<std::string> found;
    const auto report = [&](const std::string& rule) {
        if (std::find(found.begin(), found.end(), rule) == found.end()) {
            found.push_back(rule);
        }
    };
    std::stable_sort(log.begin(), log.end(),
                     [](const DramCommand& a, const DramCommand& b) { return a.tick < b.tick; });
    std::map<std::uint32_t, std::vector<std::uint64_t>> activations;
    std::map<std::uint32_t, std::uint64_t> pinsFree;
    std::map<std::uint32_t, std::uint64_t> lastRefresh;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<std::uint64_t>> rows;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const DramCommand& command = log[i];
        for (std::size_t j = 0; j < i; ++j) {
            const auto gap = between(log[j], command);
            if (gap && command.tick < log[j].tick + gap->ticks) {
                report(gap->rule);
            }
        }
        std::optional<std::uint64_t>& row = rows[{command.channel, command.bank}];
        switch (command.kind) {
            case Kind::kActivate: {
                std::vector<std::uint64_t>& times = activations[command.channel];
                const std::size_t count = times.size();
                if (count >= 4 &&
                    command.tick < times[count - 4] + ticks(config_.bank.tFawCycles)) {
                    report("tFAW");
                }
                times.push_back(command.tick);
                if (row) {
                    report("activation of an open bank");
                }
                row = command.row;
                break;
            }
            case Kind::kPrecharge:
                if (!row) {
                    report("precharge of a closed bank");
                }
                row.reset();
                break;
            case Kind::kRead:
            case Kind::kWrite: {
                if (row != command.row) {
                    report("column of a closed row");
                }
                const std::uint64_t end = command.tick + dataTicks(command.kind == Kind::kWrite);
                std::uint64_t& free = pinsFree[command.channel];
                if (end - burstTicks() < free) {
                    report("data bus");
                }
                free = end;
                break;
            }
            case Kind::kRefresh: {
                for (const auto& [bank, open] : rows) {
                    if (bank.first == command.channel && open) {
                        report("refresh of an open bank");
                    }
                }
                // A refresh may be late by what a row needs to close, never by an interval.
                std::uint64_t& last = lastRefresh[command.channel];
                const std::uint64_t interval = ticks(config_.refreshIntervalCycles);
                if (command.tick > last + 2 * interval) {
                    report("tREFI");
                }
                last = command.tick;
                break;
            }
        }
    }
    return found;
}

DramRules::Address DramRules::decode(std::uint64_t address) const {
    const hw::DramBankConfig& bank = config_.bank;
    Address place;
    // Column bytes before the bank's number, and after it.
    const std::uint64_t below =
            bank.mapping == hw::DramMapping::kRowColumnBank ? bank.burstBytes : config_.rowBytes;
    const std::uint64_t block = address / bank.interleaveBytes;
    place.channel = static_cast<std::uint32_t>(block % bank.channels);
    const std::uint64_t local = bank.channels == 1 ? address
                                                   : block / bank.channels * bank.interleaveBytes +
                                                             address % bank.interleaveBytes;
    const std::uint64_t number = local / below;
    place.bank = static_cast<std::uint32_t>(number % config_.banks);
    place.row = number / config_.banks / (config_.rowBytes / below);
    if (bank.mapping == hw::DramMapping::kRowBankColumnXor) {
        place.bank ^= static_cast<std::uint32_t>(place.row % config_.banks);
    }
    return place;
}

NaiveDram::NaiveDram(const hw::DramConfig& config, double ticksPerCycle)
    : rules_(config, ticksPerCycle),
      dataEnd_(config.bank.channels),
      refreshDue_(config.bank.channels, config.refreshIntervalCycles == 0
                                                ? UINT64_MAX
                                                : rules_.ticks(config.refreshIntervalCycles)) {}

std::uint64_t NaiveDram::access(std::uint64_t address, std::uint64_t bytes, bool isWrite,
                                std::uint64_t earliest) {
    const std::uint64_t unit = rules_.config().bank.burstBytes;
    std::uint64_t finish = 0;
    for (std::uint64_t at = address / unit * unit; at < address + bytes; at += unit) {
        finish = std::max(finish, burst(at, isWrite, earliest));
    }
    return finish;
}

/// The earliest time from `from` on that the distances from all earlier commands allow.
std::uint64_t NaiveDram::earliestOf(const DramCommand& command, std::uint64_t from) const {
    std::uint64_t tick = from;
    std::vector<std::uint64_t> activations;
    for (const DramCommand& earlier : log_) {
        if (const auto gap = rules_.between(earlier, command)) {
            tick = std::max(tick, earlier.tick + gap->ticks);
        }
        if (earlier.kind == Kind::kActivate && earlier.channel == command.channel) {
            activations.push_back(earlier.tick);
        }
    }
    if (command.kind == Kind::kActivate && activations.size() >= 4) {
        tick = std::max(tick, activations[activations.size() - 4] +
                                      rules_.ticks(rules_.config().bank.tFawCycles));
    }
    return tick;
}

std::optional<std::uint64_t> NaiveDram::openRow(std::uint32_t channel, std::uint32_t bank) const {
    for (auto it = log_.rbegin(); it != log_.rend(); ++it) {
        const bool isHere = it->channel == channel && it->bank == bank;
        if (it->kind == Kind::kActivate && isHere) {
            return it->row;
        }
        if (it->channel == channel &&
            (it->kind == Kind::kRefresh || (it->kind == Kind::kPrecharge && isHere))) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

void NaiveDram::refresh(std::uint32_t channel) {
    const std::uint64_t due = refreshDue_[channel];
    std::vector<DramCommand> closing;
    std::uint64_t together = due;  // one command precharges all banks
    for (std::uint32_t bank = 0; bank < rules_.config().banks; ++bank) {
        if (const auto row = openRow(channel, bank)) {
            closing.push_back({Kind::kPrecharge, channel, bank, *row, 0});
            together = std::max(together, earliestOf(closing.back(), due));
        }
    }
    for (DramCommand& precharge : closing) {
        precharge.tick = together;
        log_.push_back(precharge);
    }
    DramCommand command{Kind::kRefresh, channel, 0, 0, 0};
    command.tick = earliestOf(command, due);
    log_.push_back(command);
    refreshDue_[channel] += rules_.ticks(rules_.config().refreshIntervalCycles);
}

std::uint64_t NaiveDram::burst(std::uint64_t address, bool isWrite, std::uint64_t earliest) {
    const DramRules::Address place = rules_.decode(address);
    const std::uint64_t window = rules_.burstTicks() * rules_.config().bank.queueBursts;
    const std::uint64_t dataEnd = dataEnd_[place.channel];
    const std::uint64_t from = std::max(earliest, dataEnd > window ? dataEnd - window : 0);
    while (true) {
        const std::size_t before = log_.size();
        const auto open = openRow(place.channel, place.bank);
        if (open && *open != place.row) {
            DramCommand precharge{Kind::kPrecharge, place.channel, place.bank, *open, 0};
            precharge.tick = earliestOf(precharge, from);
            log_.push_back(precharge);
        }
        if (open != place.row) {
            DramCommand activate{Kind::kActivate, place.channel, place.bank, place.row, 0};
            activate.tick = earliestOf(activate, from);
            log_.push_back(activate);
        }
        DramCommand column{isWrite ? Kind::kWrite : Kind::kRead, place.channel, place.bank,
                           place.row, 0};
        column.tick = earliestOf(column, from);
        if (column.tick >= refreshDue_[place.channel]) {
            log_.resize(before);  // the refresh comes first
            refresh(place.channel);
            continue;
        }
        log_.push_back(column);
        const std::uint64_t finish = column.tick + rules_.dataTicks(isWrite);
        dataEnd_[place.channel] = std::max(dataEnd_[place.channel], finish);
        return finish;
    }
}

}  // namespace vnpu::test
