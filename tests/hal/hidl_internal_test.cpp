// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/HidlInternal.h>

#include "tests/hal/test_support.h"

namespace {

using android::hardware::details::check;
using android::hardware::details::hidl_pointer;
using android::hardware::details::logAlwaysFatal;
using vnpu::hal::test::aborts;

TEST_SUITE_BEGIN("hal/hidl_internal");

TEST_CASE("a pointer has eight bytes and is null by default") {
    static_assert(sizeof(hidl_pointer<int>) == 8 && alignof(hidl_pointer<int>) == 8);
    int target = 3;
    hidl_pointer<int> pointer;
    CHECK(static_cast<int*>(pointer) == nullptr);
    pointer = &target;
    CHECK(*pointer == 3);
    pointer = nullptr;
    CHECK(static_cast<int*>(pointer) == nullptr);
}

TEST_CASE("a condition that does not hold ends the process") {
    check(true);
    check(true, "holds");
    CHECK(aborts([] { check(false); }));
    CHECK(aborts([] { check(false, "does not hold"); }));
    CHECK(aborts([] { logAlwaysFatal("over"); }));
}

TEST_SUITE_END();

}  // namespace
