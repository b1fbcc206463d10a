// SPDX-License-Identifier: Apache-2.0
#include "sim/config/strict_toml.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"

namespace {

using vnpu::sim::didYouMean;
using vnpu::sim::InputError;
using vnpu::sim::nearestWord;
using vnpu::sim::parseToml;
using vnpu::sim::StrictTable;

TEST_SUITE_BEGIN("sim/config/strict_toml");

TEST_CASE("the nearest word is found for a typing mistake") {
    CHECK(nearestWord("colums", {"rows", "columns"}) == "columns");
    CHECK(nearestWord("Rows", {"rows", "columns"}) == "rows");
    CHECK(nearestWord("mca", {"dma", "mac"}) == "mac");  // two neighbors swapped
}

TEST_CASE("nothing is suggested for a word unlike all others") {
    CHECK(nearestWord("temperature", {"rows", "columns"}).empty());
    CHECK(didYouMean("temperature", {"rows", "columns"}).empty());
}

TEST_CASE("an absent key leaves the value unchanged") {
    const auto root = parseToml("a = 1\n", "f.toml");
    const std::string file = "f.toml";
    StrictTable table(root, file, "");
    std::uint32_t value = 7;
    CHECK_FALSE(table.read("b", value));
    CHECK(value == 7);
    CHECK(table.read("a", value));
    CHECK(value == 1);
}

TEST_CASE("the first unknown key in the file is named") {
    const auto root = parseToml("zeta = 1\nalpha = 2\n", "f.toml");
    const std::string file = "f.toml";
    const StrictTable table(root, file, "part.");
    CHECK_THROWS_WITH_AS(table.finish(), "f.toml:1: unknown key part.zeta, expected one of ",
                         InputError);
}

TEST_CASE("an integer is accepted as a decimal number") {
    const auto root = parseToml("a = 3\n", "f.toml");
    const std::string file = "f.toml";
    StrictTable table(root, file, "");
    double value = 0.0;
    CHECK(table.read("a", value));
    CHECK(value == 3.0);
}

TEST_CASE("an array of tables is distinguished from other values") {
    const auto root = parseToml("a = 3\n[[b]]\nc = 1\n", "f.toml");
    const std::string file = "f.toml";
    StrictTable table(root, file, "");
    CHECK(table.tableArray("b") != nullptr);
    CHECK(table.tableArray("d") == nullptr);
    CHECK_THROWS_WITH_AS(table.tableArray("a"), "f.toml:1: a is an integer, expected [[a]] tables",
                         InputError);
}

TEST_SUITE_END();

}  // namespace
