// SPDX-License-Identifier: Apache-2.0
#include "sim/config/scheduling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "firmware/api/policies.h"

namespace vnpu::sim {

namespace {

std::vector<std::string_view> policyNames() {
    std::vector<std::string_view> names;
    for (const fw::PolicyRow& row : fw::policies()) {
        names.push_back(row.name);
    }
    return names;
}

using Bands = std::array<double, 4>;

/// Of a number, both ends included.
struct Range {
    double least = 0.0;
    double most = 0.0;
};

constexpr double kLongestUs = 1e9;      // chosen: more than 1000 seconds is a typing mistake
constexpr double kLeastSliceUs = 10.0;  // chosen: less time than most switches take

/// Calls `visit(key, field, domain)` for every field in the order of reports. The domain is the
/// names of an enumerator, the range of a number, or nothing.
template <typename Options, typename Visitor>
void visitFields(Options& options, Visitor&& visit) {
    visit("strategy", options.strategy, driver::kStrategyNames);
    visit("policy", options.policy, policyNames());
    visit("mechanism", options.mechanism, fw::kMechanismNames);
    visit("granularity", options.granularity, fw::kGranularityNames);
    visit("quantum_us", options.quantumUs, Range{0.0, kLongestUs});
    visit("grace_us", options.graceUs, Range{0.0, kLongestUs});
    visit("starvation_share", options.starvationShare,
          Range{0.0, fw::kMaxStarvationPermille / 1000.0});
    visit("period_us", options.periodUs, Range{0.0, kLongestUs});
    visit("preempt_timeout_us", options.preemptTimeoutUs, Range{0.0, kLongestUs});
    visit("app_slice_us", options.appSliceUs, Range{kLeastSliceUs, kLongestUs});
    visit("checkpoint_us", options.checkpointUs, Range{0.0, kLongestUs});
    visit("forced", options.forced, nullptr);
}

/// Reads one field of the table.
struct FieldReading {
    StrictTable& table;

    template <typename Word, typename Names>
    void operator()(std::string_view key, std::optional<Word>& field, const Names& names) const {
        Word word{};
        if (table.readChoice(key, names, word)) {
            field = word;
        }
    }
    void operator()(std::string_view key, std::optional<double>& field, Range range) const {
        double number = 0.0;
        if (table.read(key, number)) {
            check(key, number, range);
            field = number;
        }
    }
    /// One number for all bands, or one for each.
    void operator()(std::string_view key, std::optional<Bands>& field, Range range) const {
        std::vector<double> numbers;
        if (!table.readList(key, numbers)) {
            return;
        }
        if (numbers.size() != 1 && numbers.size() != 4) {
            table.fail(key, fmt::format("has {} numbers, expected one for all bands or four: idle, "
                                        "normal, focus, realtime",
                                        numbers.size()));
        }
        field.emplace();
        for (std::size_t band = 0; band < field->size(); ++band) {
            (*field)[band] = numbers[std::min(band, numbers.size() - 1)];
            check(key, (*field)[band], range);
        }
    }
    void operator()(std::string_view key, std::optional<bool>& field, std::nullptr_t) const {
        bool isSet = false;
        if (table.read(key, isSet)) {
            field = isSet;
        }
    }

    void check(std::string_view key, double value, Range range) const {
        // The comparison is written so that a NaN fails it.
        if (!(value >= range.least && value <= range.most)) {
            table.fail(key,
                       fmt::format("is {}, expected {} to {}", value, range.least, range.most));
        }
    }
};

/// The text of a field that is set.
template <typename Word, typename Names>
std::string textOf(std::string_view key, Word word, const Names& names) {
    return fmt::format("{} {}", key, names[static_cast<std::size_t>(word)]);
}

std::string textOf(std::string_view key, double value, Range /*range*/) {
    return fmt::format("{} {}", key, value);
}

std::string textOf(std::string_view key, const Bands& values, Range /*range*/) {
    return fmt::format("{} {}", key, fmt::join(values, "/"));
}

std::string textOf(std::string_view key, bool value, std::nullptr_t) {
    return fmt::format("{}{}", value ? "" : "not ", key);
}

/// Refuses settings that the strategy would ignore.
void refuseWithoutEffect(const StrictTable& table, const SchedulingOptions& options) {
    const driver::Strategy strategy = options.strategy.value_or(driver::Strategy::kApps);
    if (strategy != driver::Strategy::kApps && options.appSliceUs) {
        table.fail("app_slice_us", "has an effect with strategy \"apps\" only");
    }
    if (strategy != driver::Strategy::kQueue) {
        return;
    }
    visitFields(options, [&](std::string_view key, const auto& field, const auto& /*domain*/) {
        if (field && key != "strategy" && key != "checkpoint_us") {
            table.fail(key,
                       "has no effect with strategy \"queue\", which gives the device one job "
                       "at a time; strategy \"apps\" has a queue per UID on the device");
        }
    });
}

}  // namespace

bool SchedulingOptions::isDefault() const {
    return describeScheduling(*this) == "default";
}

SchedulingOptions readScheduling(const toml::table& source, const std::string& file) {
    StrictTable table(source, file, "scheduling.");
    SchedulingOptions options;
    options.place = table.place("");
    visitFields(options, FieldReading{table});
    table.finish();
    refuseWithoutEffect(table, options);
    return options;
}

std::string describeScheduling(const SchedulingOptions& options) {
    std::vector<std::string> parts;
    visitFields(options, [&](std::string_view key, const auto& field, const auto& domain) {
        if (field) {
            parts.push_back(textOf(key, *field, domain));
        }
    });
    return parts.empty() ? "default" : fmt::format("{}", fmt::join(parts, ", "));
}

driver::SchedulingOptions driverScheduling(const SchedulingOptions& options,
                                           std::uint32_t clockKhz) {
    const auto toCycles = [&](double microseconds) {
        return static_cast<std::uint64_t>(std::llround(microseconds * clockKhz / 1000.0));
    };
    driver::SchedulingOptions result;
    const auto replace = [](auto& value, const auto& other) { value = other.value_or(value); };
    const auto replaceTime = [&](std::uint64_t& cycles, const std::optional<double>& microseconds) {
        cycles = microseconds ? toCycles(*microseconds) : cycles;
    };
    const auto replaceTimes = [&](std::array<std::uint64_t, 4>& cycles,
                                  const std::optional<Bands>& microseconds) {
        for (std::size_t band = 0; microseconds && band < cycles.size(); ++band) {
            cycles[band] = toCycles((*microseconds)[band]);
        }
    };
    replace(result.strategy, options.strategy);
    replace(result.policy, options.policy);
    replace(result.mechanism, options.mechanism);
    if (result.strategy == driver::Strategy::kQueue) {
        result.mechanism = fw::Mechanism::kNone;
    }
    replace(result.granularity, options.granularity);
    replace(result.experiments.isForced, options.forced);
    if (options.starvationShare) {
        result.starvationPermille =
                static_cast<std::uint32_t>(std::lround(*options.starvationShare * 1000));
    }
    replaceTimes(result.quantumCycles, options.quantumUs);
    replaceTimes(result.graceCycles, options.graceUs);
    replaceTime(result.periodCycles, options.periodUs);
    replaceTime(result.preemptTimeoutCycles, options.preemptTimeoutUs);
    replaceTime(result.appSliceCycles, options.appSliceUs);
    replaceTime(result.checkpointCycles, options.checkpointUs);
    return result;
}

}  // namespace vnpu::sim
