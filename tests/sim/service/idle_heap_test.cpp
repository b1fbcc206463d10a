// SPDX-License-Identifier: Apache-2.0
#include "sim/service/idle_heap.h"

#include <doctest/doctest.h>

namespace vnpu::sim {
namespace {

using namespace std::chrono_literals;

TEST_SUITE_BEGIN("sim/service/idle_heap");

TEST_CASE("memory is given back once after each period of work [E-5]") {
    IdleHeap heap;
    CHECK_FALSE(heap.look(800ms));
    CHECK_FALSE(heap.look(1600ms));
    CHECK(heap.look(1605ms));  // 5 ms of a second: idle
    CHECK_FALSE(heap.look(1605ms));
    CHECK_FALSE(heap.look(1605ms));
    CHECK_FALSE(heap.look(1700ms));
    CHECK(heap.look(1701ms));
}

TEST_CASE("a short work during a second counts, looking on does not [E-5]") {
    IdleHeap heap;
    CHECK(heap.look(5ms));
    CHECK_FALSE(heap.look(5ms + 100us));
    CHECK(heap.look(8ms));  // the release of a model
    CHECK_FALSE(heap.look(8ms + 100us));
}

TEST_SUITE_END();

}  // namespace
}  // namespace vnpu::sim
