// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/operators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace vnpu::sim::tflite;

TEST_SUITE_BEGIN("sim/import/tflite_operators");

TEST_CASE("every code of the format has one row, in the order of the codes") {
    const auto rows = allRows();
    CHECK(rows.size() == 210);  // source: TensorFlow Lite schema of 2.17, 0 to 209
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i]->code == static_cast<std::int32_t>(i));
    }
    CHECK(operatorName(3) == "CONV_2D");
    CHECK(operatorName(400) == "operator code 400");
}

TEST_CASE("a row has a function or a reason, and 110 or more are not refused") {
    int imported = 0;
    std::set<std::string_view> names;
    for (const Row* row : allRows()) {
        CHECK_MESSAGE((row->import != nullptr) == (row->status != Status::kRefused), row->name);
        CHECK_FALSE(row->how.empty());
        CHECK(names.insert(row->name).second);
        imported += row->import != nullptr ? 1 : 0;
    }
    CHECK(imported >= 110);
}

TEST_SUITE_END();
