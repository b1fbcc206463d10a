// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/xml_text.h"

#include <cstddef>
#include <cstdint>

namespace vnpu::sim {

namespace {

/// The length in bytes of the character at the beginning of a text that is not empty; 0 if there is
/// no valid UTF-8, or if XML does not allow the character.
std::size_t lengthOfCharacter(std::string_view text) {
    const auto byteAt = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byteAt(0);
    if (first < 0x80) {
        return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
    }
    // source: RFC 3629, section 4
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) {
        return 0;
    }
    std::uint32_t code = first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(i) & 0xC0U) != 0x80U) {
            return 0;
        }
        code = code << 6U | (byteAt(i) & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool isAllowed =  // source: XML 1.0, production 2 (Char)
            code >= kLeast[length] && code <= 0x10FFFF && !isSurrogate && code != 0xFFFE &&
            code != 0xFFFF;
    return isAllowed ? length : 0;
}

}  // namespace

std::string xmlText(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = lengthOfCharacter(text);
        if (length == 0) {
            out += "\xEF\xBF\xBD";
            text.remove_prefix(1);
        } else {
            out += text.substr(0, length);
            text.remove_prefix(length);
        }
    }
    return out;
}

}  // namespace vnpu::sim
