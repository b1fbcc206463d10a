// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim {

/// What kind of change of a quantity is a regression.
enum class Better {
    kLower,    // a rise
    kHigher,   // a fall
    kSame,     // any change
    kNeither,  // none: changes are told
};

/// How much a quantity may change before the change counts: `relative` of the value before, and
/// `absolute` in the quantity's unit, together.
struct Tolerance {
    double relative = 0.0;
    double absolute = 0.0;
    bool isAny = false;  // every change is within it

    double allowed(double before) const;
    /// "1 % + 50", "any", "0".
    std::string text() const;
};

/// "lower is better", for people.
std::string_view directionText(Better better);

/// A quantity of results.
struct Quantity {
    std::string_view name;  // "cycles"; "sla_*" for all that begin so
    Better better = Better::kNeither;
    Tolerance tolerance{};
    std::string_view meaning;  // in words, with the unit
};

/// All known quantities, in the order of the list that users see. Quantities that are not known
/// have the direction kNeither.
const std::vector<Quantity>& quantities();

/// The quantity of that name; one without a direction if it is not known.
Quantity quantityOf(std::string_view name);

/// How good a verdict is, for words that have an order: "failed" 0, "skipped" 1, "passed" 2. Empty
/// for other words.
std::optional<int> rankOf(std::string_view word);

/// Tolerances of the user, by "QUANTITY", "KIND.QUANTITY" or "*", over the default ones.
class Tolerances {
  public:
    /// "NAME=VALUE", where VALUE is "1%", "0.5", "1%+50" or "any". Throws InputError that begins
    /// with `place`.
    void add(std::string_view text, const std::string& place);
    /// A TOML file with the values of add() by name in a table [tolerance]. Throws InputError.
    void addFile(const std::string& file);

    /// The most specific tolerance: of kind and quantity, of the quantity, of "*", the default.
    Tolerance of(const std::string& kind, const std::string& quantity) const;
    /// Where that one was given: "--tolerance", a file and its line, or "default".
    std::string placeOf(const std::string& kind, const std::string& quantity) const;

    /// Throws InputError for a name that is neither "*" nor one of quantities(), with or without a
    /// kind, nor one for which `isInResults` is true: a typing mistake.
    void checkNames(const std::function<bool(std::string_view)>& isInResults) const;

  private:
    struct Entry {
        Tolerance tolerance;
        std::string place;
    };

    /// The most specific entry; null if the default holds.
    const Entry* find(const std::string& kind, const std::string& quantity) const;

    std::map<std::string, Entry, std::less<>> byName_;
};

}  // namespace vnpu::sim
