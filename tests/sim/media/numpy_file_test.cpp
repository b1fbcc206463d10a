// SPDX-License-Identifier: Apache-2.0
#include "sim/media/numpy_file.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/sim/media/media_files.h"

namespace vnpu::test {
namespace {

using sim::InputError;
using sim::media::NumpyArray;
using sim::media::parseNumpy;

std::string refusalOf(const std::vector<std::byte>& file) {
    try {
        parseNumpy(file, "a.npy");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_SUITE_BEGIN("sim/media/numpy_file");

TEST_CASE("shape, type and values of an array") {
    const auto file =
            numpyFile("<i2", "(2, 3)", FileBytes().numbers({1, -2, 3, 4, 5, -32768}, 2).bytes());
    const NumpyArray array = parseNumpy(file, "a.npy");
    CHECK(array.kind == 'i');
    CHECK(array.shape == std::vector<std::uint64_t>{2, 3});
    CHECK(array.size() == 6);
    CHECK(array.valueAt(1) == -2.0);
    CHECK(array.valueAt(5) == -32768.0);
}

TEST_CASE("real numbers of 16, 32 and 64 bits; truths; a single number") {
    const auto half = numpyFile("<f2", "(1,)", FileBytes().number(0xC100, 2).bytes());
    CHECK(parseNumpy(half, "a.npy").valueAt(0) == -2.5);
    const auto single = numpyFile("<f4", "()", FileBytes().number(0x3FC00000, 4).bytes());
    CHECK(parseNumpy(single, "a.npy").valueAt(0) == 1.5);
    const auto twice = numpyFile("<f8", "(1,)", FileBytes().number(0x4000000000000000, 8).bytes());
    CHECK(parseNumpy(twice, "a.npy").valueAt(0) == 2.0);
    const auto truth = numpyFile("|b1", "(2,)", FileBytes().numbers({0, 1}, 1).bytes());
    CHECK(parseNumpy(truth, "a.npy").valueAt(1) == 1.0);
}

TEST_CASE("what is not exactly an array is refused with its place [E-5]") {
    const auto data = FileBytes().number(1, 4).bytes();
    CHECK(refusalOf(numpyFile("<f4", "(1,)", data)).empty());
    CHECK(refusalOf(numpyFile(">f4", "(1,)", data)).starts_with("a.npy: NPY: the type '>f4'"));
    CHECK(refusalOf(numpyFile("<f4", "(2,)", data)) == "a.npy: NPY: 4 bytes of data, expected 8");
    CHECK(refusalOf(numpyFile("<f4", "(x,)", data)) ==
          "a.npy: NPY: the shape, expected up to 32 numbers");
    CHECK(refusalOf(numpyFile("<f4", "(4294967296, 4294967296, 4)", data)) ==
          "a.npy: NPY: the shape has too many elements");
    CHECK(refusalOf(numpyFile("<f4", "(1,), 'shape': (1,)", data)).find("once each") !=
          std::string::npos);
    CHECK(refusalOf(FileBytes().text("\x93NUMPY").number(4, 1).number(0, 1).number(0, 4).bytes())
                  .find("format version 4.0") != std::string::npos);
    CHECK(refusalOf(FileBytes().text("\x93NUMPY").number(1, 1).number(0, 1).number(999, 4).bytes())
                  .find("a header of 999 bytes") != std::string::npos);
    CHECK(refusalOf({}) == "a.npy: NPY: not an array file");
}

TEST_SUITE_END();

}  // namespace vnpu::test
