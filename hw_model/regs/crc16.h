// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace vnpu::hw {

namespace detail {

inline constexpr std::size_t kCrcStep = 8;  // bytes that one step takes

/// Entry [k][b]: what byte b contributes to the remainder when k bytes follow it.
constexpr std::array<std::array<std::uint16_t, 256>, kCrcStep> makeCrcTables() {
    constexpr std::uint32_t kPolynomial = 0x1021;
    std::array<std::array<std::uint16_t, 256>, kCrcStep> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte << 8U;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = remainder << 1U ^ ((remainder & 0x8000U) != 0 ? kPolynomial : 0U);
        }
        tables[0][byte] = static_cast<std::uint16_t>(remainder);
    }
    for (std::size_t k = 1; k < kCrcStep; ++k) {
        for (std::uint32_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[k - 1][byte];
            tables[k][byte] =
                    static_cast<std::uint16_t>(before << 8U ^ tables[0][before >> 8U & 0xFFU]);
        }
    }
    return tables;
}

inline constexpr auto kCrcTables = makeCrcTables();

}  // namespace detail

/// CRC-16/IBM-3740: polynomial 0x1021, most significant bit first, initial value 0xFFFF. source:
/// Catalogue of parametrised CRC algorithms (reveng.sourceforge.io)
inline std::uint16_t crc16(std::span<const std::byte> bytes) {
    const auto& tables = detail::kCrcTables;
    std::uint32_t crc = 0xFFFF;
    std::size_t i = 0;
    for (; bytes.size() - i >= detail::kCrcStep; i += detail::kCrcStep) {
        const auto at = [&](std::size_t k) { return std::to_integer<std::uint32_t>(bytes[i + k]); };
        crc = std::uint32_t{tables[7][at(0) ^ crc >> 8U]} ^ tables[6][at(1) ^ (crc & 0xFFU)] ^
              tables[5][at(2)] ^ tables[4][at(3)] ^ tables[3][at(4)] ^ tables[2][at(5)] ^
              tables[1][at(6)] ^ tables[0][at(7)];
    }
    for (; i < bytes.size(); ++i) {
        const auto byte = std::to_integer<std::uint32_t>(bytes[i]);
        crc = (crc << 8U & 0xFFFFU) ^ tables[0][(crc >> 8U ^ byte) & 0xFFU];
    }
    return static_cast<std::uint16_t>(crc);
}

}  // namespace vnpu::hw
