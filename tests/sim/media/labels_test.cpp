// SPDX-License-Identifier: Apache-2.0
#include "sim/media/labels.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

namespace vnpu::test {

using sim::media::labelOf;
using sim::media::Labels;
using sim::media::parseLabels;

TEST_SUITE_BEGIN("sim/media/labels");

TEST_CASE("one label per line, of either kind of line end") {
    CHECK(parseLabels("cat\ndog\n\nhot dog\r\n\n") == Labels{"cat", "dog", "", "hot dog"});
    CHECK(parseLabels("").empty());
}

TEST_CASE("a class without a label is its number") {
    const Labels labels = {"cat", ""};
    CHECK(labelOf(labels, 0) == "cat");
    CHECK(labelOf(labels, 1) == "1");
    CHECK(labelOf(labels, 7) == "7");
}

TEST_CASE("a file that is not there is refused [E-5]") {
    CHECK_THROWS_AS(sim::media::readLabels("/nowhere/labels.txt"), sim::InputError);
}

TEST_SUITE_END();

}  // namespace vnpu::test
