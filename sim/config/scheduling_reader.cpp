// SPDX-License-Identifier: Apache-2.0
#include "sim/config/scheduling_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "firmware/api/policies.h"

namespace vnpu::sim {

namespace {

constexpr double kLongestUs = 1e9;  // chosen: a thousand seconds, a slip rather than a wish

/// The names are in the order of the enumerators.
template <typename Word, typename Names>
void readWord(StrictTable& table, std::string_view key, const Names& names,
              std::optional<Word>& value) {
    std::size_t index = 0;
    if (table.readChoice(key, {std::begin(names), std::end(names)}, index)) {
        value = static_cast<Word>(index);
    }
}

void checkNumber(const StrictTable& table, std::string_view key, double value, double limit) {
    // The comparison is written so that a NaN fails it.
    if (!(value >= 0.0 && value <= limit)) {
        table.fail(key, fmt::format("is {}, expected 0 to {}", value, limit));
    }
}

void readNumber(StrictTable& table, std::string_view key, double limit,
                std::optional<double>& value) {
    double number = 0.0;
    if (table.read(key, number)) {
        checkNumber(table, key, number, limit);
        value = number;
    }
}

/// One number for all bands, or one for each.
void readBands(StrictTable& table, std::string_view key,
               std::optional<std::array<double, 4>>& value) {
    std::vector<double> numbers;
    if (!table.readList(key, numbers)) {
        return;
    }
    if (numbers.size() != 1 && numbers.size() != 4) {
        table.fail(key, fmt::format("has {} numbers, expected one for all bands or four: idle, "
                                    "normal, focus, realtime",
                                    numbers.size()));
    }
    for (const double number : numbers) {
        checkNumber(table, key, number, kLongestUs);
    }
    value.emplace();
    for (std::size_t band = 0; band < value->size(); ++band) {
        (*value)[band] = numbers[std::min(band, numbers.size() - 1)];
    }
}

}  // namespace

SchedulingOptions readScheduling(const toml::table& source, const std::string& file) {
    StrictTable table(source, file, "scheduling.");
    SchedulingOptions options;
    options.place = table.place("");
    readWord(table, "strategy", driver::kStrategyNames, options.strategy);
    readWord(table, "policy", std::views::transform(fw::policies(), &fw::PolicyRow::name),
             options.policy);
    readWord(table, "mechanism", fw::kMechanismNames, options.mechanism);
    readWord(table, "granularity", fw::kGranularityNames, options.granularity);
    readBands(table, "quantum_us", options.quantumUs);
    readBands(table, "grace_us", options.graceUs);
    readNumber(table, "starvation_share", fw::kMaxStarvationPermille / 1000.0,
               options.starvationShare);
    readNumber(table, "period_us", kLongestUs, options.periodUs);
    readNumber(table, "preempt_timeout_us", kLongestUs, options.preemptTimeoutUs);
    readNumber(table, "checkpoint_us", kLongestUs, options.checkpointUs);
    bool isForced = false;
    if (table.read("forced", isForced)) {
        options.forced = isForced;
    }
    table.finish();
    return options;
}

}  // namespace vnpu::sim
