// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "tests/architecture/includes.h"
#include "tests/support/source_folder.h"

namespace vnpu::test {
namespace {

namespace fs = std::filesystem;

const fs::path& kRoot = sourceFolder();

constexpr const char* kLicense = "// SPDX-License-Identifier: Apache-2.0";

/// Of driver/linux: C files, headers, and the header that programs include.
const std::set<std::string> kLinuxLicenses = {
        "// SPDX-License-Identifier: GPL-2.0 OR MIT",
        "/* SPDX-License-Identifier: GPL-2.0 OR MIT */",
        "/* SPDX-License-Identifier: (GPL-2.0 WITH Linux-syscall-note) OR MIT */"};

}  // namespace

TEST_SUITE_BEGIN("architecture/repository");

TEST_CASE("the top level contains exactly the expected entries [design 1]") {
    const std::set<std::string> expected = {"CMakeLists.txt",
                                            "CMakePresets.json",
                                            "LICENSE",
                                            "README.md",
                                            "driver",
                                            "firmware",
                                            "hal",
                                            "hw_model",
                                            "sim",
                                            "tests",
                                            "waveforms"};
    const std::set<std::string> ignored = {"build", "out"};
    for (const auto& entry : fs::directory_iterator(kRoot)) {
        const std::string name = entry.path().filename();
        if (name.front() != '.' && !ignored.contains(name)) {
            CHECK_MESSAGE(expected.contains(name), name);
        }
    }
    for (const std::string& name : expected) {
        CHECK_MESSAGE(fs::exists(kRoot / name), name);
    }
}

TEST_CASE("CI systems call scripts that exist and can be started") {
    const std::regex path(R"((\.ci|tests|sim)/[a-z_]+(/[a-z_]+)*(\.[a-z]+)?)", std::regex::icase);
    for (const char* name : {".github/workflows/tests.yml", ".gitlab-ci.yml"}) {
        std::ifstream file(kRoot / name);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const std::sregex_iterator first(text.begin(), text.end(), path), last;
        CHECK_MESSAGE(first != last, name);
        for (auto found = first; found != last; ++found) {
            const fs::path called = kRoot / found->str();
            REQUIRE_MESSAGE(fs::exists(called), name, ": ", found->str());
            const bool canStart =
                    (fs::status(called).permissions() & fs::perms::owner_exec) != fs::perms::none;
            CHECK_MESSAGE((canStart || called.has_extension()), name, ": ", found->str());
        }
    }
}

TEST_CASE("every source file begins with its license and has less than 800 lines") {
    for (const fs::path& source : sourcesOf(kRoot, kAllFolders)) {
        std::ifstream file(source);
        std::string line;
        std::getline(file, line);
        const bool isKernelModule =
                fs::relative(source, kRoot).string().rfind("driver/linux/", 0) == 0;
        CHECK_MESSAGE(isKernelModule ? kLinuxLicenses.contains(line) : line == kLicense,
                      source.string());
        std::size_t lines = 1;
        while (std::getline(file, line)) {
            ++lines;
        }
        CHECK_MESSAGE(lines <= 800, source.string(), " has ", lines, " lines");
    }
}

TEST_CASE("every folder has a README that describes its contents") {
    for (const char* folder :
         {"hw_model", "hw_model/regs", "hw_model/kernels", "hw_model/timing", "hw_model/blocks",
          "firmware", "hal", "driver", "sim", "tests", "waveforms"}) {
        CHECK_MESSAGE(fs::exists(kRoot / folder / "README.md"), folder);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
