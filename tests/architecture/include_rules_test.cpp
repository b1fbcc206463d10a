// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// The folders of this project that each folder may include, beside itself; the longest matching
/// folder counts.
const std::map<std::string, std::vector<std::string>> kMayInclude = {
        {"hw_model/regs", {}},
        {"hw_model/kernels", {"hw_model/regs"}},
        {"hw_model/timing", {"hw_model/regs"}},
        {"hw_model/blocks", {"hw_model/regs", "hw_model/kernels", "hw_model/timing"}},
        {"firmware/api", {"hw_model/regs"}},
        {"firmware/core", {"firmware/api", "hw_model/regs"}},
        {"hal", {}},
        {"driver", {"hal", "firmware/api", "hw_model/regs"}},
        {"sim", {"hw_model", "firmware", "hal", "driver"}},
        {"tests", {"hw_model", "firmware", "hal", "driver", "sim"}},
};

const std::vector<std::string> kMayUseSystemC = {"hw_model/blocks", "sim", "tests"};

bool isBelow(const std::string& path, const std::string& folder) {
    return path == folder || path.rfind(folder + "/", 0) == 0;
}

struct Include {
    std::string file;
    std::size_t line;
    std::string target;
};

/// Whether `file` may include `target`, both relative to the repository's root.
bool isAllowed(const std::string& file, const std::string& target) {
    for (const auto& [folder, allowed] : kMayInclude) {
        if (isBelow(file, folder)) {
            return isBelow(target, folder) ||
                   std::any_of(allowed.begin(), allowed.end(),
                               [&](const std::string& other) { return isBelow(target, other); });
        }
    }
    return false;
}

bool isOurs(const std::string& target) {
    return std::any_of(kMayInclude.begin(), kMayInclude.end(), [&](const auto& rule) {
        return isBelow(target, rule.first.substr(0, rule.first.find('/')));
    });
}

bool isSystemC(const std::string& target) {
    return target == "systemc" || target == "systemc.h" || target == "tlm" ||
           isBelow(target, "tlm_utils");
}

std::vector<Include> includesOf(const fs::path& root) {
    static const std::regex kInclude(R"re(^\s*#\s*include\s*["<]([^">]+)[">])re");
    std::vector<Include> includes;
    for (const char* top : {"hw_model", "firmware", "hal", "driver", "sim", "tests"}) {
        for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string extension = entry.path().extension();
            if (extension != ".h" && extension != ".cpp") {
                continue;
            }
            std::ifstream file(entry.path());
            std::string text;
            for (std::size_t line = 1; std::getline(file, text); ++line) {
                std::smatch match;
                if (std::regex_search(text, match, kInclude)) {
                    includes.push_back({fs::relative(entry.path(), root).string(), line, match[1]});
                }
            }
        }
    }
    return includes;
}

}  // namespace

TEST_SUITE_BEGIN("architecture/include_rules");

TEST_CASE("every include keeps to the layers of the design [design 1]") {
    const auto includes = includesOf(VNPU_SOURCE_DIR);
    REQUIRE(includes.size() > 100);
    for (const Include& include : includes) {
        if (isOurs(include.target)) {
            CHECK_MESSAGE(isAllowed(include.file, include.target), include.file, ":", include.line,
                          " includes ", include.target);
        }
        if (isSystemC(include.target)) {
            const bool allowed = std::any_of(
                    kMayUseSystemC.begin(), kMayUseSystemC.end(),
                    [&](const std::string& folder) { return isBelow(include.file, folder); });
            CHECK_MESSAGE(allowed, include.file, ":", include.line, " includes SystemC");
        }
    }
}

TEST_CASE("the rules refuse what the design forbids [design 1]") {
    CHECK_FALSE(isAllowed("driver/compiler/plan/cost_model.cpp", "hw_model/timing/mac_timing.h"));
    CHECK_FALSE(isAllowed("driver/api/device.cpp", "hw_model/blocks/device.h"));
    CHECK_FALSE(isAllowed("hal/src/mapping.cpp", "hw_model/regs/check.h"));
    CHECK_FALSE(isAllowed("hw_model/blocks/device.cpp", "firmware/api/boot.h"));
    CHECK_FALSE(isAllowed("hw_model/regs/check.cpp", "hw_model/kernels/kernels.h"));
    CHECK_FALSE(isAllowed("sim/main.cpp", "tests/support/sim_case.h"));
    CHECK(isAllowed("driver/api/device.cpp", "firmware/api/boot.h"));
    CHECK(isAllowed("sim/platform/platform.cpp", "hw_model/blocks/device.h"));
}

TEST_SUITE_END();
