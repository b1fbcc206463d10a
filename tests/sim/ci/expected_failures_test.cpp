// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/expected_failures.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.h"

using vnpu::sim::CaseName;
using vnpu::sim::ExpectedFailures;
using vnpu::sim::InputError;

TEST_SUITE_BEGIN("sim/ci/expected_failures");

TEST_CASE("each line is an expression; comments and blank lines are none") {
    ExpectedFailures list(
            "# known differences\n"
            "\n"
            "^conv_[0-9]+$   # rounding\n"
            "  a#b\t# not a comment within a word\r\n",
            "known.txt");
    CHECK(list.placeOf({.name = "conv_17"}) == "known.txt:3");
    CHECK(list.placeOf({.name = "conv_17b"}).empty());
    CHECK(list.placeOf({.name = "xa#by"}) == "known.txt:4");
}

TEST_CASE("an expression is found in the name, or in the name with the suite") {
    ExpectedFailures list("add \\(async\n", "known.txt");
    CHECK(list.placeOf({.suite = "sync", .name = "add"}).empty());
    CHECK(list.placeOf({.suite = "async", .name = "add"}) == "known.txt:1");
}

TEST_CASE("patterns that fitted nothing are told with their place") {
    ExpectedFailures list("one\ntwo\nthree\n", "known.txt");
    list.placeOf({.name = "two"});
    CHECK(list.unused() == std::vector<std::string>{"known.txt:1: one", "known.txt:3: three"});
}

TEST_CASE("a malformed expression is an input error that names the line") {
    try {
        const ExpectedFailures list("fine\na(\n", "known.txt");
        FAIL("expected an error");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("known.txt:2") != std::string::npos);
    }
}

TEST_CASE("a missing file is an input error") {
    CHECK_THROWS_AS(ExpectedFailures::load("/nowhere/known.txt"), InputError);
}

TEST_SUITE_END();
