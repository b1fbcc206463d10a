// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/memory/walk_cache.h"

#include <doctest/doctest.h>

namespace vnpu::test {

TEST_SUITE_BEGIN("hw_model/blocks/walk_cache");

TEST_CASE("a line holds its neighbors, and the least recently used one leaves [E-3]") {
    hw::WalkCache cache(2, 64);
    CHECK_FALSE(cache.take(0));
    CHECK(cache.take(63));
    CHECK_FALSE(cache.take(64));
    CHECK(cache.take(0));  // now line 1 is the older one
    CHECK_FALSE(cache.take(128));
    CHECK(cache.take(8));
    CHECK_FALSE(cache.take(64));
    cache.dropAll();
    CHECK_FALSE(cache.take(64));
}

TEST_SUITE_END();

}  // namespace vnpu::test
