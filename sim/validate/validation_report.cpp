// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/text_table.h"

namespace vnpu::sim {

namespace {

/// Integers without decimals, other numbers with enough digits to compare.
std::string figureText(double value) {
    return std::abs(value) >= 1000.0 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                   : fmt::format("{:.4g}", value);
}

std::string toleranceText(const Check& check) {
    if (check.isLimit) {
        return "at most";
    }
    return check.tolerance == 0.0 ? "equal" : fmt::format("{:g} %", check.tolerance * 100.0);
}

}  // namespace

std::string checksText(const std::vector<Check>& checks) {
    TextTable table({"rung", "subject", "quantity"}, {"model", "reference", "ratio", "tolerance"},
                    {"verdict", "note"});
    for (const Check& check : checks) {
        table.addRow({check.rung, check.subject, check.quantity, figureText(check.model),
                      figureText(check.reference), fmt::format("{:.3f}", check.ratio()),
                      toleranceText(check), verdictName(check.verdict()), check.note});
    }
    return table.text();
}

std::string checksCsv(const std::vector<Check>& checks) {
    std::string text = csvLine({"rung", "subject", "quantity", "model", "reference", "ratio",
                                "tolerance", "verdict", "note"});
    for (const Check& check : checks) {
        text += csvLine(
                {check.rung, check.subject, check.quantity, fmt::format("{:.10g}", check.model),
                 fmt::format("{:.10g}", check.reference), fmt::format("{:.6f}", check.ratio()),
                 fmt::format("{:g}", check.tolerance), verdictName(check.verdict()), check.note});
    }
    return text;
}

std::string curvesCsv(const std::vector<Curve>& curves) {
    std::string text = csvLine({"curve", "x", "x_unit", "model", "closed_form", "unit"});
    for (const Curve& curve : curves) {
        for (const Curve::Point& point : curve.points) {
            text += csvLine({curve.title, fmt::format("{:g}", point.x), curve.xLabel,
                             fmt::format("{:.10g}", point.model),
                             fmt::format("{:.10g}", point.closedForm), curve.yLabel});
        }
    }
    return text;
}

std::string checksSummary(const std::vector<Check>& checks) {
    const auto count = [&](Verdict verdict) {
        return std::count_if(checks.begin(), checks.end(),
                             [&](const Check& check) { return check.verdict() == verdict; });
    };
    return fmt::format("{} passed, {} explained, {} failed", count(Verdict::kPass),
                       count(Verdict::kExplained), count(Verdict::kFail));
}

}  // namespace vnpu::sim
