// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/shape.h"

#include <doctest/doctest.h>

#include "driver/compiler/ir/window_reach.h"

namespace vnpu::driver {

TEST_SUITE_BEGIN("driver/compiler/ir/shape");

TEST_CASE("SAME padding puts the odd element at the end") {
    // 7 wide, window 4, stride 2: 4 outputs need 10, so 3 elements of padding
    const auto axis = walkWindow({7, 4, 2, 1, PaddingScheme::kSame});
    REQUIRE(axis.has_value());
    CHECK(axis->output == 4);
    CHECK(axis->padHead == 1);
}

TEST_CASE("VALID drops the elements that the window does not reach; dilation widens the window") {
    CHECK(walkWindow({10, 3, 2, 1, PaddingScheme::kValid})->output == 4);
    CHECK(walkWindow({10, 3, 2, 3, PaddingScheme::kValid})->output == 2);
}

TEST_CASE("explicit padding counts on both sides") {
    const auto axis = walkWindow({5, 3, 1, 1, PaddingScheme::kExplicit, 2, 1});
    REQUIRE(axis.has_value());
    CHECK(axis->output == 6);
    CHECK(axis->padHead == 2);
}

TEST_CASE("a window larger than the padded input is refused") {
    CHECK(!walkWindow({3, 5, 1, 1, PaddingScheme::kExplicit, 1, 0}).has_value());
    CHECK(walkWindow({3, 5, 1, 1, PaddingScheme::kExplicit, 1, 1}).has_value());
}

TEST_CASE("shapes broadcast from the last dimension") {
    const Shape a{4, 1, 3};
    const Shape b{5, 1};
    CHECK(*broadcast(a, b) == Shape{4, 5, 3});
    CHECK(!broadcast(Shape{2, 3}, Shape{2}).has_value());
}

TEST_CASE("an element count saturates instead of wrapping") {
    const Shape huge(5, 0xFFFFFFFF);
    CHECK(elementCount(huge) == UINT64_MAX);
    CHECK(elementCount(Shape{}) == 1);
}

TEST_CASE("a part of the output reads its clipped input with the padding left of it") {
    const WindowWalk walk{10, 2, 3, 1, 1};      // 10 rows, stride 2, 3 taps, one row of padding
    const Reach first = reachOf(walk, {0, 2});  // reads -1 .. 3
    CHECK(first.input.begin == 0);
    CHECK(first.input.count == 4);
    CHECK(first.pad == 1);
    const Reach last = reachOf(walk, {3, 2});  // reads 5 .. 9
    CHECK(last.input.begin == 5);
    CHECK(last.input.count == 5);
    CHECK(last.pad == 0);
}

TEST_CASE("a part that reads nothing but padding still has one input element") {
    const WindowWalk walk{4, 1, 2, 1, 5};
    const Reach before = reachOf(walk, {0, 2});  // reads -5 .. -3
    CHECK(before.input.begin == 0);
    CHECK(before.input.count == 1);
    CHECK(before.pad == 5);
    const Reach behind = reachOf({4, 1, 2, 1, 0}, {6, 1});  // reads 6 .. 7
    CHECK(behind.input.begin == 3);
    CHECK(behind.input.count == 1);
    CHECK(behind.pad == -3);
}

TEST_SUITE_END();

}  // namespace vnpu::driver
