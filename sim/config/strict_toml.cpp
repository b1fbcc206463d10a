// SPDX-License-Identifier: Apache-2.0
#include "sim/config/strict_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

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

std::uint64_t StrictTable::readUnsigned(std::string_view key, const toml::node& node,
                                        std::uint64_t limit) {
    if (!node.is_integer()) {
        fail(key, fmt::format("is {}, expected an integer", typeName(node)));
    }
    const std::int64_t value = node.as_integer()->get();
    if (value < 0 || static_cast<std::uint64_t>(value) > limit) {
        fail(key, fmt::format("is {}, expected 0 to {}", value, limit));
    }
    return static_cast<std::uint64_t>(value);
}

double StrictTable::readNumber(std::string_view key, const toml::node& node) const {
    if (!node.is_number()) {
        fail(key, fmt::format("is {}, expected a number", typeName(node)));
    }
    return *node.value<double>();
}

std::string StrictTable::readString(std::string_view key, const toml::node& node) const {
    if (!node.is_string()) {
        fail(key, fmt::format("is {}, expected a string", typeName(node)));
    }
    return node.as_string()->get();
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

template <typename Take>
bool StrictTable::readEach(std::string_view key, Take&& take) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return false;
    }
    if (!node->is_array()) {
        take(*node);
        return true;
    }
    if (node->as_array()->empty()) {
        fail(key, "is an empty list, expected a value or a list of them");
    }
    for (const toml::node& element : *node->as_array()) {
        take(element);
    }
    return true;
}

template <typename Value, typename Take>
bool StrictTable::readAll(std::string_view key, std::vector<Value>& values, Take take) {
    std::vector<Value> found;
    const bool isThere =
            readEach(key, [&](const toml::node& node) { found.push_back(take(node)); });
    if (isThere) {
        values = std::move(found);
    }
    return isThere;
}

bool StrictTable::readList(std::string_view key, std::vector<std::string>& values) {
    return readAll(key, values, [&](const toml::node& node) { return readString(key, node); });
}

bool StrictTable::readList(std::string_view key, std::vector<std::uint32_t>& values) {
    return readAll(key, values, [&](const toml::node& node) {
        return static_cast<std::uint32_t>(readUnsigned(key, node, UINT32_MAX));
    });
}

bool StrictTable::readList(std::string_view key, std::vector<double>& values) {
    return readAll(key, values, [&](const toml::node& node) { return readNumber(key, node); });
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
        value.emplace_back(static_cast<std::uint32_t>(readUnsigned(key, pair[0], UINT32_MAX)),
                           static_cast<std::uint32_t>(readUnsigned(key, pair[1], UINT32_MAX)));
    }
    return true;
}

template <typename Value, typename Take>
bool StrictTable::readOne(std::string_view key, Value& value, Take take) {
    const toml::node* node = find(key);
    if (node != nullptr) {
        value = take(*node);
    }
    return node != nullptr;
}

bool StrictTable::read(std::string_view key, std::uint32_t& value) {
    return readOne(key, value, [&](const toml::node& node) {
        return static_cast<std::uint32_t>(readUnsigned(key, node, UINT32_MAX));
    });
}

bool StrictTable::read(std::string_view key, std::uint64_t& value) {
    return readOne(key, value,
                   [&](const toml::node& node) { return readUnsigned(key, node, INT64_MAX); });
}

bool StrictTable::read(std::string_view key, double& value) {
    return readOne(key, value, [&](const toml::node& node) { return readNumber(key, node); });
}

bool StrictTable::read(std::string_view key, bool& value) {
    return readOne(key, value, [&](const toml::node& node) {
        if (!node.is_boolean()) {
            fail(key, fmt::format("is {}, expected true or false", typeName(node)));
        }
        return node.as_boolean()->get();
    });
}

bool StrictTable::read(std::string_view key, std::string& value) {
    return readOne(key, value, [&](const toml::node& node) { return readString(key, node); });
}

bool StrictTable::readChoice(std::string_view key, const std::vector<std::string>& words,
                             std::size_t& index) {
    std::string word;
    if (!read(key, word)) {
        return false;
    }
    index = findWord(key, word, words);
    return true;
}

bool StrictTable::readChoiceList(std::string_view key, const std::vector<std::string>& words,
                                 std::vector<std::size_t>& indices) {
    std::vector<std::string> chosen;
    if (!readList(key, chosen)) {
        return false;
    }
    indices.clear();
    for (const std::string& word : chosen) {
        indices.push_back(findWord(key, word, words));
    }
    return true;
}

const toml::table* StrictTable::table(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return nullptr;
    }
    if (!node->is_table()) {
        fail(key, fmt::format("is {}, expected a table", typeName(*node)));
    }
    return node->as_table();
}

const toml::array* StrictTable::tableArray(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) {
        return nullptr;
    }
    if (!node->is_array_of_tables()) {
        fail(key, fmt::format("is {}, expected [[{}{}]] tables", typeName(*node), prefix_, key));
    }
    return node->as_array();
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

}  // namespace vnpu::sim
