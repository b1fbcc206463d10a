// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/trace_file.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.h"
#include "tests/sim/base/input_error.h"

namespace {

using vnpu::sim::InputError;
using vnpu::sim::loadTrace;
using vnpu::sim::parseTrace;

std::string traceError(const std::string& text) {
    return vnpu::sim::test::inputErrorOf([&] { parseTrace(text, "t.txt"); });
}

TEST_SUITE_BEGIN("sim/scenario/trace_file");

TEST_CASE("one time per line is read, without comments, blanks and empty lines") {
    const auto times = parseTrace("# a camera\n0 ms\n\n  1.5 ms  # late\r\n1.5 ms\n2 s", "t.txt");
    CHECK(times == std::vector<std::uint64_t>{0, 1'500'000, 1'500'000, 2'000'000'000});
}

TEST_CASE("an invalid time is reported with its line") {
    CHECK(traceError("1 ms\n2ms\n").find("t.txt:2: \"2ms\", expected a duration") == 0);
}

TEST_CASE("a time before the previous one is refused") {
    CHECK(traceError("2 ms\n# here\n1 ms\n") ==
          "t.txt:3: \"1 ms\" is before the time above it, expected rising times");
}

TEST_CASE("a trace without times is refused") {
    CHECK(traceError("") == "t.txt:1: no time, expected one a line");
    CHECK(traceError("# nothing\n\n") == "t.txt:1: no time, expected one a line");
}

TEST_CASE("more than a million times are refused") {
    std::string text;
    for (int i = 0; i < 1'000'001; ++i) {
        text += "1 s\n";
    }
    CHECK(traceError(text) == "t.txt:1000001: more than 1000000 times, expected no more");
}

TEST_CASE("an unreadable file is refused") {
    CHECK_THROWS_WITH_AS(loadTrace("/nowhere/t.txt"),
                         "/nowhere/t.txt can't be read, expected a file with one time a line",
                         InputError);
}

TEST_SUITE_END();

}  // namespace
