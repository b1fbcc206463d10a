// SPDX-License-Identifier: Apache-2.0
#include "sim/ci/xml_text.h"

#include <doctest/doctest.h>

#include <string>

using vnpu::sim::xmlText;

namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

}  // namespace

TEST_SUITE_BEGIN("sim/ci/xml_text");

TEST_CASE("valid characters of one to four bytes stay") {
    const std::string text =
            "a\t\n\r ~\x7F \xC2\x80 \xDF\xBF \xE0\xA0\x80 \xED\x9F\xBF "
            "\xEE\x80\x80 \xEF\xBF\xBD \xF0\x90\x80\x80 \xF4\x8F\xBF\xBF";
    CHECK(xmlText(text) == text);
}

TEST_CASE("control characters, surrogates and noncharacters are replaced [XML 1.0, 2.2]") {
    CHECK(xmlText(std::string("a\0b", 3)) == "a" + kReplacement + "b");
    CHECK(xmlText("\x01\x1F") == kReplacement + kReplacement);
    for (const char* three : {"\xED\xA0\x80", "\xED\xBF\xBF", "\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
        CHECK(xmlText(three) == kReplacement + kReplacement + kReplacement);
    }
}

TEST_CASE("bytes that are no UTF-8 are replaced one by one [RFC 3629, 3]") {
    CHECK(xmlText("\x80") == kReplacement);
    CHECK(xmlText("\xC0\xAF") == kReplacement + kReplacement);  // longer than needed
    CHECK(xmlText("\xE0\x9F\xBF") == kReplacement + kReplacement + kReplacement);
    CHECK(xmlText("\xF4\x90\x80\x80").size() == 4 * kReplacement.size());  // above U+10FFFF
    CHECK(xmlText("\xE2\x82") == kReplacement + kReplacement);             // cut off
    CHECK(xmlText("\xE2(a") == kReplacement + "(a");
}

TEST_SUITE_END();
