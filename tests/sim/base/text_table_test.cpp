// SPDX-License-Identifier: Apache-2.0
#include "sim/base/text_table.h"

#include <doctest/doctest.h>

namespace {

using vnpu::sim::csvLine;
using vnpu::sim::TextTable;

TEST_SUITE_BEGIN("sim/base/text_table");

TEST_CASE("columns are aligned to their widest cell [E-6]") {
    TextTable table;
    table.addColumn("name", TextTable::Align::kLeft);
    table.addColumn("ms");
    table.addRow({"a", "10.5"});
    table.addRow({"longer", "1"});
    CHECK(table.text(1) ==
          " name      ms\n"
          " ------  ----\n"
          " a       10.5\n"
          " longer     1\n");
}

TEST_CASE("lines have no trailing blanks [E-6]") {
    TextTable table;
    table.addColumn("name", TextTable::Align::kLeft);
    table.addRow({""});
    CHECK(table.text() == "name\n----\n\n");
}

TEST_CASE("CSV cells are quoted if necessary [E-6]") {
    CHECK(csvLine({"plain", "a,b", "say \"hi\"", ""}) == "plain,\"a,b\",\"say \"\"hi\"\"\",\n");
}

TEST_SUITE_END();

}  // namespace
