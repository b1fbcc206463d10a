// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vnpu::sim {

Check Check::broken(std::string reason) const {
    Check check = *this;
    check.isBroken = true;
    check.note = std::move(reason);
    return check;
}

double Check::ratio() const {
    if (reference == 0.0) {
        return model == 0.0 ? 1.0 : std::numeric_limits<double>::infinity();
    }
    return model / reference;
}

Verdict Check::verdict() const {
    if (isBroken) {
        return Verdict::kFail;
    }
    // Written so that a NaN fails.
    const bool isNear = isLimit            ? model <= reference
                        : tolerance == 0.0 ? model == reference
                                           : std::abs(ratio() - 1.0) <= tolerance;
    if (isNear) {
        return Verdict::kPass;
    }
    return isExplained ? Verdict::kExplained : Verdict::kFail;
}

bool allPass(const std::vector<Check>& checks) {
    return std::all_of(checks.begin(), checks.end(),
                       [](const Check& check) { return check.verdict() != Verdict::kFail; });
}

}  // namespace vnpu::sim
