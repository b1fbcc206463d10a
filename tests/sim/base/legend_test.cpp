// SPDX-License-Identifier: Apache-2.0
#include "sim/base/legend.h"

#include <doctest/doctest.h>

#include <sstream>

namespace {

using vnpu::sim::kTextColumns;
using vnpu::sim::legendText;
using vnpu::sim::wrapped;
using Lines = std::vector<std::string>;

TEST_SUITE_BEGIN("sim/base/legend");

TEST_CASE("lines end between words, and a line may be exactly full") {
    CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
    CHECK(wrapped("one two three", 6) == Lines{"one", "two", "three"});
    CHECK(wrapped("a  b", 4) == Lines{"a  b"});
    CHECK(wrapped("a  b c", 4) == Lines{"a b", "c"});
    CHECK(wrapped("", 9) == Lines{""});
}

TEST_CASE("a word that is too long has a line of its own") {
    CHECK(wrapped("a extraordinary b", 5) == Lines{"a", "extraordinary", "b"});
}

TEST_CASE("line feeds and the blanks behind them stay") {
    CHECK(wrapped("Rungs:\n  one two\n", 8) == Lines{"Rungs:", "  one", "two", ""});
}

TEST_CASE("meanings stand below each other within the columns of the text") {
    CHECK(legendText({{"ab", "first"}, {"c", "second"}}, 2) == "  ab  first\n  c   second\n");
    std::string meaning;
    for (int i = 0; i < 60; ++i) {
        meaning += "word ";
    }
    std::istringstream lines(legendText({{"name", meaning}}, 2));
    std::string line;
    int count = 0;
    while (std::getline(lines, line)) {
        CHECK(line.size() <= kTextColumns);
        CHECK(line.substr(0, 8) == (count++ == 0 ? "  name  " : "        "));
    }
    // Of the 120 columns 8 are the name's; 22 words with their blanks have 109 characters.
    CHECK(count == 3);
}

TEST_SUITE_END();

}  // namespace
