// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/deferred/deferred_work.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

namespace vnpu::test {
namespace {

using namespace hw;

constexpr int kPieces = 5000;                         // many times the number that can wait
constexpr std::uint64_t kWorthwhile = 1'000'000'000;  // never executed within post()

DataAccesses touching(std::initializer_list<DataAccess> all) {
    DataAccesses accesses;
    for (const DataAccess& access : all) {
        accesses.add(access);
    }
    return accesses;
}

DataAccess sram(const StridedRange& rows, bool isWrite) {
    return {DataPlace::kSram, isWrite, rows.first(), rows.end(), rows};
}

DataAccess bus(std::uint64_t first, std::uint64_t end, bool isWrite) {
    return {DataPlace::kBus, isWrite, first, end, {}};
}

/// False if the condition did not become true within some seconds.
template <typename Condition>
bool comesTrue(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

/// A piece that waits for no other. Once it has run, every piece that was posted earlier and is
/// ready has run or is running.
class Witness {
  public:
    void post(DeferredWork& work) {
        work.post(touching({bus(kPlace, kPlace + 1, true)}), kWorthwhile, [this] { ran_ = true; });
    }
    /// Called within another piece. Without workers, pieces run one after another, and there is
    /// nothing to wait for.
    void await() const {
        if (kernels::BackgroundTasks::workers() != 0) {
            comesTrue([this] { return ran_.load(); });
        }
    }

  private:
    static constexpr std::uint64_t kPlace = std::uint64_t{1} << 30;  // used by no other piece
    std::atomic<bool> ran_ = false;
};

/// Random pieces that each add several cells into another one, in the order of posting or not.
class Sums {
  public:
    explicit Sums(std::uint32_t seed) : random_(seed) {
        for (std::size_t i = 0; i < kCells; ++i) {
            inOrder[i] = deferred[i] = static_cast<std::uint32_t>(random_());
        }
    }

    void post(DeferredWork& work, std::uint64_t operations) {
        const std::size_t from = random_() % (kCells - kRun);
        const std::size_t to = random_() % kCells;
        const auto sum = [from, to](Cells& cells) {
            for (std::size_t i = 0; i < kRun; ++i) {
                cells[to] = cells[to] * 3 + cells[from + i];
            }
        };
        sum(inOrder);
        work.post(touching({bus(from, from + kRun, false), bus(to, to + 1, true)}), operations,
                  [this, sum] { sum(deferred); });
    }

    static constexpr std::size_t kCells = 64;
    static constexpr std::size_t kRun = 4;
    using Cells = std::array<std::uint32_t, kCells>;
    Cells inOrder{};
    Cells deferred{};

  private:
    std::mt19937 random_;
};

/// Random pieces that add up one range of cells and change another, each range in any memory, with
/// a size from one cell to more than a memory has distinguishable blocks.
class Ranges {
  public:
    explicit Ranges(std::uint32_t seed) : random_(seed) {}

    void post(DeferredWork& deferredWork) {
        const Range from = randomRange();
        const Range to = randomRange();
        const auto work = [from, to](Memories& memories) {
            std::uint32_t sum = 1;
            for (std::size_t i = from.first; i < from.end; ++i) {
                sum += memories[from.memory][i];
            }
            for (std::size_t i = to.first; i < to.end; ++i) {
                memories[to.memory][i] = memories[to.memory][i] * 3 + sum;
            }
        };
        work(inOrder);
        deferredWork.post(touching({access(from, false), access(to, true)}), kWorthwhile,
                          [this, work] { work(deferred); });
    }

    static constexpr std::size_t kCells = 700;
    using Memories = std::array<std::array<std::uint32_t, kCells>, 3>;
    Memories inOrder{};
    Memories deferred{};

  private:
    struct Range {
        std::size_t memory;
        std::size_t first;
        std::size_t end;
    };

    Range randomRange() {
        const std::size_t longest = random_() % 50 == 0 ? kCells : 20;
        const std::size_t cells = 1 + random_() % longest;
        const std::size_t first = random_() % (kCells - cells + 1);
        return {random_() % 3, first, first + cells};
    }

    static DataAccess access(const Range& range, bool isWrite) {
        if (range.memory == 2) {
            return bus(range.first * 4096, range.end * 4096, isWrite);
        }
        DataAccess access = sram({range.first * 1024, (range.end - range.first) * 1024}, isWrite);
        access.place = range.memory == 0 ? DataPlace::kSram : DataPlace::kAccumulators;
        return access;
    }

    std::mt19937 random_;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/deferred_work");

TEST_CASE("results equal those of sequential execution [E-2]") {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        Sums sums(seed);
        DeferredWork work;
        for (int i = 0; i < kPieces; ++i) {
            sums.post(work, i % 5 == 0 ? 1 : kWorthwhile);
        }
        work.finish();
        CAPTURE(seed);
        REQUIRE(sums.deferred == sums.inOrder);
    }
}

TEST_CASE(
        "results for ranges of any size in each memory equal those of sequential execution [E-2]") {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        Ranges ranges(seed);
        DeferredWork work;
        for (int i = 0; i < kPieces; ++i) {
            ranges.post(work);
        }
        work.finish();
        CAPTURE(seed);
        REQUIRE(ranges.deferred == ranges.inOrder);
    }
}

TEST_CASE("pieces without common bytes run at the same time [E-2]") {
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    DeferredWork work;
    std::atomic<bool> isOtherBegun = false;
    bool hasSeenOther = false;
    work.post(touching({sram({0, 64}, true)}), kWorthwhile,
              [&] { hasSeenOther = comesTrue([&] { return isOtherBegun.load(); }); });
    work.post(touching({sram({64, 64}, true)}), kWorthwhile, [&] { isOtherBegun = true; });
    work.finish();
    CHECK(hasSeenOther);
}

TEST_CASE("a piece waits for every conflicting byte of a writer [E-2]") {
    for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
        DeferredWork work;
        Witness witness;
        std::atomic<bool> isWritten = false;
        bool wasWritten = false;
        work.post(
                touching({bus(0, 1, true), bus(1 << 20, (1 << 20) + 1, true), sram({0, 64}, true)}),
                kWorthwhile, [&] {
                    witness.await();
                    isWritten = true;
                });
        work.post(touching({bus(first, first + 1, false)}), kWorthwhile,
                  [&] { wasWritten = isWritten; });
        witness.post(work);
        work.finish();
        CAPTURE(first);
        CHECK(wasWritten);
    }
}

TEST_CASE("a writing piece waits for pieces that only read [E-2]") {
    DeferredWork work;
    Witness witness;
    std::atomic<bool> isOverwritten = false;
    bool wasOverwritten = true;
    work.post(touching({bus(0, 64, false)}), kWorthwhile, [&] {
        witness.await();
        wasOverwritten = isOverwritten;
    });
    work.post(touching({bus(63, 64, true)}), kWorthwhile, [&] { isOverwritten = true; });
    witness.post(work);
    work.finish();
    CHECK_FALSE(wasOverwritten);
}

TEST_CASE("pieces that only read the same bytes run at the same time [E-2]") {
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    DeferredWork work;
    std::atomic<bool> isOtherBegun = false;
    bool hasSeenOther = false;
    work.post(touching({bus(0, 64, false)}), kWorthwhile,
              [&] { hasSeenOther = comesTrue([&] { return isOtherBegun.load(); }); });
    work.post(touching({bus(0, 64, false)}), kWorthwhile, [&] { isOtherBegun = true; });
    work.finish();
    CHECK(hasSeenOther);
}

TEST_CASE("interleaved rows have no byte in common [E-2]") {
    StridedRange even(0, 16);
    even.repeat(8, 32);
    StridedRange odd(16, 16);
    odd.repeat(8, 32);
    const auto conflict = [](const DataAccess& one, const DataAccess& other) {
        const bool result = touching({one}).conflictWith(touching({other}));
        CHECK(touching({other}).conflictWith(touching({one})) == result);
        return result;
    };
    CHECK_FALSE(conflict(sram(even, true), sram(odd, true)));
    CHECK(conflict(sram(even, true), sram({32, 1}, false)));
    CHECK_FALSE(conflict(sram(even, false), sram({32, 1}, false)));
    // The same offsets in another memory.
    DataAccess other = sram({32, 1}, true);
    other.place = DataPlace::kAccumulators;
    CHECK_FALSE(conflict(sram(even, true), other));
    CHECK_FALSE(conflict(bus(32, 33, true), other));
    CHECK_FALSE(conflict(bus(32, 33, true), sram({32, 1}, true)));
    CHECK(conflict(other, other));
}

TEST_CASE("one common byte is a conflict if any of the accesses writes it [E-2]") {
    const DataAccess read = sram({0, 10}, false);
    const DataAccess write = sram({100, 10}, true);
    const DataAccess otherWrite = bus(0, 10, true);
    const DataAccess otherRead = bus(100, 110, false);
    const DataAccesses all = touching({read, write, otherWrite, otherRead});
    for (const bool isWrite : {false, true}) {
        CHECK(all.conflictWith(touching({sram({9, 1}, isWrite)})) == isWrite);
        CHECK(all.conflictWith(touching({bus(109, 110, isWrite)})) == isWrite);
        CHECK(all.conflictWith(touching({sram({109, 1}, isWrite)})));
        CHECK(all.conflictWith(touching({bus(9, 10, isWrite)})));
        CHECK_FALSE(all.conflictWith(touching({sram({10, 90}, isWrite), bus(10, 100, isWrite),
                                               bus(110, 120, true), sram({110, 10}, isWrite)})));
    }
}

TEST_CASE("a piece waits for a piece that reuses the index of an older one [E-2]") {
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    DeferredWork work;
    std::atomic<bool> mayFirstEnd = false;
    std::atomic<int> others = 0;
    work.post(touching({bus(0, 1, true)}), kWorthwhile,
              [&] { comesTrue([&] { return mayFirstEnd.load(); }); });
    for (std::uint64_t i = 1; i < DeferredWork::kMostPosted - 1; ++i) {
        work.post(touching({bus(100 + i, 101 + i, true)}), kWorthwhile, [&] { ++others; });
    }
    // The last piece that fits waits for the first one, which frees its place then.
    work.post(touching({bus(0, 1, false), bus(10, 11, true)}), kWorthwhile, [] {});
    mayFirstEnd = true;
    REQUIRE(comesTrue([&] { return others > 0; }));
    Witness witness;
    std::atomic<bool> isMiddleDone = false;
    std::atomic<bool> isSlowDone = false;
    bool wasSlowDone = false;
    work.post(touching({bus(20, 21, true)}), kWorthwhile, [&] {
        comesTrue([&] { return isMiddleDone.load(); });
        witness.await();
        isSlowDone = true;
    });
    work.post(touching({bus(10, 11, false), bus(30, 31, true)}), kWorthwhile,
              [&] { isMiddleDone = true; });
    work.post(touching({bus(20, 21, false), bus(30, 31, false)}), kWorthwhile,
              [&] { wasSlowDone = isSlowDone; });
    witness.post(work);
    work.finish();
    CHECK(wasSlowDone);
}

TEST_CASE("a piece waits for the oldest piece that can be posted [E-2]") {
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    DeferredWork work;
    const auto postOthers = [&](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            work.post(touching({bus(100 + i, 101 + i, true)}), kWorthwhile, [] {});
        }
    };
    postOthers(10);
    work.finish();
    Witness witness;
    std::atomic<bool> mayEnd = false;
    std::atomic<bool> isDone = false;
    bool wasDone = false;
    work.post(touching({bus(0, 1, true)}), kWorthwhile, [&] {
        comesTrue([&] { return mayEnd.load(); });
        witness.await();
        isDone = true;
    });
    // Places are reused cyclically: the next one is shortly before that of the old piece.
    postOthers(DeferredWork::kMostPosted - 5);
    work.post(touching({bus(0, 1, false)}), kWorthwhile, [&] { wasDone = isDone; });
    witness.post(work);
    mayEnd = true;
    work.finish();
    CHECK(wasDone);
}

TEST_CASE("finishFor waits only for conflicting pieces [E-2]") {
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    DeferredWork work;
    Witness witness;
    std::atomic<bool> mayEnd = false;
    std::atomic<bool> isDone = false;
    work.post(touching({bus(100, 200, true)}), kWorthwhile, [&] {
        comesTrue([&] { return mayEnd.load(); });
        isDone = true;
    });
    work.finishFor(bus(0, 100, false));
    work.finishFor(bus(200, 300, true));
    CHECK_FALSE(isDone);
    mayEnd = true;
    work.finishFor(bus(199, 201, false));
    CHECK(isDone);
}

TEST_CASE("finishFor accepts addresses outside every memory [E-1]") {
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    DeferredWork work;
    std::atomic<int> done = 0;
    for (std::uint64_t block = 0; block < 24; ++block) {  // one piece in each distinguishable block
        work.post(touching({bus(block << 16, (block + 1) << 16, true)}), kWorthwhile,
                  [&done] { ++done; });
    }
    work.finishFor(bus(~std::uint64_t{0} - 8, ~std::uint64_t{0}, false));
    work.finishFor(bus(~std::uint64_t{0} - 8, 8, false));
    work.finish();
    CHECK(done == 24);
}

TEST_CASE("small work without a conflict is done immediately [E-2]") {
    DeferredWork work;
    bool isDone = false;
    work.post(touching({bus(0, 1, true)}), 1, [&] { isDone = true; });
    CHECK(isDone);
}

TEST_CASE("finish throws a piece's exception after the other pieces are done [E-2]") {
    DeferredWork work;
    bool isDone = false;
    const auto post = [&](bool fails) {
        work.post(touching({bus(0, 1, true)}), kWorthwhile, [&isDone, fails] {
            if (fails) {
                throw std::runtime_error("no");
            }
            isDone = true;
        });
    };
    if (kernels::BackgroundTasks::workers() == 0) {
        return;
    }
    post(true);
    post(false);
    CHECK_THROWS_AS(work.finish(), std::runtime_error);
    CHECK(isDone);
    CHECK_NOTHROW(work.finish());
}

TEST_CASE("posted pieces are done before the end [E-2]") {
    int done = 0;
    {
        DeferredWork work;
        for (int i = 0; i < 100; ++i) {
            work.post(touching({bus(0, 1, true)}), kWorthwhile, [&done] { ++done; });
        }
    }
    CHECK(done == 100);
}

TEST_SUITE_END();

}  // namespace vnpu::test
