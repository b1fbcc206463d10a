// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/dram_share.h"

#include <doctest/doctest.h>

// All cases have a DRAM of 4 bytes per cycle: a chunk of 4,096 bytes takes 1,024 cycles.
namespace vnpu::driver {
namespace {

enum User : std::size_t { kFirst, kSecond, kThird };

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/dram_share");

TEST_CASE("bytes alone take their time at the DRAM's rate, and pauses beside it [E-3]") {
    DramShare dram(4);
    CHECK(dram.take(kFirst, 100, 8192) == 100 + 2048);
    CHECK(dram.take(kFirst, 3000, 8192, 60) == 3000 + 2048 + 60);
    CHECK(dram.busyUntil() == 3000 + 2048);
}

TEST_CASE("a few bytes wait for one chunk of a long transfer, which they delay [E-3]") {
    DramShare dram(4);
    CHECK(dram.take(kFirst, 0, 16384) == 4096);
    CHECK(dram.take(kSecond, 500, 64) == 500 + 1024 + 16);
    CHECK(dram.endOf(kFirst) == 4096 + 16);
    CHECK(dram.busyUntil() == 4096 + 16);
}

TEST_CASE("two long transfers take turns and end at about the same time [E-3]") {
    DramShare dram(4);
    dram.take(kFirst, 0, 16384);
    CHECK(dram.take(kSecond, 0, 16384) == 2 * 4096);
    CHECK(dram.endOf(kFirst) == 2 * 4096 - 1024);
    CHECK(dram.busyUntil() == 2 * 4096);
}

TEST_CASE("a longer transfer has the rest to itself when the shorter one has ended [E-3]") {
    DramShare dram(4);
    dram.take(kFirst, 0, 4096);
    CHECK(dram.take(kSecond, 0, 16384) == 1024 + 4096);
    CHECK(dram.endOf(kFirst) == 1024);  // it had begun
}

TEST_CASE("a transfer waits for a turn of each other one [E-3]") {
    DramShare dram(4);
    dram.take(kFirst, 0, 16384);
    dram.take(kSecond, 0, 16384);
    CHECK(dram.take(kThird, 100, 64) == 100 + 2 * 1024 + 16);
    // A user whose bytes are fewer than a chunk has shorter turns.
    DramShare few(4);
    few.take(kFirst, 0, 16384);
    few.take(kSecond, 0, 64);
    CHECK(few.take(kThird, 0, 64) == 1024 + 16 + 16);
}

TEST_CASE("the controller's reads take turns with transfers [E-3]") {
    DramShare dram(4);
    dram.take(kFirst, 0, 16384);
    CHECK(dram.take(DramShare::kController, 0, 128) == 1024 + 32);
    CHECK(dram.endOf(kFirst) == 4096 + 32);
    // One after the other, and each behind a chunk of the transfer.
    CHECK(dram.take(DramShare::kController, 0, 128) == 2 * (1024 + 32));
    CHECK(dram.endOf(kFirst) == 4096 + 64);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
