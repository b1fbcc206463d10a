// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/validation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/legend.h"
#include "sim/base/split.h"
#include "sim/base/text_table.h"
#include "sim/validate/ratios.h"

namespace vnpu::sim {

namespace {

/// Integers without decimals, other numbers with enough digits to compare.
std::string figureText(double value) {
    return std::abs(value) >= 1000.0 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                                   : fmt::format("{:.4g}", value);
}

std::string toleranceText(const Check& check) {
    if (check.kind == CheckKind::kSilicon) {
        return "none";
    }
    if (check.limit != Limit::kNone) {
        return limitName(check.limit);
    }
    return check.tolerance == 0.0 ? "equal" : fmt::format("{:g} %", check.tolerance * 100.0);
}

/// Whether the check compares times of a network, not an order.
bool isTimed(const Check& check) {
    return check.kind == CheckKind::kNetwork && check.gap && !check.deviceClass.empty();
}

constexpr std::size_t kNoteIndent = 6;  // chosen: notes stand apart from the checks

bool isInTable(const std::string& note, std::size_t noteWidth) {
    return note.size() <= noteWidth && note.find('\n') == std::string::npos;
}

/// The table; notes of more than `noteWidth` characters are left out.
std::string tableOf(const std::vector<Check>& checks, std::size_t noteWidth) {
    TextTable table({"rung", "subject", "quantity"}, {"model", "reference", "ratio", "tolerance"},
                    {"verdict", noteWidth == 0 ? "" : "note"});
    for (const Check& check : checks) {
        const std::string note = check.explanation();
        table.addRow({check.rung, check.subject, check.quantity, figureText(check.model),
                      figureText(check.reference), fmt::format("{:.3f}", check.ratio()),
                      toleranceText(check), verdictName(check.verdict()),
                      isInTable(note, noteWidth) ? note : ""});
    }
    return table.text();
}

std::size_t widthOf(const std::string& text) {
    std::size_t width = 0;
    for (const std::string& line : split(text, '\n')) {
        width = std::max(width, line.size());
    }
    return width;
}

std::string summaryLine(CheckKind kind, const std::vector<const Check*>& checks) {
    if (kind == CheckKind::kSilicon) {
        return fmt::format("{}: {}\n", checkKindName(kind), checks.size());
    }
    const auto count = [&](Verdict verdict) {
        return std::count_if(checks.begin(), checks.end(),
                             [&](const Check* check) { return check->verdict() == verdict; });
    };
    Ratios ratios;
    for (const Check* check : checks) {
        if (isTimed(*check)) {
            ratios.add(check->gap->timeRatio());
        }
    }
    return fmt::format(
            "{}: {} pass by number alone, {} by parts that sum, {} FAIL{}\n", checkKindName(kind),
            count(Verdict::kPass), count(Verdict::kByParts), count(Verdict::kFail),
            ratios.count() == 0 ? ""
                                : fmt::format("; geometric mean of times, model over reference: "
                                              "{:.3f}",
                                              ratios.mean()));
}

}  // namespace

std::string checksText(const std::vector<Check>& checks) {
    const std::size_t left = widthOf(tableOf(checks, 0)) + 2;
    const std::size_t noteWidth = left < kTextColumns ? kTextColumns - left : 0;
    std::string text;
    std::size_t row = 0;
    const std::string table = tableOf(checks, noteWidth);
    for (const std::string& line : split(table, '\n')) {
        text += line.empty() ? "" : line + "\n";
        const bool isCheck = !line.empty() && row++ >= 2;  // header and rule
        const std::string note = isCheck ? checks[row - 3].explanation() : "";
        if (!isInTable(note, noteWidth)) {
            for (const std::string& part : wrapped(note, kTextColumns - kNoteIndent)) {
                text += std::string(kNoteIndent, ' ') + part + "\n";
            }
        }
    }
    return text;
}

std::string checksLegend() {
    return legendText({
            {"model, reference",
             "the number of the device or of the closed form, and the published one"},
            {"ratio", "model over reference"},
            {"tolerance",
             "largest distance of the ratio from 1; equal: none; at most, at least: the reference "
             "is "
             "a limit; none: no verdict"},
            {"verdict",
             "pass: within the tolerance; by parts: further apart, but each part of the difference "
             "is "
             "within its own bounds; FAIL: neither, or the parts do not hold even though the "
             "numbers "
             "agree; -: for plausibility"},
            {"note",
             "of networks: the difference as a sum of its parts, in percent of the reference"},
            {"geometric mean",
             "of the networks' times, model over reference; least and most are the extremes"},
    });
}

CaseOutcome outcomeOf(const Check& check) {
    CaseOutcome outcome{.name = {.suite = check.rung,
                                 .name = fmt::format("{}: {}", check.subject, check.quantity)},
                        .figures = {{"model", fmt::format("{:.10g}", check.model)},
                                    {"reference", fmt::format("{:.10g}", check.reference)},
                                    {"ratio", fmt::format("{:.6f}", check.ratio())}}};
    const Verdict verdict = check.verdict();
    if (verdict == Verdict::kFail) {
        outcome.result = CaseResult::kFailed;
        outcome.message =
                fmt::format("{} is {}, reference {}, ratio {:.3f}, tolerance {}: {}",
                            check.quantity, figureText(check.model), figureText(check.reference),
                            check.ratio(), toleranceText(check), check.explanation());
    } else if (verdict == Verdict::kNone) {
        outcome.result = CaseResult::kSkipped;
        outcome.message = "for plausibility, without a verdict";
    }
    return outcome;
}

std::string checksCsv(const std::vector<Check>& checks) {
    std::string text = csvLine({"kind", "rung", "subject", "quantity", "model", "reference",
                                "ratio", "tolerance", "verdict", "note"});
    for (const Check& check : checks) {
        text += csvLine({checkKindName(check.kind), check.rung, check.subject, check.quantity,
                         fmt::format("{:.10g}", check.model),
                         fmt::format("{:.10g}", check.reference),
                         fmt::format("{:.6f}", check.ratio()), fmt::format("{:g}", check.tolerance),
                         verdictName(check.verdict()), check.explanation()});
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
    std::string text;
    for (std::size_t i = 0; i < kCheckKinds; ++i) {
        const auto kind = static_cast<CheckKind>(i);
        std::vector<const Check*> ofKind;
        for (const Check& check : checks) {
            if (check.kind == kind) {
                ofKind.push_back(&check);
            }
        }
        if (!ofKind.empty()) {
            text += summaryLine(kind, ofKind);
        }
    }
    return text;
}

std::string errorBands(const std::vector<Check>& checks) {
    std::vector<std::string> classes;
    for (const Check& check : checks) {
        if (isTimed(check) &&
            std::find(classes.begin(), classes.end(), check.deviceClass) == classes.end()) {
            classes.push_back(check.deviceClass);
        }
    }
    if (classes.empty()) {
        return {};
    }
    TextTable table({"class of device"}, {"networks", "least", "geometric mean", "most"}, {});
    for (const std::string& name : classes) {
        Ratios ratios;
        for (const Check& check : checks) {
            if (isTimed(check) && check.deviceClass == name) {
                ratios.add(check.gap->timeRatio());
            }
        }
        table.addRow({name, fmt::format("{}", ratios.count()),
                      fmt::format("{:.2f}", ratios.least()), fmt::format("{:.2f}", ratios.mean()),
                      fmt::format("{:.2f}", ratios.most())});
    }
    return table.text();
}

}  // namespace vnpu::sim
