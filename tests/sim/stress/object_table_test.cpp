// SPDX-License-Identifier: Apache-2.0
#include "sim/stress/object_table.h"

#include <doctest/doctest.h>

#include <memory>

using vnpu::sim::ObjectTable;

TEST_SUITE_BEGIN("sim/stress/object_table");

TEST_CASE("a place returns the stored object, and the previous one when replaced [MD-7]") {
    ObjectTable<std::shared_ptr<int>, 3> table;
    CHECK(table.size() == 3);
    CHECK(table.get(2) == nullptr);
    const auto first = std::make_shared<int>(1);
    CHECK(table.exchange(2, first) == nullptr);
    CHECK(table.get(2) == first);
    CHECK(table.get(1) == nullptr);
    CHECK(table.exchange(2, nullptr) == first);
    CHECK(first.use_count() == 1);
}

TEST_SUITE_END();
