// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/workspace.h"

#include <doctest/doctest.h>

#include <array>
#include <set>

namespace vnpu::driver {
namespace {

Workspace workspace(std::vector<Span64> free) {
    Workspace result;
    result.free = std::move(free);
    result.bankBytes = 1024;
    return result;
}

SlotSet slots(std::uint32_t count, std::uint64_t bytes) {
    SlotSet set;
    set.slots = count;
    set.slotBytes = bytes;
    return set;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/plan/workspace");

TEST_CASE("buffers get separate banks while there are enough") {
    SlotSet a = slots(2, 500);
    SlotSet b = slots(2, 900);
    const std::array<SlotSet*, 2> sets{&a, &b};
    REQUIRE(workspace({{0, 4096}}).place(sets));
    std::set<std::uint32_t> banks;
    for (const SlotSet* set : sets) {
        for (const std::uint32_t address : set->addresses) {
            banks.insert(address / 1024);
        }
    }
    CHECK(banks.size() == 4);
}

TEST_CASE("buffers are packed if there are too few banks") {
    SlotSet a = slots(2, 1000);
    SlotSet b = slots(1, 1100);
    const std::array<SlotSet*, 2> sets{&a, &b};
    const Workspace tight = workspace({{0, 1152}, {2048, 4096}});
    REQUIRE(tight.place(sets));
    CHECK(b.addresses[0] == 0);
    CHECK(a.addresses[0] == 2048);
    CHECK(a.addresses[1] == 2048 + 1024);
}

TEST_CASE(
        "a buffer that does not fit contiguously is refused, even if the sum of the gaps would "
        "do") {
    SlotSet a = slots(1, 2000);
    const std::array<SlotSet*, 1> sets{&a};
    CHECK(!workspace({{0, 1500}, {2000, 3500}}).place(sets));
}

TEST_CASE("the high side leaves the low end free") {
    SlotSet a = slots(1, 64);
    const std::array<SlotSet*, 1> sets{&a};
    Workspace high = workspace({{0, 4096}});
    high.side = Side::kHigh;
    REQUIRE(high.place(sets));
    CHECK(a.addresses[0] >= 3072);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
