// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "sim/report/html/html_page.h"
#include "sim/report/html/run_page.h"
#include "sim/trace/event_stream.h"
#include "tests/sim/report/report_bench.h"
#include "tests/sim/trace/recorded_run.h"
#include "tests/support/program.h"

namespace {

using vnpu::sim::EventStream;
using vnpu::sim::TimelineColumns;
using vnpu::test::ProgramResult;
using vnpu::test::ReportBench;
using vnpu::test::TemporaryFolder;

/// The path of a browser; empty, with a message, where there is none.
std::string browser() {
    for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser"}) {
        if (std::filesystem::exists(path)) {
            return path;
        }
    }
    MESSAGE("skipped: no Chromium (Debian's package chromium), so the page is not opened");
    return {};
}

/// What the browser makes of a page: its elements in `output`, its console in `errors`.
ProgramResult opened(const std::string& program, const std::string& page) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "page.html";
    vnpu::test::writeFile(file, page);
    // The budget of virtual time ends as soon as nothing is left to do.
    return vnpu::test::runProgram(
            program, {"--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
                      "--enable-logging=stderr", "--virtual-time-budget=60000",
                      "--user-data-dir=" + (folder / "profile").string(), "--dump-dom",
                      "file://" + file.string()});
}

void checkNoMessage(const ProgramResult& result) {
    CHECK(result.exitCode == 0);
    CHECK(result.output.find("data-state=\"ready\"") != std::string::npos);
    CHECK(result.output.find("class=\"error\"") == std::string::npos);
    const std::size_t at = result.errors.find(":CONSOLE");
    CHECK_MESSAGE(at == std::string::npos, result.errors.substr(at, 500));
}

void checkHolds(const ProgramResult& result, const std::string& part) {
    CHECK_MESSAGE(result.output.find(part) != std::string::npos, part);
}

TEST_SUITE_BEGIN("sim/report/html/page_in_browser");

TEST_CASE("a browser draws the page of a run without a message, with its numbers [E-6]") {
    const std::string program = browser();
    if (program.empty()) {
        return;
    }
    ReportBench bench;
    TimelineColumns timeline;
    EventStream stream(bench.config, vnpu::test::twoClients());
    stream.addSink(timeline);
    stream.begin();
    vnpu::test::playExecution(stream, 1000, 7, 3, vnpu::test::smallModel(), 4);
    vnpu::test::playExecution(stream, 2000, 8, 4, vnpu::test::smallModel(), 5);
    stream.end(5010);
    const ProgramResult result = opened(program, vnpu::sim::runPage(bench.report, timeline));
    checkNoMessage(result);
    checkHolds(result, "<h1 id=\"title\">run bench</h1>");
    // Two frames were answered after 244 ns each; the third was refused. 244 ns are 0.000 ms.
    checkHolds(result, "camera: 2 frames, P50 0.000 ms, P99 0.000 ms, max 0.000 ms");
    checkHolds(result, "2 in time");
    checkHolds(result, "1 refused or aborted, 1 unserved");
    // 2000 products in 10 us of a device with 256 a cycle of 2 ns: 0.16 %.
    checkHolds(result,
               "<div class=\"tile-value\">0.2 %</div><div class=\"tile-detail\">of the "
               "peak, 2000 products</div>");
    checkHolds(result, "<td class=\"text \">probabilities</td>");
    checkHolds(result, "0.000000 ms to 0.005010 ms: 5.01 µs");
    // 2000 / 640 = 3.125 operations a byte; 1000 MACs in 50 cycles of 2 ns are 20 GOPS.
    checkHolds(result, "aria-label=\"camera: CONV_2D #0 conv\"");
}

TEST_CASE("hostile names stay text in the browser") {
    const std::string program = browser();
    if (program.empty()) {
        return;
    }
    const std::string name = "</script><img src=x onerror=console.log(1)>\"'&lt;";
    ReportBench bench;
    bench.scenario.name = name;
    bench.scenario.clients[0].name = name;
    bench.scenario.clients[0].model = name;
    const ProgramResult result =
            opened(program, vnpu::sim::runPage(bench.report, TimelineColumns()));
    checkNoMessage(result);
    CHECK(result.output.find("<img") == std::string::npos);
    checkHolds(result, "run &lt;/script&gt;&lt;img src=x onerror=console.log(1)&gt;\"'&amp;lt;");
}

TEST_CASE("a page that can't be drawn says so") {
    const std::string program = browser();
    if (program.empty()) {
        return;
    }
    const ProgramResult result =
            opened(program, vnpu::sim::htmlPage("broken", {{"kind", "nothing"}}));
    CHECK(result.output.find("data-state=\"failed\"") != std::string::npos);
    CHECK(result.output.find("This page can't be drawn") != std::string::npos);
    CHECK(result.errors.find(":CONSOLE") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace
