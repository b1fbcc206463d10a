// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/architecture/includes.h"
#include "tests/support/source_folder.h"

namespace vnpu::test {
namespace {

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

}  // namespace

TEST_SUITE_BEGIN("architecture/include_rules");

TEST_CASE("every include follows the layers of the design [design 1]") {
    const auto includes = includesOf(sourceFolder(), kAllFolders);
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

TEST_CASE("the rules refuse includes that the design forbids [design 1]") {
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

}  // namespace vnpu::test
