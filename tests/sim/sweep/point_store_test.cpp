// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/point_store.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sim/base/error.h"

namespace {

using namespace vnpu::sim;
namespace fs = std::filesystem;

TEST_SUITE_BEGIN("sim/sweep/point_store");

TEST_CASE("stored answers are found, damaged ones are not") {
    const fs::path folder =
            fs::temp_directory_path() / fmt::format("vnpu_point_store_test_{}", getpid());
    fs::remove_all(folder);
    {
        const PointStore store(folder / "points");
        CHECK_FALSE(store.find("aa"));
        store.put("aa", {.figures = {{"antt", 2.5}}});
    }
    const PointStore store(folder / "points");  // another sweep, later
    const auto found = store.find("aa");
    REQUIRE(found);
    CHECK(found->figures[0].value == 2.5);
    fs::resize_file(folder / "points" / "aa.json", 10);
    CHECK_FALSE(store.find("aa"));
    std::ofstream(folder / "file") << "x";
    CHECK_THROWS_AS(PointStore(folder / "file" / "points"), InputError);
    fs::remove_all(folder);
}

TEST_SUITE_END();

}  // namespace
