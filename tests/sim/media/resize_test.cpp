// SPDX-License-Identifier: Apache-2.0
#include "sim/media/resize.h"

#include <doctest/doctest.h>

namespace vnpu::test {
namespace {

using sim::media::Fit;
using sim::media::Plane;
using sim::media::resize;
using sim::media::toChannels;
using Values = std::vector<float>;

}  // namespace

TEST_SUITE_BEGIN("sim/media/resize");

TEST_CASE("twice the width: pixel centers lie at quarters, the edges repeat") {
    // places -0.25, 0.25, 0.75, 1.25 of the pixels 0 and 8
    const Plane wide = resize({2, 1, 1, {0.0F, 8.0F}}, 4, 1, Fit::kStretch);
    CHECK(wide.values == Values{0.0F, 2.0F, 6.0F, 8.0F});
}

TEST_CASE("half the extent: the mean of the four pixels around the center") {
    const Plane small = resize({2, 2, 1, {1.0F, 3.0F, 5.0F, 11.0F}}, 1, 1, Fit::kStretch);
    CHECK(small.values == Values{5.0F});
}

TEST_CASE("a third of the width: no filter, only the pixel at the center") {
    const Plane small = resize({3, 1, 1, {100.0F, 7.0F, 100.0F}}, 1, 1, Fit::kStretch);
    CHECK(small.values == Values{7.0F});
}

TEST_CASE("a crop keeps the aspect ratio and the middle") {
    // the middle 2 of 4 columns, then their mean
    const Plane cropped = resize({4, 2, 1, {9, 1, 3, 9, 9, 5, 7, 9}}, 1, 1, Fit::kCrop);
    CHECK(cropped.values == Values{4.0F});
    const Plane stretched = resize({4, 2, 1, {9, 1, 3, 9, 9, 5, 7, 9}}, 2, 2, Fit::kStretch);
    CHECK(stretched.values == Values{5.0F, 6.0F, 7.0F, 8.0F});
}

TEST_CASE("channels are interleaved and independent") {
    const Plane wide = resize({2, 1, 2, {0.0F, 10.0F, 8.0F, 10.0F}}, 1, 1, Fit::kStretch);
    CHECK(wide.values == Values{4.0F, 10.0F});
}

TEST_CASE("gray from RGB weighs the channels, RGB from gray repeats, alpha is dropped or full") {
    CHECK(toChannels({1, 1, 3, {200, 100, 50}}, 1).values[0] == doctest::Approx(124.2));
    CHECK(toChannels({1, 1, 1, {7}}, 3).values == Values{7, 7, 7});
    CHECK(toChannels({1, 1, 4, {1, 2, 3, 4}}, 3).values == Values{1, 2, 3});
    CHECK(toChannels({1, 1, 2, {1, 4}}, 4).values == Values{1, 1, 1, 4});
    CHECK(toChannels({1, 1, 3, {1, 2, 3}}, 4).values == Values{1, 2, 3, 255});
    CHECK(toChannels({1, 1, 2, {9, 4}}, 1).values == Values{9});
}

TEST_SUITE_END();

}  // namespace vnpu::test
