// SPDX-License-Identifier: Apache-2.0
#include "sim/config/strict_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "sim/base/duration.h"
#include "sim/base/error.h"

namespace vnpu::sim {

namespace {

std::string lower(std::string_view word) {
    std::string out(word);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return out;
}

/// The number of insertions, removals, replacements and swaps of neighbors that turn a into b.
std::size_t editDistance(const std::string& a, const std::string& b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({replaced, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

std::string_view typeName(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
            return "an integer";
        case toml::node_type::floating_point:
            return "a decimal number";
        case toml::node_type::boolean:
            return "a boolean";
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "an array";
        default:
            return "a date or time";
    }
}

}  // namespace

toml::table parseToml(std::string_view text, const std::string& file) {
    try {
        return toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        throw InputError(fmt::format("{}:{}: {}", file, error.source().begin.line,
                                     std::string(error.description())));
    }
}

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string wanted = lower(word);
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(1, wanted.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(wanted, lower(candidate));
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string nearest = nearestWord(word, candidates);
    return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

StrictTable::StrictTable(const toml::table& table, const std::string& file, std::string prefix)
    : table_(table), file_(file), prefix_(std::move(prefix)) {}

bool StrictTable::has(std::string_view key) const {
    return table_.get(key) != nullptr;
}

const toml::node* StrictTable::find(std::string_view key) {
    know(key);
    return table_.get(key);
}

void StrictTable::know(std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        know(key);
    }
}

bool StrictTable::isKnown(std::string_view key) const {
    return std::find(known_.begin(), known_.end(), key) != known_.end();
}

void StrictTable::failUnknown(const toml::key& key,
                              const std::vector<std::string>& candidates) const {
    const std::string nearest = didYouMean(key.str(), candidates);
    const std::string expected =
            nearest.empty() ? fmt::format(", expected one of {}", fmt::join(candidates, ", "))
                            : nearest;
    throw InputError(fmt::format("{}:{}: unknown key {}{}{}", file_, key.source().begin.line,
                                 prefix_, key.str(), expected));
}

void StrictTable::know(std::string_view key) {
    if (!isKnown(key)) {
        known_.emplace_back(key);
    }
}

std::uint32_t StrictTable::lineOf(std::string_view key) const {
    const toml::node* node = table_.get(key);
    const toml::source_index line =
            node != nullptr ? node->source().begin.line : table_.source().begin.line;
    return std::max<std::uint32_t>(1, line);
}

std::string StrictTable::place(std::string_view key) const {
    return fmt::format("{}:{}", file_, lineOf(key));
}

void StrictTable::fail(std::string_view key, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}{} {}", file_, lineOf(key), prefix_, key, what));
}

void StrictTable::rejectSlipOf(std::string_view key) const {
    if (has(key)) {
        return;
    }
    for (const auto& [present, node] : table_) {
        if (!isKnown(present.str()) && !nearestWord(present.str(), {std::string(key)}).empty()) {
            failUnknown(present, {std::string(key)});
        }
    }
}

void StrictTable::require(std::string_view key, std::string_view expected) const {
    rejectSlipOf(key);
    if (!has(key)) {
        fail(key, fmt::format("is missing, expected {}", expected));
    }
}

void StrictTable::expect(std::string_view key, const toml::node& node, bool isType,
                         std::string_view type) const {
    if (!isType) {
        fail(key, fmt::format("is {}, expected {}", typeName(node), type));
    }
}

std::uint64_t StrictTable::unsignedOf(std::string_view key, const toml::node& node,
                                      std::uint64_t limit) const {
    expect(key, node, node.is_integer(), "an integer");
    const std::int64_t value = node.as_integer()->get();
    if (value < 0 || static_cast<std::uint64_t>(value) > limit) {
        fail(key, fmt::format("is {}, expected 0 to {}", value, limit));
    }
    return static_cast<std::uint64_t>(value);
}

void StrictTable::take(std::string_view key, const toml::node& node, std::uint32_t& value) const {
    value = static_cast<std::uint32_t>(unsignedOf(key, node, UINT32_MAX));
}

void StrictTable::take(std::string_view key, const toml::node& node, std::uint64_t& value) const {
    value = unsignedOf(key, node, INT64_MAX);
}

void StrictTable::take(std::string_view key, const toml::node& node, double& value) const {
    expect(key, node, node.is_number(), "a number");
    value = *node.value<double>();
}

void StrictTable::take(std::string_view key, const toml::node& node, bool& value) const {
    expect(key, node, node.is_boolean(), "true or false");
    value = node.as_boolean()->get();
}

void StrictTable::take(std::string_view key, const toml::node& node, std::string& value) const {
    expect(key, node, node.is_string(), "a string");
    value = node.as_string()->get();
}

std::size_t StrictTable::findWord(std::string_view key, const std::string& word,
                                  const std::vector<std::string>& words) const {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
        fail(key, fmt::format("is \"{}\", expected one of {}{}", word, fmt::join(words, ", "),
                              didYouMean(word, words)));
    }
    return static_cast<std::size_t>(found - words.begin());
}

std::vector<const toml::node*> StrictTable::elementsOf(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return {};
    }
    if (!node->is_array()) {
        return {node};
    }
    if (node->as_array()->empty()) {
        fail(key, "is an empty list, expected a value or a list of them");
    }
    std::vector<const toml::node*> nodes;
    for (const toml::node& element : *node->as_array()) {
        nodes.push_back(&element);
    }
    return nodes;
}

bool StrictTable::readPairs(std::string_view key,
                            std::vector<std::pair<std::uint32_t, std::uint32_t>>& value) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return false;
    }
    const auto isPair = [](const toml::node& element) {
        return element.is_array() && element.as_array()->size() == 2;
    };
    const toml::array* list = node->as_array();
    if (list == nullptr || !std::all_of(list->begin(), list->end(), isPair)) {
        fail(key, "is not a list of pairs, expected [[0, 1], ...]");
    }
    value.clear();
    for (const toml::node& element : *list) {
        const toml::array& pair = *element.as_array();
        take(key, pair[0], value.emplace_back().first);
        take(key, pair[1], value.back().second);
    }
    return true;
}

const toml::table* StrictTable::table(std::string_view key) {
    const toml::node* node = find(key);
    if (node != nullptr) {
        expect(key, *node, node->is_table(), "a table");
    }
    return node == nullptr ? nullptr : node->as_table();
}

const toml::array* StrictTable::tableArray(std::string_view key) {
    const toml::node* node = find(key);
    if (node != nullptr) {
        expect(key, *node, node->is_array_of_tables(),
               fmt::format("[[{}{}]] tables", prefix_, key));
    }
    return node == nullptr ? nullptr : node->as_array();
}

void StrictTable::finish() const {
    const toml::key* first = nullptr;
    for (const auto& [key, node] : table_) {
        if (!isKnown(key.str()) &&
            (first == nullptr || key.source().begin.line < first->source().begin.line)) {
            first = &key;
        }
    }
    if (first != nullptr) {
        std::vector<std::string> sorted = known_;
        std::sort(sorted.begin(), sorted.end());
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        failUnknown(*first, sorted);
    }
}

bool readDuration(StrictTable& table, std::string_view key, std::uint64_t& timeNs, bool mayBeZero) {
    std::string text;
    if (!table.read(key, text)) {
        return false;
    }
    const std::optional<std::uint64_t> parsed = parseDuration(text);
    if (!parsed) {
        table.fail(key, fmt::format("is \"{}\", expected {}", text, kDurationForm));
    }
    if (*parsed == 0 && !mayBeZero) {
        table.fail(key, "is zero, expected a longer duration");
    }
    timeNs = *parsed;
    return true;
}

}  // namespace vnpu::sim
