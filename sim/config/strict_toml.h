// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vnpu::sim {

/// Parses TOML text; a syntax error becomes an InputError with `file:line`.
toml::table parseToml(std::string_view text, const std::string& file);

/// The candidate nearest to `word` if it is near enough for a typing mistake, else empty.
std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean "x"?" or nothing.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

/// One table of a user's file, read strictly: every key has one type and range, and a key that no
/// reader asked for is an error. Messages read `file:line: what, expected what`. One thread; keeps
/// references to the constructor arguments.
class StrictTable {
  public:
    /// `prefix` precedes key names in messages ("mac." or "").
    StrictTable(const toml::table& table, const std::string& file, std::string prefix);

    bool has(std::string_view key) const;

    /// Reads a number (std::uint32_t, std::uint64_t, double), bool or std::string. Like all
    /// functions below, returns false and leaves `value` unchanged if the key is absent.
    template <typename Value>
    bool read(std::string_view key, Value& value) {
        const toml::node* node = find(key);
        if (node != nullptr) {
            take(key, *node, value);
        }
        return node != nullptr;
    }

    /// One value or a list of at least one.
    template <typename Value>
    bool readList(std::string_view key, std::vector<Value>& values) {
        const std::vector<const toml::node*> nodes = elementsOf(key);
        std::vector<Value> found(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            take(key, *nodes[i], found[i]);
        }
        values = nodes.empty() ? values : std::move(found);
        return !nodes.empty();
    }

    /// [[a, b], [c, d]]: pairs of small integers.
    bool readPairs(std::string_view key,
                   std::vector<std::pair<std::uint32_t, std::uint32_t>>& value);

    /// Reads one of `names`, which are those of the enumerators from 0 on; the message lists them.
    template <typename Names, typename Enum>
    bool readChoice(std::string_view key, const Names& names, Enum& value) {
        std::string word;
        if (read(key, word)) {
            value = static_cast<Enum>(findWord(key, word, {std::begin(names), std::end(names)}));
            return true;
        }
        return false;
    }
    template <typename Names, typename Enum>
    bool readChoiceList(std::string_view key, const Names& names, std::vector<Enum>& values) {
        std::vector<std::string> words;
        if (readList(key, words)) {
            values.clear();
            for (const std::string& word : words) {
                values.push_back(static_cast<Enum>(
                        findWord(key, word, {std::begin(names), std::end(names)})));
            }
        }
        return !words.empty();
    }

    /// A subtable, or null where it is absent.
    const toml::table* table(std::string_view key);

    /// An array of tables, or null where it is absent.
    const toml::array* tableArray(std::string_view key);

    /// Declares keys that exist even if they are not read, for finish() and require().
    void know(std::initializer_list<std::string_view> keys);
    void know(std::string_view key);

    /// Throws for the first key in the file that was neither read nor declared.
    void finish() const;

    /// Throws InputError with the key's line (the table's line where the key is absent).
    [[noreturn]] void fail(std::string_view key, const std::string& what) const;

    /// Throws if the key is absent; the message mentions a similar unknown key.
    void require(std::string_view key, std::string_view expected) const;

    /// Throws if the key is absent and a similar unknown key exists.
    void rejectSlipOf(std::string_view key) const;

    std::uint32_t lineOf(std::string_view key) const;
    /// "file:line" of the key.
    std::string place(std::string_view key) const;

  private:
    bool isKnown(std::string_view key) const;
    [[noreturn]] void failUnknown(const toml::key& key,
                                  const std::vector<std::string>& candidates) const;
    const toml::node* find(std::string_view key);
    /// The value, or those of the list; none where the key is absent.
    std::vector<const toml::node*> elementsOf(std::string_view key);
    /// Fails unless the value has the right type.
    void expect(std::string_view key, const toml::node& node, bool isType,
                std::string_view type) const;
    std::uint64_t unsignedOf(std::string_view key, const toml::node& node,
                             std::uint64_t limit) const;
    void take(std::string_view key, const toml::node& node, std::uint32_t& value) const;
    void take(std::string_view key, const toml::node& node, std::uint64_t& value) const;
    void take(std::string_view key, const toml::node& node, double& value) const;
    void take(std::string_view key, const toml::node& node, bool& value) const;
    void take(std::string_view key, const toml::node& node, std::string& value) const;
    std::size_t findWord(std::string_view key, const std::string& word,
                         const std::vector<std::string>& words) const;

    const toml::table& table_;
    const std::string& file_;
    std::string prefix_;
    std::vector<std::string> known_;
};

/// Reads a duration in the form of base/duration.h; false where the key is absent.
bool readDuration(StrictTable& table, std::string_view key, std::uint64_t& nanoseconds,
                  bool mayBeZero);

}  // namespace vnpu::sim
