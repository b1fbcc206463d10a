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

/// The candidate nearest to `word` if it is near enough to be a slip of the keyboard, else empty.
std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates);

/// "; did you mean "x"?" or nothing.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

/// One table of a user's file, read strictly: every key has one type and range, and a key that
/// nobody asked for is an error. Messages read `file:line: what, expected what`. One thread; keeps
/// references to what it was made from.
class StrictTable {
  public:
    /// `prefix` stands before key names in messages ("mac." or "").
    StrictTable(const toml::table& table, const std::string& file, std::string prefix);

    bool has(std::string_view key) const;

    /// Each returns false and leaves `value` where the key is absent.
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

    /// As read, but one of `words` (its index); the message lists them.
    bool readChoice(std::string_view key, const std::vector<std::string>& words,
                    std::size_t& index);
    bool readChoiceList(std::string_view key, const std::vector<std::string>& words,
                        std::vector<std::size_t>& indices);

    /// A subtable, or null where it is absent.
    const toml::table* table(std::string_view key);

    /// An array of tables, or null where it is absent.
    const toml::array* tableArray(std::string_view key);

    /// Names keys that exist though they may not be read, so that finish() and require() know them.
    void know(std::initializer_list<std::string_view> keys);
    void know(std::string_view key);

    /// Throws for the first key in the file that nobody asked for.
    void finish() const;

    /// Throws InputError at the key's line (the table's, where the key is absent).
    [[noreturn]] void fail(std::string_view key, const std::string& what) const;

    /// Throws when the key is absent; where an unknown key looks like it, that one is named.
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

    const toml::table& table_;
    const std::string& file_;
    std::string prefix_;
    std::vector<std::string> known_;
};

}  // namespace vnpu::sim
