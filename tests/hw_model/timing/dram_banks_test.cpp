// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/dram_banks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "hw_model/timing/memory_timing.h"
#include "tests/hw_model/timing/dram_rules.h"

namespace vnpu::test {

using hw::DramBanks;
using hw::DramCommand;
using hw::DramConfig;
using hw::DramMapping;

namespace {

constexpr std::uint64_t kRow = 1024;
constexpr std::uint64_t kBank = kRow;         // from a bank to the next
constexpr std::uint64_t kNextRow = 8 * kRow;  // from a row of a bank to its next

/// Eight banks, bursts of 32 bytes in 4 cycles, timings that differ from each other. No refresh.
DramConfig eightBanks() {
    DramConfig config;
    config.model = hw::DramModel::kBanked;
    config.bytesPerCycle = 8;
    config.banks = 8;
    config.rowBytes = kRow;
    config.bank = {.channels = 1,
                   .bankGroups = 1,
                   .burstBytes = 32,
                   .interleaveBytes = 256,
                   .queueBursts = 64,
                   .mapping = DramMapping::kRowBankColumn,
                   .tRcdCycles = 10,
                   .tRpCycles = 12,
                   .tClCycles = 11,
                   .tCwlCycles = 7,
                   .tRasCycles = 25,
                   .tRrdCycles = 5,
                   .tRrdLCycles = 0,
                   .tFawCycles = 30,
                   .tCcdLCycles = 0,
                   .tRtpCycles = 6,
                   .tWrCycles = 13,
                   .tWtrCycles = 8,
                   .tRtwCycles = 14};
    return config;
}

DramConfig refreshed() {
    DramConfig config = eightBanks();
    config.refreshIntervalCycles = 1000;
    config.refreshCycles = 70;
    return config;
}

/// JEDEC's figures of LPDDR4-3200 and DDR4-2400 in ns; whole numbers of quarters and hundredths.
DramConfig lpddr4(std::uint32_t channels) {
    DramConfig config;
    config.model = hw::DramModel::kBanked;
    config.bytesPerCycle = 6.4 * channels;
    config.banks = 8;
    config.rowBytes = 2048;
    config.refreshIntervalCycles = 3904;
    config.refreshCycles = 280;
    config.bank = {.channels = channels,
                   .bankGroups = 1,
                   .burstBytes = 32,
                   .interleaveBytes = 256,
                   .queueBursts = 32,
                   .mapping = DramMapping::kRowBankColumn,
                   .tRcdCycles = 18,
                   .tRpCycles = 18,
                   .tClCycles = 17.5,
                   .tCwlCycles = 8.75,
                   .tRasCycles = 42,
                   .tRrdCycles = 10,
                   .tRrdLCycles = 0,
                   .tFawCycles = 40,
                   .tCcdLCycles = 0,
                   .tRtpCycles = 7.5,
                   .tWrCycles = 18,
                   .tWtrCycles = 10,
                   .tRtwCycles = 18.75};
    return config;
}

DramConfig grouped(DramMapping mapping) {
    DramConfig config = eightBanks();
    config.refreshIntervalCycles = 2000;
    config.refreshCycles = 90;
    config.bank.bankGroups = 2;
    config.bank.tCcdLCycles = 7;
    config.bank.tRrdLCycles = 9;
    config.bank.mapping = mapping;
    return config;
}

DramConfig mapped(DramConfig config, DramMapping mapping) {
    config.bank.mapping = mapping;
    return config;
}

struct Stream {
    std::uint64_t address;
    std::uint64_t bytes;
    bool isWrite;
    std::uint64_t earliest;
};

/// Accesses in which everything happens: runs, strides, conflicts, both directions, pauses.
std::vector<Stream> mixedStream(std::uint32_t seed, std::size_t count,
                                std::uint64_t ticksPerCycle) {
    std::mt19937 random(seed);
    const auto upTo = [&random](std::uint64_t limit) { return std::uint64_t{random()} % limit; };
    std::vector<Stream> stream;
    std::uint64_t address = 0;
    std::uint64_t now = 0;
    for (std::size_t i = 0; i < count; ++i) {
        switch (upTo(5)) {
            case 0:
                address = upTo(1 << 20);
                break;
            case 1:
                address += 8 * 2048;  // a row of the same bank
                break;
            case 2:
                address += 2048;
                break;
            default:
                address += 64;
        }
        now += upTo(8) == 0 ? ticksPerCycle * upTo(upTo(10) == 0 ? 6000 : 200) : 0;
        const bool isWrite = upTo(3) == 0;
        stream.push_back({address, 1 + upTo(upTo(4) == 0 ? 700 : 64), isWrite, now});
    }
    return stream;
}

std::vector<DramCommand> logOf(const DramConfig& config, double ticksPerCycle,
                               const std::vector<Stream>& stream) {
    std::vector<DramCommand> log;
    DramBanks banks(config, ticksPerCycle);
    banks.logTo(&log);
    for (const Stream& one : stream) {
        banks.access(one.address, one.bytes, one.isWrite, one.earliest);
    }
    return log;
}

struct NamedConfig {
    std::string name;
    DramConfig config;
    double ticksPerCycle;
};

std::vector<NamedConfig> allConfigs() {
    return {{"plain", eightBanks(), 1},
            {"refreshed", refreshed(), 1},
            {"xor", mapped(refreshed(), DramMapping::kRowBankColumnXor), 1},
            {"banks first", mapped(refreshed(), DramMapping::kRowColumnBank), 1},
            {"groups", grouped(DramMapping::kRowBankColumn), 1},
            {"groups first", grouped(DramMapping::kRowColumnBank), 1},
            {"LPDDR4", lpddr4(1), 4},
            {"LPDDR4, four channels", lpddr4(4), 4},
            {"LPDDR4, three channels", lpddr4(3), 4}};
}

/// Bytes per tick of reading `bytes` from address 0 on in requests of 512 bytes.
double streamRate(const DramConfig& config, double ticksPerCycle, std::uint64_t bytes) {
    DramBanks banks(config, ticksPerCycle);
    std::uint64_t finish = 0;
    for (std::uint64_t at = 0; at < bytes; at += 512) {
        finish = std::max(finish, banks.access(at, 512, false, 0));
    }
    return static_cast<double>(bytes) / static_cast<double>(finish);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/timing/dram_banks");

TEST_CASE("a read of a closed bank, of an open row and of another row [E-3]") {
    DramBanks banks(eightBanks(), 1);
    CHECK(banks.access(0, 32, false, 100) == 100 + 10 + 11 + 4);  // tRCD + tCL + burst
    CHECK(banks.access(32, 32, false, 1'000) == 1'000 + 11 + 4);  // tCL + burst
    CHECK(banks.access(kNextRow, 32, false, 2'000) == 2'000 + 12 + 10 + 11 + 4);  // + tRP
    CHECK(banks.access(kNextRow, 32, true, 3'000) == 3'000 + 7 + 4);              // tCWL
    CHECK(banks.counters().hits == 2);
    CHECK(banks.counters().misses == 1);
    CHECK(banks.counters().conflicts == 1);
}

TEST_CASE("addresses are widened to whole bursts [E-3]") {
    DramBanks banks(eightBanks(), 1);
    // Bytes 31 and 32 lie in two bursts of one row.
    CHECK(banks.access(31, 2, false, 0) == 10 + 11 + 2 * 4);
    CHECK(banks.counters().hits == 1);
    CHECK(banks.counters().misses == 1);
}

TEST_CASE("rows of one bank take a row cycle each [E-3]") {
    constexpr std::uint64_t kReads = 50;
    const auto finish = [](const DramConfig& config) {
        DramBanks banks(config, 1);
        std::uint64_t last = 0;
        for (std::uint64_t i = 0; i < kReads; ++i) {
            last = banks.access(i * kNextRow, 32, false, 0);
        }
        CHECK(banks.counters().conflicts == kReads - 1);
        return last;
    };
    DramConfig config = eightBanks();
    SUBCASE("tRAS + tRP where the row must stay open for longer than the read needs") {
        CHECK(finish(config) == (kReads - 1) * (25 + 12) + 10 + 11 + 4);
    }
    SUBCASE("tRCD + tRTP + tRP where it need not") {
        config.bank.tRasCycles = 1;
        CHECK(finish(config) == (kReads - 1) * (10 + 6 + 12) + 10 + 11 + 4);
    }
    SUBCASE("tRP + tRCD + tCL if the queue holds only one burst") {
        config.bank.tRasCycles = 1;
        config.bank.queueBursts = 1;
        CHECK(finish(config) == (kReads - 1) * (12 + 10 + 11) + 10 + 11 + 4);
    }
}

TEST_CASE("writes to rows of one bank wait for the write recovery [E-3]") {
    DramBanks banks(eightBanks(), 1);
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < 20; ++i) {
        last = banks.access(i * kNextRow, 32, true, 0);
    }
    // tRCD + tCWL + burst + tWR + tRP from one activation to the next.
    CHECK(last == 19 * (10 + 7 + 4 + 13 + 12) + 10 + 7 + 4);
}

TEST_CASE("tRRD and tFAW limit activations across banks [E-3]") {
    // A new row each, in turn over the eight banks, which are ready again when their turn comes.
    constexpr std::uint64_t kReads = 40;
    const auto finish = [](const DramConfig& config, std::uint64_t read) {
        DramBanks banks(config, 1);
        std::uint64_t last = 0;
        for (std::uint64_t i = 0; i <= read; ++i) {
            last = banks.access(i / 8 * kNextRow + i % 8 * kBank, 32, false, 0);
        }
        return last;
    };
    for (std::uint64_t read = 0; read < kReads; ++read) {
        CAPTURE(read);
        CHECK(finish(eightBanks(), read) == read / 4 * 30 + read % 4 * 5 + 10 + 11 + 4);
        DramConfig config = eightBanks();
        config.bank.tFawCycles = 0;
        CHECK(finish(config, read) == read * 5 + 10 + 11 + 4);
    }
}

TEST_CASE("reads and writes in turn cost both turnarounds [E-3]") {
    DramBanks banks(eightBanks(), 1);
    const std::uint64_t begin = banks.access(0, 32, false, 0);
    banks.access(kBank, 32, true, 0);
    const std::uint64_t before = banks.counters().turnaroundTicks;
    const std::uint64_t first = banks.access(0, 32, false, 0);
    std::uint64_t last = 0;
    for (int i = 0; i < 10; ++i) {
        banks.access(kBank, 32, true, 0);
        last = banks.access(0, 32, false, 0);
    }
    CHECK(first > begin);
    // tRTW from read to write; tCWL + burst + tWTR from write to read.
    CHECK(last - first == 10 * (14 + (7 + 4 + 8)));
    // Without turnarounds a burst would follow the other.
    CHECK(banks.counters().turnaroundTicks - before == (19 - 4) + 10 * (14 - 4 + 19 - 4));
}

TEST_CASE("a write never meets the data of the read before it [E-3]") {
    DramConfig config = eightBanks();
    config.bank.tRtwCycles = 0;
    DramBanks banks(config, 1);
    const std::uint64_t read = banks.access(0, 32, false, 0);
    CHECK(banks.access(32, 32, true, 0) == read + 4);
}

TEST_CASE("a refresh closes all rows and blocks the banks for tRFC [E-3]") {
    const DramConfig config = refreshed();
    DramBanks banks(config, 1);
    banks.access(0, 32, false, 900);
    SUBCASE("an access after it") {
        // Due at 1000, precharged until 1012, refreshed until 1082.
        CHECK(banks.access(0, 32, false, 1'010) == 1'082 + 10 + 11 + 4);
        CHECK(banks.counters().misses == 2);
        CHECK(banks.counters().refreshes == 1);
    }
    SUBCASE("a burst whose command comes before it") {
        CHECK(banks.access(0, 32, false, 999) == 999 + 11 + 4);
        CHECK(banks.counters().refreshes == 0);
        // Closed tRTP after the last command.
        CHECK(banks.access(0, 32, false, 1'000) == 999 + 6 + 12 + 70 + 10 + 11 + 4);
    }
    SUBCASE("many during a pause") {
        CHECK(banks.access(0, 32, false, 50'500) == 50'500 + 10 + 11 + 4);
        CHECK(banks.counters().refreshes == 50);
        // The last of them falls on the access.
        CHECK(banks.access(0, 32, false, 90'001) == 90'070 + 10 + 11 + 4);
        CHECK(banks.counters().refreshes == 90);
    }
}

TEST_CASE("a stream reaches the peak less the refreshes [E-3]") {
    constexpr std::uint64_t kBytes = 8 << 20;
    SUBCASE("none") {
        CHECK(streamRate(eightBanks(), 1, kBytes) == doctest::Approx(8.0).epsilon(0.0001));
    }
    SUBCASE("LPDDR4-3200") {
        // A refresh costs tRFC, and the precharge and the activation around it.
        const double lost = (280.0 + 18.0 + 18.0) / 3904.0;
        CHECK(streamRate(lpddr4(1), 4, kBytes) * 4 ==
              doctest::Approx(6.4 * (1 - lost)).epsilon(0.003));
        CHECK(streamRate(lpddr4(1), 4, kBytes) * 4 ==
              doctest::Approx(6.4 * (1 - 280.0 / 3904.0)).epsilon(0.013));
        CHECK(streamRate(lpddr4(4), 4, kBytes) * 4 ==
              doctest::Approx(4 * 6.4 * (1 - lost)).epsilon(0.003));
    }
    SUBCASE("bank groups: tCCD_L limits a stream that stays in a bank") {
        // A row of 32 bursts takes 31 times tCCD_L, and a burst's time to the next bank's group.
        const double rest = 1 - (90.0 + 12.0 + 10.0) / 2000.0;
        CHECK(streamRate(grouped(DramMapping::kRowBankColumn), 1, kBytes) ==
              doctest::Approx(1024.0 / (31 * 7 + 4) * rest).epsilon(0.003));
    }
    SUBCASE("banks with every burst: tFAW limits the change of all rows") {
        // The last bank's new row can be read tRTP + tRP + tFAW + 3 tRRD + tRCD after the first
        // bank's old one, which is 13 cycles later than 15 bursts; eight rows are 1024 cycles.
        DramConfig config = mapped(eightBanks(), DramMapping::kRowColumnBank);
        CHECK(streamRate(config, 1, kBytes) ==
              doctest::Approx(8192.0 / (1024 + 13)).epsilon(0.0003));
        config.bank.tFawCycles = 0;
        config.bank.tRrdCycles = 4;
        CHECK(streamRate(config, 1, kBytes) == doctest::Approx(8.0).epsilon(0.005));
    }
}

TEST_CASE("the sustained rate that drivers see is that of a stream [E-3]") {
    constexpr std::uint64_t kBytes = 8 << 20;
    for (const NamedConfig& one : allConfigs()) {
        CAPTURE(one.name);
        // Within one percent: with the exclusive or, two neighboring rows of eight share a bank.
        const double measured = streamRate(one.config, one.ticksPerCycle, kBytes);
        CHECK(measured * one.ticksPerCycle ==
              doctest::Approx(hw::dramSustainedRate(one.config)).epsilon(0.01));
    }
}

TEST_CASE("the exclusive or keeps a stride from one bank [E-3]") {
    const auto conflictFree = [](DramMapping mapping) {
        DramBanks banks(mapped(eightBanks(), mapping), 1);
        for (std::uint64_t i = 0; i < 8; ++i) {
            banks.access(i * kNextRow, 32, false, 0);
        }
        return banks.counters().conflicts == 0;
    };
    CHECK_FALSE(conflictFree(DramMapping::kRowBankColumn));
    CHECK(conflictFree(DramMapping::kRowBankColumnXor));
}

TEST_CASE("random addresses lie between one bank's rows and a stream [E-3]") {
    DramBanks random(eightBanks(), 1);
    DramBanks worst(eightBanks(), 1);
    std::mt19937 source(1);
    constexpr std::uint64_t kReads = 2'000;
    std::uint64_t randomEnd = 0;
    std::uint64_t worstEnd = 0;
    for (std::uint64_t i = 0; i < kReads; ++i) {
        randomEnd = random.access(source() % (1 << 26), 1, false, 0);
        worstEnd = worst.access(i * kNextRow, 32, false, 0);
    }
    CHECK(randomEnd < worstEnd);
    CHECK(randomEnd > kReads * 4);
    // Four activations in tFAW are the most that can be.
    CHECK(randomEnd > kReads / 4 * 30 * 9 / 10);
    const hw::DramCounters& counters = random.counters();
    CHECK(counters.hits + counters.misses + counters.conflicts == kReads);
    CHECK(counters.hits < kReads / 20);
}

TEST_CASE("no timing rule is broken, whatever the accesses [E-3]") {
    for (const NamedConfig& one : allConfigs()) {
        CAPTURE(one.name);
        const DramRules rules(one.config, one.ticksPerCycle);
        for (std::uint32_t seed = 0; seed < 4; ++seed) {
            CAPTURE(seed);
            const auto stream =
                    mixedStream(seed, 250, static_cast<std::uint64_t>(one.ticksPerCycle));
            const auto log = logOf(one.config, one.ticksPerCycle, stream);
            const auto broken = rules.broken(log);
            CHECK_MESSAGE(broken.empty(), broken.front());
        }
    }
}

TEST_CASE("each access ends when a naive scheduler says [E-3]") {
    for (const NamedConfig& one : allConfigs()) {
        CAPTURE(one.name);
        for (std::uint32_t seed = 100; seed < 106; ++seed) {
            CAPTURE(seed);
            DramBanks banks(one.config, one.ticksPerCycle);
            NaiveDram naive(one.config, one.ticksPerCycle);
            std::size_t differences = 0;
            for (const Stream& access :
                 mixedStream(seed, 150, static_cast<std::uint64_t>(one.ticksPerCycle))) {
                differences += banks.access(access.address, access.bytes, access.isWrite,
                                            access.earliest) !=
                                               naive.access(access.address, access.bytes,
                                                            access.isWrite, access.earliest)
                                       ? 1
                                       : 0;
            }
            CHECK(differences == 0);
            const auto refreshes =
                    std::count_if(naive.log().begin(), naive.log().end(), [](const auto& command) {
                        return command.kind == DramCommand::Kind::kRefresh;
                    });
            CHECK(banks.counters().refreshes == static_cast<std::uint64_t>(refreshes));
        }
    }
}

TEST_CASE("a model with one timing too short is caught by the rule's name [E-3]") {
    struct Mutant {
        std::string rule;
        std::function<void(DramConfig&)> change;
    };
    const Mutant mutants[] = {
            {"tRCD", [](DramConfig& c) { c.bank.tRcdCycles -= 1; }},
            {"tRP", [](DramConfig& c) { c.bank.tRpCycles -= 1; }},
            {"tRAS", [](DramConfig& c) { c.bank.tRasCycles -= 1; }},
            {"tRRD", [](DramConfig& c) { c.bank.tRrdCycles -= 1; }},
            {"tRRD_L", [](DramConfig& c) { c.bank.tRrdLCycles -= 1; }},
            {"tFAW", [](DramConfig& c) { c.bank.tFawCycles -= 1; }},
            {"tCCD_L", [](DramConfig& c) { c.bank.tCcdLCycles -= 1; }},
            {"tRTP", [](DramConfig& c) { c.bank.tRtpCycles -= 1; }},
            {"tWR", [](DramConfig& c) { c.bank.tWrCycles -= 1; }},
            {"tWTR", [](DramConfig& c) { c.bank.tWtrCycles -= 1; }},
            {"tRTW", [](DramConfig& c) { c.bank.tRtwCycles -= 1; }},
            {"tRFC", [](DramConfig& c) { c.refreshCycles -= 1; }},
            {"tREFI", [](DramConfig& c) { c.refreshIntervalCycles *= 3; }},
            {"data bus", [](DramConfig& c) { c.bytesPerCycle = 16; }},
    };
    DramConfig config = grouped(DramMapping::kRowBankColumn);
    config.bank.tFawCycles = 40;
    const DramRules rules(config, 1);
    for (const Mutant& mutant : mutants) {
        CAPTURE(mutant.rule);
        DramConfig wrong = config;
        mutant.change(wrong);
        bool isCaught = false;
        for (std::uint32_t seed = 0; seed < 20 && !isCaught; ++seed) {
            const auto found = rules.broken(logOf(wrong, 1, mixedStream(seed, 250, 1)));
            isCaught = std::find(found.begin(), found.end(), mutant.rule) != found.end();
        }
        CHECK(isCaught);
    }
}

TEST_CASE("bandwidth never exceeds the pins [E-3]") {
    for (const NamedConfig& one : allConfigs()) {
        CAPTURE(one.name);
        DramBanks banks(one.config, one.ticksPerCycle);
        std::mt19937 random(7);
        std::uint64_t bytes = 0;
        std::uint64_t end = 0;
        for (int i = 0; i < 1'000; ++i) {
            const std::uint64_t address = std::uint64_t{random()} % (1 << 24) / 4096 * 4096;
            end = std::max(end, banks.access(address, 4096, random() % 4 == 0, 0));
            bytes += 4096;
            CHECK(static_cast<double>(bytes) <=
                  static_cast<double>(end) * one.config.bytesPerCycle / one.ticksPerCycle);
        }
    }
}

TEST_CASE("a copy continues independently and gives the same times [E-4]") {
    DramBanks original(refreshed(), 1);
    const auto stream = mixedStream(3, 200, 1);
    const std::size_t half = stream.size() / 2;
    for (std::size_t i = 0; i < half; ++i) {
        original.access(stream[i].address, stream[i].bytes, stream[i].isWrite, stream[i].earliest);
    }
    DramBanks copy = original;
    for (std::size_t i = half; i < stream.size(); ++i) {
        const Stream& one = stream[i];
        const auto expected = original.access(one.address, one.bytes, one.isWrite, one.earliest);
        CHECK(copy.access(one.address, one.bytes, one.isWrite, one.earliest) == expected);
    }
    CHECK(copy.counters().hits == original.counters().hits);
}

TEST_CASE("the log does not change the times or the counts [E-4]") {
    std::vector<DramCommand> log;
    DramBanks logged(lpddr4(2), 4);
    DramBanks silent(lpddr4(2), 4);
    logged.logTo(&log);
    for (const Stream& one : mixedStream(5, 300, 4)) {
        CHECK(logged.access(one.address, one.bytes, one.isWrite, one.earliest) ==
              silent.access(one.address, one.bytes, one.isWrite, one.earliest));
    }
    CHECK(logged.counters().refreshes == silent.counters().refreshes);
    const auto columns = std::count_if(log.begin(), log.end(), [](const DramCommand& command) {
        return command.kind == DramCommand::Kind::kRead ||
               command.kind == DramCommand::Kind::kWrite;
    });
    const hw::DramCounters& counters = silent.counters();
    CHECK(counters.hits + counters.misses + counters.conflicts ==
          static_cast<std::uint64_t>(columns));
}

TEST_SUITE_END();

}  // namespace vnpu::test
