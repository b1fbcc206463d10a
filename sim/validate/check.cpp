// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vnpu::sim {

const char* checkKindName(CheckKind kind) {
    constexpr const char* kNames[] = {"compiled networks against outside numbers",
                                      "rules implemented again", "synthetic streams", "internal",
                                      "silicon, without a verdict"};
    static_assert(std::size(kNames) == kCheckKinds);
    return kNames[static_cast<std::size_t>(kind)];
}

Check Check::broken(std::string reason) const {
    Check check = *this;
    check.isBroken = true;
    check.gap.reset();
    check.note = std::move(reason);
    return check;
}

double Check::ratio() const {
    if (reference == 0.0) {
        return model == 0.0 ? 1.0 : std::numeric_limits<double>::infinity();
    }
    return model / reference;
}

bool Check::isNear() const {
    switch (limit) {
        case Limit::kAtMost:
            return model <= reference;
        case Limit::kAtLeast:
            return model >= reference;
        case Limit::kNone:
            break;
    }
    return tolerance == 0.0 ? model == reference : std::abs(ratio() - 1.0) <= tolerance;
}

bool Check::isGapOfNumbers() const {
    constexpr double kRounding = 1e-3;  // chosen: of published figures
    if (!gap) {
        return true;
    }
    const auto isRatio = [this](double expected) {
        return std::abs(ratio() - expected) <= kRounding * expected;
    };
    return isRatio(gap->timeRatio()) || isRatio(1.0 / gap->timeRatio());
}

Verdict Check::verdict() const {
    if (isBroken || !isGapOfNumbers() || (gap && !gap->holds())) {
        return Verdict::kFail;
    }
    if (kind == CheckKind::kSilicon) {
        return Verdict::kNone;
    }
    if (isNear()) {
        return Verdict::kPass;
    }
    return gap ? Verdict::kByParts : Verdict::kFail;
}

std::string Check::explanation() const {
    if (!gap) {
        return note;
    }
    const std::string parts =
            isGapOfNumbers() ? gap->text() : "! parts of other numbers: " + gap->text();
    return note.empty() ? parts : parts + "; " + note;
}

bool allPass(const std::vector<Check>& checks) {
    return std::all_of(checks.begin(), checks.end(),
                       [](const Check& check) { return check.verdict() != Verdict::kFail; });
}

}  // namespace vnpu::sim
