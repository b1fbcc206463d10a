// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/quantity.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

#include "sim/base/error.h"
#include "sim/config/strict_toml.h"
#include "sim/metrics/figure_meanings.h"

namespace vnpu::sim {

namespace {

// chosen: runs in virtual time are exact, so that 1 % is a change that somebody made; 50 cycles and
// 1 us keep small layers and short latencies quiet. What a client notices at once has none.
constexpr Tolerance kTime = {.relative = 0.01};
constexpr Tolerance kCycles = {.relative = 0.01, .absolute = 50.0};
constexpr Tolerance kMilliseconds = {.relative = 0.01, .absolute = 0.001};
constexpr Tolerance kShare = {.absolute = 0.005};
constexpr Tolerance kCosts = {.relative = 0.05};
constexpr Tolerance kWallTime = {.relative = 0.1};  // chosen: noise of a quiet machine
constexpr Tolerance kNone = {};

}  // namespace

const std::vector<Quantity>& quantities() {
    using enum Better;
    static const std::vector<Quantity> kQuantities = {
            {"cycles", kLower, kCycles, "device cycles of a layer, mean per execution"},
            {"job_cycles", kLower, kCycles, "device cycles of a job, mean"},
            {"dram_bytes", kLower, kTime, "bytes moved to and from DRAM"},
            {"sram_bytes", kLower, kTime, "bytes moved to and from SRAM, mean per execution"},
            {"energy_uj", kLower, kTime, "energy in microjoules, estimated"},
            {"estimate_cycles", kNeither, kCosts, "the driver's own estimate of the cycles"},
            {"mean_ms", kLower, kMilliseconds, figureMeaning("mean_ms")},
            {"p50_ms", kLower, kMilliseconds, figureMeaning("p50_ms")},
            {"p95_ms", kLower, kMilliseconds, figureMeaning("p95_ms")},
            {"p99_ms", kLower, kMilliseconds, figureMeaning("p99_ms")},
            {"max_ms", kLower, kMilliseconds, figureMeaning("max_ms")},
            {"ntt", kLower, kTime, figureMeaning("ntt")},
            {"antt", kLower, kTime, figureMeaning("antt")},
            {"stp", kHigher, kTime, figureMeaning("stp")},
            {"fairness", kHigher, kTime, figureMeaning("fairness")},
            {"sla_*", kLower, kShare, figureMeaning("sla_2")},
            {"missed", kLower, kNone, figureMeaning("missed")},
            {"wrong_refusals", kLower, kNone, figureMeaning("wrong_refusals")},
            {"wrong_admissions", kLower, kNone, figureMeaning("wrong_admissions")},
            {"failed", kLower, kNone, figureMeaning("failed")},
            {"unserved", kLower, kNone, figureMeaning("unserved")},
            {"refused", kLower, kNone, figureMeaning("refused")},
            {"aborted", kLower, kNone, figureMeaning("aborted")},
            {"late", kLower, kNone, figureMeaning("late")},
            {"rate_hz", kHigher, kTime, figureMeaning("rate_hz")},
            {"done", kNeither, kNone, figureMeaning("done")},
            {"executions", kNeither, kNone, figureMeaning("executions")},
            {"device_share", kNeither, kTime, figureMeaning("device_share")},
            {"preempt_*", kLower, kTime, "us from the decision to preempt until the job is saved"},
            {"preemptions", kNeither, kCosts, figureMeaning("preemptions")},
            {"restarts", kNeither, kCosts, figureMeaning("restarts")},
            {"saved_bytes", kLower, kCosts, figureMeaning("saved_bytes")},
            {"reloaded_bytes", kLower, kCosts, figureMeaning("reloaded_bytes")},
            {"switch_cycles", kLower, kCosts, figureMeaning("switch_cycles")},
            {"wasted_cycles", kLower, kCosts, figureMeaning("wasted_cycles")},
            {"output_mismatches", kLower, kNone, "executions with other outputs than the first"},
            {"output_hash", kSame, kNone, "hash of the outputs"},
            {"mistakes", kLower, kNone, "mistakes that lint found"},
            {"distance", kLower, kShare, "distance of model / reference from 1"},
            {"model", kNeither, kTime, "the model's number"},
            {"reference", kNeither, kNone, "the reference's number"},
            {"verdict", kHigher, kNone, "FAIL, by parts, pass"},
            {"result", kHigher, kNone, "failed, skipped, expected failure, passed"},
            {"points", kHigher, kNone, "points without an error"},
            {"failed_points", kLower, kNone, "points with an error, or failed or wrong executions"},
            {"real_ns", kLower, kWallTime, "wall time of a benchmark's iteration"},
            {"cpu_ns", kLower, kWallTime, "processor time of a benchmark's iteration"},
            {"items_per_second", kHigher, kWallTime, "a benchmark's rate"},
            {"bytes_per_second", kHigher, kWallTime, "a benchmark's rate"},
    };
    return kQuantities;
}

std::string_view directionText(Better better) {
    constexpr std::string_view kTexts[] = {"lower is better", "higher is better",
                                           "any change is a regression", "no direction"};
    return kTexts[static_cast<std::size_t>(better)];
}

double Tolerance::allowed(double before) const {
    return relative * std::abs(before) + absolute;
}

std::string Tolerance::text() const {
    if (isAny) {
        return "any";
    }
    const std::string part = relative != 0.0 ? fmt::format("{:g} %", relative * 100.0) : "";
    if (absolute == 0.0) {
        return part.empty() ? "0" : part;
    }
    return part.empty() ? fmt::format("{:g}", absolute) : fmt::format("{} + {:g}", part, absolute);
}

Quantity quantityOf(std::string_view name) {
    for (const Quantity& quantity : quantities()) {
        const bool isFamily = quantity.name.ends_with('*');
        const std::string_view stem = quantity.name.substr(0, quantity.name.size() - 1);
        if (isFamily ? name.starts_with(stem) : name == quantity.name) {
            return quantity;
        }
    }
    return {.name = name, .meaning = "not known here"};
}

std::optional<int> rankOf(std::string_view word) {
    static constexpr std::pair<std::string_view, int> kRanks[] = {{"FAIL", 0},
                                                                  {"failed", 0},
                                                                  {"unexpected pass", 0},
                                                                  {"skipped", 1},
                                                                  {"expected failure", 1},
                                                                  {"by parts", 2},
                                                                  {"pass", 3},
                                                                  {"passed", 3}};
    for (const auto& [known, rank] : kRanks) {
        if (word == known) {
            return rank;
        }
    }
    return std::nullopt;
}

namespace {

constexpr std::string_view kToleranceForm = "expected \"1%\", \"0.5\", \"1%+50\" or \"any\"";

/// The number at the beginning of `text`, which it leaves; nothing if there is none that is at
/// least 0.
std::optional<double> takeNumber(std::string_view& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || !(value >= 0.0) || !std::isfinite(value)) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<Tolerance> parseTolerance(std::string_view written) {
    std::string compact(written);
    std::erase(compact, ' ');
    if (compact == "any") {
        return Tolerance{.isAny = true};
    }
    std::string_view text = compact;
    Tolerance tolerance;
    const std::optional<double> first = takeNumber(text);
    if (!first) {
        return std::nullopt;
    }
    if (!text.starts_with('%')) {
        tolerance.absolute = *first;
        return text.empty() ? std::optional(tolerance) : std::nullopt;
    }
    tolerance.relative = *first / 100.0;
    text.remove_prefix(1);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        const std::optional<double> second = takeNumber(text);
        if (!second) {
            return std::nullopt;
        }
        tolerance.absolute = *second;
    }
    return text.empty() ? std::optional(tolerance) : std::nullopt;
}

}  // namespace

void Tolerances::add(std::string_view text, const std::string& place) {
    const std::size_t end = text.rfind('=');
    std::string_view name = text.substr(0, end == text.npos ? 0 : end);
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    const std::optional<Tolerance> tolerance =
            end == text.npos ? std::nullopt : parseTolerance(text.substr(end + 1));
    if (name.empty() || !tolerance) {
        throw InputError(fmt::format("{} is \"{}\", expected NAME=VALUE; for VALUE {}", place, text,
                                     kToleranceForm));
    }
    byName_[std::string(name)] = {*tolerance, place};
}

void Tolerances::addFile(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (!in.is_open() || in.bad()) {
        throw InputError(
                fmt::format("{}: can't be read, expected a TOML file with [tolerance]", file));
    }
    const toml::table root = parseToml(text, file);
    StrictTable top(root, file, "");
    const toml::table* table = top.table("tolerance");
    top.require("tolerance", "a table with tolerances by quantity");
    top.finish();
    for (const auto& [key, node] : *table) {
        const std::string place = fmt::format("{}:{}: tolerance", file, node.source().begin.line);
        const auto value = node.value<std::string>();
        if (!value) {
            throw InputError(
                    fmt::format("{}.{} is no string, {}", place, key.str(), kToleranceForm));
        }
        add(fmt::format("{}={}", key.str(), *value), place);
    }
}

const Tolerances::Entry* Tolerances::find(const std::string& kind,
                                          const std::string& quantity) const {
    for (const std::string& name :
         {fmt::format("{}.{}", kind, quantity), quantity, std::string("*")}) {
        if (const auto found = byName_.find(name); found != byName_.end()) {
            return &found->second;
        }
    }
    return nullptr;
}

Tolerance Tolerances::of(const std::string& kind, const std::string& quantity) const {
    const Entry* const entry = find(kind, quantity);
    return entry != nullptr ? entry->tolerance : quantityOf(quantity).tolerance;
}

std::string Tolerances::placeOf(const std::string& kind, const std::string& quantity) const {
    const Entry* const entry = find(kind, quantity);
    return entry != nullptr ? entry->place : "default";
}

void Tolerances::checkNames(const std::function<bool(std::string_view)>& isInResults) const {
    const auto isKnown = [](std::string_view quantity) {
        return std::any_of(quantities().begin(), quantities().end(), [&](const Quantity& known) {
            return known.name == quantity && !quantity.ends_with('*');
        });
    };
    for (const auto& [name, entry] : byName_) {
        const std::string_view text = name;
        if (text != "*" && !isKnown(text) && !isKnown(text.substr(text.find('.') + 1)) &&
            !isInResults(text)) {
            throw InputError(
                    fmt::format("{}: \"{}\" is no quantity of these results, expected one of "
                                "\"vnpu compare --help\" or of the results, KIND.QUANTITY or "
                                "\"*\"",
                                entry.place, name));
        }
    }
}

}  // namespace vnpu::sim
