// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <hidl/HidlSupport.h>

#include <algorithm>
#include <array>
#include <new>

namespace {

using android::hardware::hidl_array;

TEST_SUITE_BEGIN("hal/hidl_array");

TEST_CASE("is nothing but its elements") {
    static_assert(sizeof(hidl_array<uint8_t, 32>) == 32);
    static_assert(hidl_array<uint8_t, 32>::size() == 32);
    static_assert(hidl_array<uint8_t, 32>::elementCount() == 32);
}

TEST_CASE("is zero when value-initialised") {
    alignas(uint8_t) unsigned char storage[32];
    std::fill_n(storage, sizeof(storage), static_cast<unsigned char>(0xAA));
    const auto* token = new (static_cast<void*>(storage)) hidl_array<uint8_t, 32>();
    CHECK(std::all_of(token->data(), token->data() + 32, [](uint8_t byte) { return byte == 0; }));
}

TEST_CASE("copies from arrays and compares element by element") {
    uint8_t source[4] = {1, 2, 3, 4};
    hidl_array<uint8_t, 4> array(source);
    CHECK(array[3] == 4);
    CHECK(array == hidl_array<uint8_t, 4>(std::array<uint8_t, 4>{1, 2, 3, 4}));
    array[0] = 9;
    CHECK(array != hidl_array<uint8_t, 4>(source));
    CHECK(std::array<uint8_t, 4>(array)[0] == 9);
}

TEST_SUITE_END();

}  // namespace
