// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/banked_schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/timing/memory_timing.h"

namespace vnpu::test {

using hw::DmaPiece;
using hw::MemoryArbiter;
using hw::MemoryPlaces;
using hw::NpuConfig;
using hw::regs::PerfEvent;

namespace {

/// Eight banks with rows of 2048 bytes, bursts of 32 bytes in 8 cycles, a queue of eight bursts.
/// Interconnect 16 bytes per cycle, chunks of 4096 bytes, bus bursts of 64 bytes.
NpuConfig eightBanks() {
    NpuConfig config;
    config.dram.model = hw::DramModel::kBanked;
    config.dram.bytesPerCycle = 4;
    config.dram.banks = 8;
    config.dram.rowBytes = 2048;
    config.dram.bank.queueBursts = 8;
    config.dram.bank.tRcdCycles = 10;
    config.dram.bank.tRpCycles = 12;
    config.dram.bank.tClCycles = 11;
    config.dram.bank.tCwlCycles = 7;
    config.dram.bank.tRasCycles = 25;
    config.dram.bank.tRtpCycles = 6;
    config.dram.bank.tWrCycles = 13;
    config.dram.bank.tWtrCycles = 8;
    config.dram.bank.tRtwCycles = 14;
    return config;
}

constexpr std::uint64_t kOpen = 10;  // tRCD
constexpr std::uint64_t kRead = 11;  // tCL
constexpr std::uint64_t kBurst = 8;

struct BankTransfer {
    std::vector<DmaPiece> reads{};
    std::vector<DmaPiece> writes{};
    std::uint64_t request = 0;
    std::uint64_t bytes = 0;
    double rate = 16;
    std::uint32_t passes = 1;
    std::vector<std::uint64_t> tableReads{};
    std::uint64_t tableLatency = 0;
    std::uint64_t skipped = 0;
};

BankTransfer loadOf(std::uint64_t address, std::uint64_t bytes, std::uint64_t request = 0) {
    return {.reads = {{address, bytes}}, .request = request, .bytes = bytes};
}

void beginTransfer(MemoryArbiter& arbiter, std::size_t flow, std::uint64_t now,
                   const BankTransfer& one) {
    arbiter.start(flow, now,
                  {one.request,
                   one.bytes,
                   one.rate,
                   one.passes,
                   0,
                   {one.reads, one.writes, one.tableReads, one.tableLatency, one.skipped}});
}

std::uint64_t burstsOf(const MemoryArbiter& arbiter) {
    return arbiter.dramCount(PerfEvent::kDramRowHits) +
           arbiter.dramCount(PerfEvent::kDramRowMisses) +
           arbiter.dramCount(PerfEvent::kDramRowConflicts);
}

/// Ends all transfers of `flows` at their predicted times, in that order; returns the last one.
std::uint64_t finishAll(MemoryArbiter& arbiter, std::vector<std::size_t> flows) {
    std::uint64_t last = 0;
    while (!flows.empty()) {
        const auto next = std::min_element(flows.begin(), flows.end(), [&](auto a, auto b) {
            return arbiter.endCycle(a) < arbiter.endCycle(b);
        });
        last = arbiter.endCycle(*next);
        arbiter.stop(*next, last);
        flows.erase(next);
    }
    return last;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/banked_schedule");

TEST_CASE("a lone transfer opens a row and streams [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    beginTransfer(arbiter, 0, 0, loadOf(0, 65'536, 100));
    // Rows in other banks are opened while data move.
    CHECK(arbiter.endCycle(0) == 100 + kOpen + kRead + 65'536 / 32 * kBurst);
    CHECK(arbiter.stop(0, arbiter.endCycle(0)) == 65'536);
    CHECK(arbiter.dramCount(PerfEvent::kDramRowMisses) == 8);
    CHECK(arbiter.dramCount(PerfEvent::kDramRowConflicts) == 65'536 / 2048 - 8);
    CHECK(burstsOf(arbiter) == 65'536 / 32);
    CHECK(arbiter.dramBusyCycles() == 65'536 / 4);
}

TEST_CASE("a transfer's own pace limits it [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    BankTransfer slow = loadOf(0, 65'536);
    slow.rate = 1;
    beginTransfer(arbiter, 0, 0, slow);
    CHECK(arbiter.endCycle(0) == 65'536);
    BankTransfer store = {.writes = {{1 << 20, 4096}}, .bytes = 4096};
    beginTransfer(arbiter, 1, 0, store);
    CHECK(arbiter.endCycle(1) < 65'536 / 4);
}

TEST_CASE("rows of one bank cost a row cycle each [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    // 64 rows of 64 bytes, 8 * 2048 bytes apart: always the first bank.
    beginTransfer(arbiter, 0, 0, {.reads = {{0, 64, 64, 8 * 2048}}, .bytes = 4096});
    // Each opens, gives its second command a burst later, closes tRTP after that.
    const std::uint64_t cycle = std::max<std::uint64_t>(25, kOpen + kBurst + 6) + 12;
    CHECK(arbiter.endCycle(0) == 63 * cycle + kOpen + kRead + 2 * kBurst);
}

TEST_CASE("odd rows move each burst once, wherever chunks and units end [E-3]") {
    std::mt19937 random(11);
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        const DmaPiece piece{random() % 100'000, 1 + random() % 3'000, 1 + random() % 40,
                             3'000 + random() % 3'000};
        std::uint64_t expected = 0;
        for (std::uint64_t row = 0; row < piece.rows; ++row) {
            const std::uint64_t first = piece.address + row * piece.stride;
            expected += (first + piece.bytes - 1) / 32 - first / 32 + 1;
        }
        MemoryArbiter arbiter(eightBanks());
        const std::uint64_t onBus = hw::busBytes({}, piece.rows, piece.bytes);
        beginTransfer(arbiter, 2, 0, {.reads = {piece}, .bytes = onBus});
        arbiter.stop(2, arbiter.endCycle(2));
        CHECK(burstsOf(arbiter) == expected);
    }
}

TEST_CASE("two transfers share the pins [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    constexpr std::uint64_t kBytes = 262'144;
    beginTransfer(arbiter, 0, 0, loadOf(0, kBytes));
    beginTransfer(arbiter, 1, 0, loadOf(1 << 24, kBytes));
    const std::uint64_t peak = 2 * kBytes / 4;
    const std::uint64_t first = std::min(arbiter.endCycle(0), arbiter.endCycle(1));
    const std::uint64_t last = finishAll(arbiter, {0, 1});
    CHECK(last >= peak);
    CHECK(last < peak * 11 / 10);
    CHECK(first > last * 9 / 10);
    CHECK(burstsOf(arbiter) == 2 * kBytes / 32);
}

TEST_CASE("the controller goes first when the queue has room [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    constexpr std::size_t kController = MemoryArbiter::kControllerFlow;
    beginTransfer(arbiter, 0, 0, loadOf(0, 1 << 20));
    beginTransfer(arbiter, 1, 0, loadOf(1 << 24, 1 << 20));
    const std::uint64_t before = arbiter.endCycle(0);
    beginTransfer(arbiter, kController, 5'000, loadOf(1 << 28, 64, 5'000));
    // At most a unit (512 bytes) and the queue before it, a row cycle, its own bursts.
    CHECK(arbiter.endCycle(kController) <
          5'000 + (16 + 8) * kBurst + 37 + kOpen + kRead + 2 * kBurst);
    CHECK(arbiter.endCycle(kController) >= 5'000 + kOpen + kRead + 2 * kBurst);
    CHECK(arbiter.endCycle(0) > before);
}

TEST_CASE("page tables are read one after the other before the data [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    BankTransfer one = loadOf(0, 64, 100);
    // Three banks, none of them the data's.
    one.tableReads = {2048, 2 * 2048, 3 * 2048};
    one.tableLatency = 50;
    beginTransfer(arbiter, 0, 0, one);
    const std::uint64_t read = kOpen + kRead + kBurst;
    CHECK(arbiter.endCycle(0) == 100 + 3 * (read + 50) + kOpen + kRead + 2 * kBurst);
    SUBCASE("other transfers delay them") {
        const std::uint64_t alone = arbiter.endCycle(0);
        beginTransfer(arbiter, 1, 0, loadOf(1 << 24, 65'536));
        CHECK(arbiter.endCycle(0) > alone);
    }
    SUBCASE("they delay other transfers") {
        MemoryArbiter without(eightBanks());
        beginTransfer(without, 1, 0, loadOf(1 << 24, 65'536));
        beginTransfer(arbiter, 1, 0, loadOf(1 << 24, 65'536));
        CHECK(arbiter.endCycle(1) > without.endCycle(1) + 3 * kBurst);
    }
}

TEST_CASE("memory to memory turns the bus around once for each half of a chunk [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    constexpr std::uint64_t kChunks = 10;
    beginTransfer(arbiter, 0, 0,
                  {.reads = {{0, kChunks * 4096}},
                   .writes = {{1 << 20, kChunks * 4096}},
                   .bytes = kChunks * 4096,
                   .rate = 8,
                   .passes = 2});
    const std::uint64_t end = arbiter.endCycle(0);
    arbiter.stop(0, end);
    CHECK(burstsOf(arbiter) == 2 * kChunks * 4096 / 32);
    // A turn to writing costs at most tRTW less a burst, one back tCWL + burst + tWTR less a burst.
    const std::uint64_t turns = arbiter.dramCount(PerfEvent::kDramTurnaroundCycles);
    CHECK(turns <= kChunks * (14 - kBurst) + (kChunks - 1) * (7 + kBurst + 8 - kBurst));
    CHECK(turns >= kChunks * 2);
    CHECK(end >= 2 * kChunks * 4096 / 4 + turns);
}

TEST_CASE("a part of a transfer continues at its addresses [E-3]") {
    // Bytes 2048 to 4095 of the list lie in the second row, whose bank is closed at the start.
    MemoryArbiter arbiter(eightBanks());
    BankTransfer rest = loadOf(0, 4096);
    rest.bytes = 2048;
    rest.skipped = 2048;
    beginTransfer(arbiter, MemoryArbiter::kDspFlow, 0, rest);
    arbiter.stop(MemoryArbiter::kDspFlow, arbiter.endCycle(MemoryArbiter::kDspFlow));
    CHECK(burstsOf(arbiter) == 64);
    beginTransfer(arbiter, 0, 5'000, loadOf(2048, 32, 5'000));
    CHECK(arbiter.endCycle(0) == 5'000 + kRead + kBurst);  // its row is open
}

TEST_CASE("what an aborted transfer had not asked for is not moved [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    beginTransfer(arbiter, 0, 0, loadOf(0, 1 << 20));
    const std::uint64_t served = arbiter.stop(0, 10'000);
    // Up to the queue and the unit that enters it.
    CHECK(served >= 10'000 * 4 - 8 * 32);
    CHECK(served <= 10'000 * 4 + 8 * 32 + 512);
    CHECK(burstsOf(arbiter) == served / 32);
    CHECK_FALSE(arbiter.isActive(0));
}

TEST_CASE("predictions hold until something starts, however often time is looked at [E-4]") {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        NpuConfig config = eightBanks();
        config.dram.refreshIntervalCycles = 2'000;
        config.dram.refreshCycles = 100;
        MemoryArbiter arbiter(config);
        MemoryArbiter watched(config);
        std::uint64_t now = 0;
        for (int step = 0; step < 30; ++step) {
            // The other one catches up once more in between.
            const std::uint64_t between = now + random() % 1'500;
            beginTransfer(watched, MemoryArbiter::kDspFlow, between,
                          loadOf(0, 64, between + 1'000'000));
            watched.stop(MemoryArbiter::kDspFlow, between);
            now += 1'500 + random() % 1'500;
            const std::size_t flow = random() % 4;
            if (arbiter.isActive(flow)) {
                CHECK(arbiter.stop(flow, now) == watched.stop(flow, now));
                continue;
            }
            const std::uint64_t address = random() % (1 << 24);
            const std::uint64_t bytes = 1 + random() % 20'000;
            const BankTransfer one =
                    random() % 2 == 0
                            ? loadOf(address, bytes, now + random() % 300)
                            : BankTransfer{
                                      .writes = {{address, bytes}}, .request = now, .bytes = bytes};
            beginTransfer(arbiter, flow, now, one);
            beginTransfer(watched, flow, now, one);
            CHECK(arbiter.endCycle(flow) == watched.endCycle(flow));
            CHECK(arbiter.endCycle(flow) >= now + bytes / 4);
        }
    }
}

TEST_CASE("external load takes its share [E-3]") {
    const auto end = [](double share) {
        NpuConfig config = eightBanks();
        config.dram.background = share;
        MemoryArbiter arbiter(config);
        beginTransfer(arbiter, 0, 0, loadOf(1 << 26, 1 << 20));
        return static_cast<double>(arbiter.endCycle(0));
    };
    const double alone = end(0);
    CHECK(end(0.25) == doctest::Approx(alone / 0.75).epsilon(0.06));
    CHECK(end(0.5) == doctest::Approx(alone / 0.5).epsilon(0.06));
    // More than is left does not stop the device.
    CHECK(end(0.95) < alone * 40);
}

TEST_CASE("external load that the DRAM cannot serve does not pile up [E-3]") {
    // With a queue of one burst, rows are not opened in advance, and a stream falls short of the
    // sustained rate that the load refers to.
    const auto end = [](std::uint64_t bytes) {
        NpuConfig config = eightBanks();
        config.dram.bank.queueBursts = 1;
        config.dram.background = 0.95;
        MemoryArbiter arbiter(config);
        beginTransfer(arbiter, 0, 0, loadOf(1 << 26, bytes));
        return static_cast<double>(arbiter.endCycle(0));
    };
    CHECK(end(8 << 18) == doctest::Approx(8 * end(1 << 18)).epsilon(0.05));
}

TEST_CASE("external load during a long pause is not simulated request by request [E-3]") {
    NpuConfig config = eightBanks();
    config.dram.background = 0.5;
    MemoryArbiter arbiter(config);
    const std::uint64_t late = 1ULL << 43;
    beginTransfer(arbiter, 0, late, loadOf(1 << 26, 4096, late));
    CHECK(arbiter.endCycle(0) < late + 4 * 4096);
}

TEST_CASE("the flat model counts no rows [E-3]") {
    MemoryArbiter arbiter{NpuConfig{}};
    beginTransfer(arbiter, 0, 0, loadOf(0, 4096));
    arbiter.stop(0, arbiter.endCycle(0));
    CHECK(burstsOf(arbiter) == 0);
}

TEST_CASE("counts restart at power-on [E-3]") {
    MemoryArbiter arbiter(eightBanks());
    beginTransfer(arbiter, 0, 0, loadOf(0, 4096));
    arbiter.stop(0, arbiter.endCycle(0));
    arbiter.clearCounts();
    CHECK(burstsOf(arbiter) == 0);
    CHECK(arbiter.dramBusyCycles() == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::test
