// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/csv_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/text_table.h"

using vnpu::sim::csvCells;
using vnpu::sim::CsvTable;
using vnpu::sim::InputError;
using Cells = std::vector<std::vector<std::string>>;

TEST_SUITE_BEGIN("sim/compare/csv_text");

TEST_CASE("cells are separated by commas and lines, with and without CR [RFC 4180, 2]") {
    CHECK(csvCells("a,b\n1,2\r\n,\n", "f") == Cells{{"a", "b"}, {"1", "2"}, {"", ""}});
    CHECK(csvCells("a\n\nb", "f") == Cells{{"a"}, {"b"}});
    CHECK(csvCells("", "f").empty());
}

TEST_CASE("quoted cells hold commas, lines and doubled quotes [RFC 4180, 2]") {
    CHECK(csvCells("\"a,b\",\"c\nd\",\"e\"\"f\",\"\"\n", "f") ==
          Cells{{"a,b", "c\nd", "e\"f", ""}});
}

TEST_CASE("what csvLine writes is read back") {
    const std::vector<std::string> cells = {"a,b", "\"", "x\ny", "plain", ""};
    CHECK(csvCells(vnpu::sim::csvLine(cells), "f") == Cells{cells});
}

TEST_CASE("mistakes are input errors") {
    CHECK_THROWS_AS(csvCells("a\n\"b\nc", "f"), InputError);
    CHECK_THROWS_AS(CsvTable("", "f"), InputError);
    CHECK_THROWS_AS(CsvTable("a,b\n1\n", "f"), InputError);
    const CsvTable table("a,b\n1,2\n", "f");
    CHECK(table.at(0, "b") == "2");
    CHECK_THROWS_AS(table.at(0, "c"), InputError);
}

TEST_SUITE_END();
