// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace vnpu::sim {

/// A column of a table in a page. It is packed while it grows: an integer takes as many groups of
/// seven bits as it needs, lowest first (LEB128). page/columns.js unpacks it.
class PackedColumn {
  public:
    enum class Coding : std::uint8_t {
        kPlain,  // the values
        kDelta,  // the differences, 0 before the first, with the sign in the lowest bit
    };

    explicit PackedColumn(Coding coding = Coding::kPlain) : coding_(coding) {}

    /// `value` must be below 2^53, the largest integers of a script.
    void add(std::uint64_t value);

    std::size_t size() const { return count_; }

    /// {"coding": "plain" or "delta", "count": size(), "data": compressed()}
    nlohmann::ordered_json json() const;

  private:
    Coding coding_;
    std::size_t count_ = 0;
    std::uint64_t last_ = 0;
    std::string bytes_;
};

/// A column of numbers: {"coding": "double", ...} with the bytes of IEEE 754, lowest first. NaN
/// stands for a missing value.
nlohmann::ordered_json packedNumbers(std::span<const double> values);

/// The bytes as raw DEFLATE (RFC 1951) in Base64. Throws std::runtime_error without memory.
std::string compressed(std::string_view bytes);

}  // namespace vnpu::sim
