// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/validate/gap.h"

namespace vnpu::sim {

/// kByParts: the numbers are further apart than the tolerance, but the parts of the gap hold.
/// kNone: shown for plausibility, without a demand.
enum class Verdict { kPass, kByParts, kFail, kNone };

/// "pass", "by parts", "FAIL" or "-".
constexpr const char* verdictName(Verdict verdict) {
    constexpr const char* kNames[] = {"pass", "by parts", "FAIL", "-"};
    return kNames[static_cast<std::size_t>(verdict)];
}

/// What a check can say about the model.
enum class CheckKind {
    kNetwork,  // a compiled network on the device, compared with a number from outside
    kRules,    // the rules of a reference, implemented again, or the array's cycles by such a rule
    kSynthetic,  // a command stream with the reference's own work on the device
    kInternal,   // the device compared with a closed form or an estimate of this project
    kSilicon     // a chip that no configuration describes: without a verdict
};
inline constexpr std::size_t kCheckKinds = 5;

/// What the reference of a check is to its model.
enum class Limit { kNone, kAtMost, kAtLeast };

/// "", "at most" or "at least".
constexpr const char* limitName(Limit limit) {
    constexpr const char* kNames[] = {"", "at most", "at least"};
    return kNames[static_cast<std::size_t>(limit)];
}

/// "compiled networks against outside numbers", ...
const char* checkKindName(CheckKind kind);

/// The comparison of one number of the model with that of a reference.
struct Check {
    CheckKind kind = CheckKind::kInternal;
    std::string rung{};      // "systolic"
    std::string subject{};   // model and device: "resnet50 on ws32"
    std::string quantity{};  // "MAC cycles"
    double model = 0.0;
    double reference = 0.0;
    double tolerance = 0.0;  // largest distance of the ratio from 1; 0: the numbers must be equal
    Limit limit = Limit::kNone;  // the model may be anything up to, or from, the reference
    /// The parts of the difference in time. Where they do not hold, or are those of other numbers,
    /// the check fails even if the numbers are equal, because errors may cancel.
    std::optional<Gap> gap{};
    std::string deviceClass{};  // of a compiled network: "NVDLA", for the table of error bands
    std::string note{};         // what else is to be known
    /// An error other than the ratio: a layer within the sum, or a run that did not end.
    bool isBroken = false;

    /// This check with the reason why there are no numbers.
    Check broken(std::string reason) const;
    /// model / reference; 1 where both are 0, infinite where only the reference is.
    double ratio() const;
    /// Whether the numbers alone are within the tolerance; false for a NaN.
    bool isNear() const;
    /// Whether the gap is that of the numbers, which are times or rates. True without a gap.
    bool isGapOfNumbers() const;
    Verdict verdict() const;
    /// The note with the parts of the gap.
    std::string explanation() const;
};

/// Whether no check fails.
bool allPass(const std::vector<Check>& checks);

}  // namespace vnpu::sim
