// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/dma_rows.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using vnpu::hw::DmaPiece;
using vnpu::hw::DmaRows;

namespace {

std::vector<std::pair<std::uint64_t, std::uint64_t>> piecesOf(const DmaRows& rows) {
    std::vector<DmaPiece> pieces;
    listRows(rows, pieces);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> result;
    forEachRow(pieces, [&](std::uint64_t address, std::uint64_t bytes) {
        result.emplace_back(address, bytes);
        return true;
    });
    return result;
}

using Pieces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

}  // namespace

TEST_SUITE_BEGIN("hw_model/blocks/dma_rows");

TEST_CASE("touching rows become one piece [E-2]") {
    CHECK(piecesOf(DmaRows(100, 8, {2, 3, 4}, {96, 32, 8})) == Pieces{{100, 192}});
}

TEST_CASE("the first index is the slowest [E-2]") {
    CHECK(piecesOf(DmaRows(0, 4, {2, 1, 2}, {100, 0, 10})) ==
          Pieces{{0, 4}, {10, 4}, {100, 4}, {110, 4}});
}

TEST_CASE("repeated and overlapping rows keep all their bytes [E-2]") {
    CHECK(piecesOf(DmaRows(0, 4, {1, 1, 3}, {0, 0, 0})) == Pieces{{0, 4}, {0, 4}, {0, 4}});
    CHECK(piecesOf(DmaRows(0, 4, {1, 1, 2}, {0, 0, 2})) == Pieces{{0, 4}, {2, 4}});
}

TEST_CASE("the end is one past the last byte and saturates [E-1]") {
    CHECK(DmaRows(10, 4, {2, 1, 3}, {100, 0, 20}).end() == 10 + 100 + 40 + 4);
    CHECK(DmaRows(~0ULL - 5, 100, {1, 1, 1}, {0, 0, 0}).end() == ~0ULL);
    CHECK(DmaRows(1ULL << 63, 4, {0xFFFFFFFF, 0xFFFFFFFF, 1}, {0xFFFFFFFF, 0xFFFFFFFF, 0}).end() ==
          ~0ULL);
}

TEST_SUITE_END();
