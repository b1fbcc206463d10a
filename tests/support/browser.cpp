// SPDX-License-Identifier: Apache-2.0
#include "tests/support/browser.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace vnpu::test {

namespace {

/// `budgetMs` is the page's time, which goes on only while nothing is awaited; it ends early when
/// nothing is left to do.
ProgramResult opened(const std::string& program, const std::string& address, int budgetMs) {
    const TemporaryFolder profile;
    return runProgram(
            program,
            {"--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
             "--enable-logging=stderr", "--virtual-time-budget=" + std::to_string(budgetMs),
             "--user-data-dir=" + profile.path().string(), "--dump-dom", address});
}

}  // namespace

std::string browser() {
    for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser"}) {
        if (std::filesystem::exists(path)) {
            return path;
        }
    }
    MESSAGE("skipped: no Chromium (Debian's package chromium), so the page is not opened");
    return {};
}

ProgramResult openedPage(const std::string& program, const std::string& page) {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "page.html";
    writeFile(file, page);
    return opened(program, "file://" + file.string(), 60'000);
}

ProgramResult openedAddress(const std::string& program, const std::string& address) {
    return opened(program, address, 3'000);
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

}  // namespace vnpu::test
