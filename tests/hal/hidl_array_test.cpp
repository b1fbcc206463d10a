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

TEST_CASE("is zero when value-initialized") {
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

TEST_CASE("has rows where there are more dimensions") {
    using Table = hidl_array<int, 2, 3>;
    static_assert(sizeof(Table) == 6 * sizeof(int));
    static_assert(Table::elementCount() == 6);
    static_assert(std::get<0>(Table::size()) == 2 && std::get<1>(Table::size()) == 3);
    const int source[] = {1, 2, 3, 4, 5, 6};
    Table table(source);
    CHECK(table[1][0] == 4);
    table[0][2] = 9;
    CHECK(table.data()[2] == 9);
    table[1] = std::array<int, 3>{7, 8, 9};
    const Table copy = table;
    CHECK(copy[1].data() == copy.data() + 3);
    CHECK((copy[1][2] == 9 && copy == table && copy != Table(source)));
    CHECK(std::array<int, 3>(copy[0]) == std::array<int, 3>{1, 2, 9});
}

TEST_CASE("goes to standard arrays of arrays and back") {
    using Cube = hidl_array<int, 2, 1, 2>;
    const Cube::std_array_type nested{{{{{1, 2}}}, {{{3, 4}}}}};
    const Cube cube(nested);
    CHECK(cube[1][0][1] == 4);
    CHECK(Cube::std_array_type(cube) == nested);
}

TEST_CASE("shows its dimensions and elements") {
    using android::hardware::toString;
    CHECK(toString(hidl_array<int, 3>(std::array<int, 3>{1, 2, 3})) == "[3]{1, 2, 3}");
    const int source[] = {1, 2, 3, 4};
    CHECK(toString(hidl_array<int, 2, 2>(source)) == "[2][2]{{1, 2}, {3, 4}}");
}

TEST_SUITE_END();

}  // namespace
