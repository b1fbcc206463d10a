// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
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

    /// Each returns false and does not change `value` where the key is absent.
    bool read(std::string_view key, std::uint32_t& value);
    bool read(std::string_view key, std::uint64_t& value);
    bool read(std::string_view key, double& value);
    bool read(std::string_view key, bool& value);
    bool read(std::string_view key, std::string& value);

    /// [[a, b], [c, d]]: pairs of small integers.
    bool readPairs(std::string_view key,
                   std::vector<std::pair<std::uint32_t, std::uint32_t>>& value);

    /// One value or a list of at least one.
    bool readList(std::string_view key, std::vector<std::string>& values);
    bool readList(std::string_view key, std::vector<std::uint32_t>& values);
    bool readList(std::string_view key, std::vector<double>& values);

    /// As read, for one of `words`, and returns its index; the message lists the words.
    bool readChoice(std::string_view key, const std::vector<std::string>& words,
                    std::size_t& index);
    bool readChoiceList(std::string_view key, const std::vector<std::string>& words,
                        std::vector<std::size_t>& indices);

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

    /// Throws when the key is absent; names an unknown key that looks like it.
    void require(std::string_view key, std::string_view expected) const;

    /// Throws when the key is absent and an unknown key looks like it.
    void rejectSlipOf(std::string_view key) const;

    std::uint32_t lineOf(std::string_view key) const;
    /// "file:line" of the key.
    std::string place(std::string_view key) const;

  private:
    bool isKnown(std::string_view key) const;
    [[noreturn]] void failUnknown(const toml::key& key,
                                  const std::vector<std::string>& candidates) const;
    const toml::node* find(std::string_view key);
    std::uint64_t readUnsigned(std::string_view key, const toml::node& node, std::uint64_t limit);
    double readNumber(std::string_view key, const toml::node& node) const;
    std::string readString(std::string_view key, const toml::node& node) const;
    std::size_t findWord(std::string_view key, const std::string& word,
                         const std::vector<std::string>& words) const;
    /// Calls `take` for the value, or for each of the list.
    template <typename Take>
    bool readEach(std::string_view key, Take&& take);
    /// Reads the values that `take` returns; changes nothing where the key is absent.
    template <typename Value, typename Take>
    bool readAll(std::string_view key, std::vector<Value>& values, Take take);
    template <typename Value, typename Take>
    bool readOne(std::string_view key, Value& value, Take take);

    const toml::table& table_;
    const std::string& file_;
    std::string prefix_;
    std::vector<std::string> known_;
};

}  // namespace vnpu::sim
