// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/emit/transfer.h"

#include <doctest/doctest.h>

namespace vnpu::driver {

TEST_SUITE_BEGIN("driver/compiler/emit/transfer");

TEST_CASE("a transfer contiguous on both sides is one row") {
    const auto transfers =
            makeTransfers({0, 0, 0, 5}, sramRef(64), {{3, 80, 80}, {10, 8, 8}, {8, 1, 1}}, 1);
    REQUIRE(transfers.size() == 1);
    CHECK(transfers[0].rowBytes == 240);
    CHECK(transfers[0].counts[0] == 1);
    CHECK(transfers[0].source.offset == 5);
    CHECK(transfers[0].destination.offset == 64);
}

TEST_CASE("a slice of each pixel becomes rows at two strides") {
    const auto transfers =
            makeTransfers({0, 0, 0, 0}, sramRef(0), {{7, 320, 40}, {10, 32, 4}, {4, 1, 1}}, 1);
    REQUIRE(transfers.size() == 1);
    CHECK(transfers[0].rowBytes == 4);
    CHECK(transfers[0].counts[0] == 70);  // pixels walk evenly over the rows' ends
    CHECK(transfers[0].sourceStrides[0] == 32);
    CHECK(transfers[0].destinationStrides[0] == 4);
}

TEST_CASE("elements that change places are rows of one element") {
    const auto transfers = makeTransfers({0, 0, 0, 0}, sramRef(0), {{6, 4, 20}, {5, 24, 4}}, 4);
    REQUIRE(transfers.size() == 1);
    CHECK(transfers[0].rowBytes == 4);
    CHECK(transfers[0].counts[0] == 6);
    CHECK(transfers[0].counts[1] == 5);
}

TEST_CASE("more than three uneven dimensions take several commands") {
    const auto transfers =
            makeTransfers({0, 0, 0, 0}, sramRef(0),
                          {{2, 1000, 1}, {3, 100, 2}, {4, 20, 6}, {5, 4, 24}, {2, 1, 1}}, 1);
    REQUIRE(transfers.size() == 2);
    CHECK(transfers[1].source.offset == 1000);
    CHECK(transfers[1].destination.offset == 1);
    CHECK(transfers[1].rowBytes == 2);
}

TEST_CASE("a row longer than the longest becomes rows of that length") {
    const CopyAxes image{{5, 30, 30}, {10, 3, 3}, {3, 1, 1}};  // 5 x 10 pixels of 3 bytes
    const auto pixels = makeTransfers({0, 0, 0, 5}, sramRef(64), image, 1, 3);
    REQUIRE(pixels.size() == 1);
    CHECK(pixels[0].rowBytes == 3);
    CHECK(pixels[0].counts[0] == 50);
    CHECK(pixels[0].sourceStrides[0] == 3);
    CHECK(pixels[0].destinationStrides[0] == 3);
    CHECK(makeTransfers({0, 0, 0, 5}, sramRef(64), image, 1, 4)[0].rowBytes == 150);  // no multiple
}

TEST_SUITE_END();

}  // namespace vnpu::driver
