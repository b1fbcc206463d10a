// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "sim/config/embedded_files.h"
#include "tests/support/program.h"

namespace {

using vnpu::test::TemporaryFolder;

struct Page {
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
};

/// The page of the shipped scenario of two apps, run for this long.
Page pageOfTwoApps(const std::string& duration) {
    const TemporaryFolder folder;
    std::string text(vnpu::sim::findEmbedded(vnpu::sim::embeddedScenarios(), "two_apps")->text);
    const std::string shipped = "duration = \"2 s\"";
    const std::size_t at = text.find(shipped);
    REQUIRE(at != std::string::npos);
    text.replace(at, shipped.size(), "duration = \"" + duration + "\"");
    const std::string file = (folder / "two_apps.toml").string();
    vnpu::test::writeFile(file, text);
    const auto result = vnpu::test::runVnpu({"run", file, "--out", (folder / "out").string()});
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    const std::string page = vnpu::test::readFile(folder / "out/report.html");
    const std::string key = "\"events\":";
    const std::size_t count = page.find(key);
    REQUIRE(count != std::string::npos);
    return {std::stoull(page.substr(count + key.size(), 20)), page.size()};
}

TEST_SUITE_BEGIN("sim/report/html/run_page_size");

TEST_CASE("an event of a run takes less than two bytes of its page [E-6]") {
    // A page of a million events must have less than 15 MB. The parts that do not grow with the
    // run, such as scripts and layers, cancel out.
    const Page small = pageOfTwoApps("100 ms");
    const Page large = pageOfTwoApps("600 ms");
    REQUIRE(large.events > small.events + 50'000);
    const double perEvent = static_cast<double>(large.bytes - small.bytes) /
                            static_cast<double>(large.events - small.events);
    CHECK(perEvent < 2.0);
    CHECK(small.bytes < (std::uint64_t{1} << 20));
}

TEST_SUITE_END();

}  // namespace
