// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/reference_table.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "tests/sim/base/input_error.h"

namespace {

using vnpu::sim::ReferenceTable;
using vnpu::sim::test::inputErrorOf;

TEST_SUITE_BEGIN("sim/validate/reference_table");

TEST_CASE("fields are found by row and column, with either line end [E-3]") {
    const auto table = ReferenceTable::parse("a,b,c\n1,,x y\r\n\n20,z,-\n", "t.csv");
    CHECK(table.rows() == 2);
    CHECK(table.integer(0, "a") == 1);
    CHECK(table.text(0, "b").empty());
    CHECK(table.text(0, "c") == "x y");
    CHECK(table.integer(1, "a") == 20);
}

TEST_CASE("a row of another length is reported with its line [E-3]") {
    CHECK(inputErrorOf([] { ReferenceTable::parse("a,b\n1,2\n\n1,2,3\n", "t.csv"); }) ==
          "t.csv:4: 3 fields, expected 2");
}

TEST_CASE("a table without rows is refused [E-3]") {
    for (const char* text : {"", "a,b\n", "a,b"}) {
        CHECK(inputErrorOf([&] { ReferenceTable::parse(text, "t.csv"); }) ==
              "t.csv:1: no rows, expected a header and rows");
    }
}

TEST_CASE("a missing column is reported with the existing ones [E-3]") {
    const auto table = ReferenceTable::parse("a,b\n1,2\n", "t.csv");
    CHECK(inputErrorOf([&] { static_cast<void>(table.integer(0, "cycles")); }) ==
          "t.csv:1: no column cycles, expected it among a, b");
}

TEST_CASE("an invalid integer is reported with its line [E-3]") {
    for (const std::string field : {"", "x", "1.5", "-1", "1 ", "99999999999999999999"}) {
        const auto table = ReferenceTable::parse("a,b\n1," + field + "\n", "t.csv");
        CHECK(inputErrorOf([&] { static_cast<void>(table.integer(0, "b")); }) ==
              "t.csv:2: b is \"" + field + "\", expected an integer");
    }
}

TEST_CASE("an unreadable file is refused [E-3]") {
    CHECK(inputErrorOf([] { ReferenceTable::load("no/such.csv"); }) ==
          "no/such.csv: can't be read");
}

TEST_SUITE_END();

}  // namespace
