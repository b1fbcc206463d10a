// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vnpu::sim {

/// kExplained: the deviation is too large, but a computed cause with a check of its own accounts
/// for it.
enum class Verdict { kPass, kExplained, kFail };

/// "pass", "explained" or "FAIL".
constexpr const char* verdictName(Verdict verdict) {
    constexpr const char* kNames[] = {"pass", "explained", "FAIL"};
    return kNames[static_cast<std::size_t>(verdict)];
}

/// The comparison of one number of the model with that of a reference.
struct Check {
    std::string rung{};      // "systolic"
    std::string subject{};   // model and device: "resnet50 on ws32"
    std::string quantity{};  // "MAC cycles"
    double model = 0.0;
    double reference = 0.0;
    double tolerance = 0.0;  // largest distance of the ratio from 1; 0: the numbers must be equal
    bool isLimit = false;    // the reference is an upper limit of the model
    bool isExplained = false;
    std::string note{};  // the cause of a deviation, or the parts of the numbers
    /// An error other than the ratio: a layer within the sum, or a run that did not end.
    bool isBroken = false;

    /// This check with the reason why there are no numbers.
    Check broken(std::string reason) const;
    /// model / reference; 1 where both are 0, infinite where only the reference is.
    double ratio() const;
    Verdict verdict() const;
};

/// Whether no check fails.
bool allPass(const std::vector<Check>& checks);

}  // namespace vnpu::sim
