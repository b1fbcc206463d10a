// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep/point_store.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/base/error.h"
#include "tests/support/program.h"

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
    CHECK(store.list() == std::set<std::string>{"aa"});
    fs::resize_file(folder / "points" / "aa" / "aa.json", 10);
    CHECK_FALSE(store.find("aa"));
    std::ofstream(folder / "file") << "x";
    CHECK_THROWS_AS(PointStore(folder / "file" / "points"), InputError);
    fs::remove_all(folder);
}

TEST_CASE("a failure is no answer, and is forgotten once there is one") {
    const vnpu::test::TemporaryFolder folder;
    const PointStore store(folder / "points");
    CHECK_FALSE(store.findFailure("abcd"));
    store.putFailure("abcd", "ended by signal 9: \xff");
    CHECK(store.findFailure("abcd") == "ended by signal 9: \xff");
    CHECK_FALSE(store.find("abcd"));
    CHECK(store.list().empty());
    store.put("abcd", {.figures = {{"antt", 2.5}}});
    CHECK(store.find("abcd"));
    CHECK_FALSE(store.findFailure("abcd"));
}

TEST_CASE(
        "several processes may store the same answer at the same time, and readers see it whole") {
    constexpr int kTimes = 20;
    const vnpu::test::TemporaryFolder folder;
    const PointStore store(folder / "points");
    WorkerAnswer answer;
    for (int i = 0; i < 2000; ++i) {
        answer.figures.push_back({fmt::format("figure{}", i), 1.0 / (i + 1)});
    }
    store.put("abcd", answer);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < kTimes; ++i) {
            store.put("abcd", answer);
        }
        _exit(0);
    }
    for (int i = 0; i < kTimes; ++i) {
        store.put("abcd", answer);
        const auto found = store.find("abcd");
        REQUIRE(found);
        CHECK(found->figures.size() == 2000);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(store.list() == std::set<std::string>{"abcd"});
    CHECK(std::distance(fs::directory_iterator(folder / "points" / "ab"),
                        fs::directory_iterator()) == 1);  // no other file remains
}

TEST_SUITE_END();

}  // namespace
