// SPDX-License-Identifier: Apache-2.0
#include "tests/support/browser.h"

#include <doctest/doctest.h>

#include <filesystem>

namespace vnpu::test {

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
    // The budget of virtual time ends as soon as nothing is left to do.
    return runProgram(program,
                      {"--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900",
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

}  // namespace vnpu::test
