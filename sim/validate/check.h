// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace vnpu::sim {

/// kExplained: off by more than is allowed, and a computed cause of its own check accounts for it.
enum class Verdict { kPass, kExplained, kFail };

/// One number of the model held against one of a reference.
struct Check {
    std::string rung{};      // "systolic"
    std::string subject{};   // what was computed, and on which device: "resnet50 on ws32"
    std::string quantity{};  // "MAC cycles"
    double model = 0.0;
    double reference = 0.0;
    double tolerance = 0.0;  // of the ratio's distance from 1; 0: they have to be equal
    bool isLimit = false;    // the reference is the most that the model may be
    bool isExplained = false;
    std::string note{};  // the cause of a deviation, or what the numbers are made of
    /// Something other than the ratio is wrong: a layer within the sum, a run that did not end.
    bool isBroken = false;

    /// model / reference; 1 where both are 0, infinite where only the reference is.
    double ratio() const;
    Verdict verdict() const;
};

/// "pass", "explained" or "FAIL".
const char* verdictName(Verdict verdict);

/// Whether none fails.
bool allPass(const std::vector<Check>& checks);

}  // namespace vnpu::sim
