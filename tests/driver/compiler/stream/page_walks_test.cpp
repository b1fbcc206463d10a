// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/stream/page_walks.h"

#include <doctest/doctest.h>

#include <vector>

#include "driver/compiler/emit/transfer.h"
#include "hw_model/regs/page_table.h"

namespace vnpu::driver {
namespace {

constexpr std::uint64_t kSmall = hw::kPageBytes;
constexpr std::uint64_t kLarge = hw::kLargePageBytes;

/// Rows from a region to SRAM.
ListedCommand load(std::uint16_t region, std::uint64_t offset, std::uint32_t rowBytes,
                   std::uint32_t rows = 1, std::uint32_t stride = 0) {
    hw::DmaTransfer work{};
    work.source = {region, 0, 0, offset};
    work.destination = sramRef(0);
    work.rowBytes = rowBytes;
    work.counts[0] = work.counts[1] = 1;
    work.counts[2] = rows;
    work.sourceStrides[2] = stride;
    work.destinationStrides[2] = rowBytes;
    ListedCommand command;
    command.engine = hw::Engine::kDma0;
    command.payload = work;
    return command;
}

std::vector<std::uint64_t> walksOf(const std::vector<ListedCommand>& commands) {
    PageWalks walks(commands);
    std::vector<std::uint64_t> counts;
    counts.reserve(commands.size());
    for (const ListedCommand& command : commands) {
        counts.push_back(walks.walksOf(command));
    }
    return counts;
}

using Counts = std::vector<std::uint64_t>;

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/stream/page_walks");

TEST_CASE("a job whose pages fit the TLB walks for none of them [E-3]") {
    const std::vector<ListedCommand> fits = {load(0, 0, 60 * kLarge), load(1, 0, 4 * kSmall)};
    CHECK(walksOf(fits) == Counts{0, 0});
    const std::vector<ListedCommand> exceeds = {load(0, 0, 60 * kLarge), load(1, 0, 5 * kSmall)};
    CHECK(walksOf(exceeds) == Counts{60, 5});
}

TEST_CASE("only the first touch of a page is a walk [E-3]") {
    const std::vector<ListedCommand> commands = {load(0, 0, 100 * kLarge), load(0, 0, 100 * kLarge),
                                                 load(0, 7, 1)};
    CHECK(walksOf(commands) == Counts{100, 0, 0});
}

TEST_CASE("a region has small pages behind its last whole large one [E-3]") {
    const std::vector<ListedCommand> commands = {
            load(0, 0, kLarge),        // the first of 100 large pages
            load(0, kLarge - 1, 2),    // and the next
            load(0, 100 * kLarge, 1),  // the first of three small ones
            load(0, 100 * kLarge, 3 * kSmall),
            load(1, 0, 3 * kSmall),  // a region without large pages
            load(0, 2 * kLarge, 1)};
    CHECK(walksOf(commands) == Counts{1, 1, 1, 2, 3, 1});
}

TEST_CASE("rows far apart touch the pages that they lie in, not those between [E-3]") {
    const std::vector<ListedCommand> commands = {
            load(0, 0, 64, 10, 3 * kLarge),     // every third page
            load(0, 0, 64, 1000, 64 + kSmall),  // 4,155,904 bytes: 63 large pages and 7 small ones
            load(1, 0, 65 * kLarge)};
    CHECK(walksOf(commands) == Counts{10, 63 + 7 - 10, 65});
}

TEST_CASE("stores and fills touch pages, computations and SRAM do not [E-3]") {
    std::vector<ListedCommand> commands = {load(0, 0, 65 * kLarge)};
    hw::DmaTransfer store{};
    store.source = sramRef(0);
    store.destination = {1, 0, 0, 0};
    store.rowBytes = 2 * kSmall;
    store.counts[0] = store.counts[1] = store.counts[2] = 1;
    hw::DmaFill fill{};
    fill.destination = {2, 0, 0, 0};
    fill.rowBytes = 3 * kSmall;
    fill.counts[0] = fill.counts[1] = fill.counts[2] = 1;
    hw::DmaFill onChip = fill;
    onChip.destination = sramRef(0);
    for (const Payload& payload : {Payload(store), Payload(fill), Payload(onChip),
                                   Payload(hw::VecUnary{}), Payload(ControlCommand{})}) {
        commands.emplace_back().payload = payload;
    }
    CHECK(walksOf(commands) == Counts{65, 2, 3, 0, 0, 0});
}

TEST_SUITE_END();

}  // namespace vnpu::driver
