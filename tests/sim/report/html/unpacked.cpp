// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/report/html/unpacked.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <cstring>

namespace vnpu::test {

namespace {

std::string bytesOfBase64(std::string_view text) {
    constexpr std::string_view kDigits =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    bool areDigits = true;
    for (const char c : text.substr(0, text.find('='))) {
        const std::size_t digit = kDigits.find(c);
        areDigits = areDigits && digit != std::string_view::npos;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFF);
        }
    }
    REQUIRE(areDigits);
    return bytes;
}

}  // namespace

std::string inflated(std::string_view base64) {
    std::string packed = bytesOfBase64(base64);
    std::string out(std::size_t{1} << 24, '\0');
    z_stream stream = {};
    REQUIRE(inflateInit2(&stream, -15) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<unsigned>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<unsigned>(out.size());
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    CHECK(stream.avail_in == 0);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

std::vector<std::uint64_t> integersOf(const nlohmann::ordered_json& column) {
    const bool isDelta = column["coding"] == "delta";
    REQUIRE((isDelta || column["coding"] == "plain"));
    std::vector<std::uint64_t> values;
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char c : inflated(column["data"].get<std::string>())) {
        const auto byte = static_cast<unsigned char>(c);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        shift += 7;
        if (byte < 0x80) {
            if (isDelta) {
                const std::uint64_t step = value >> 1;
                const std::uint64_t last = values.empty() ? 0 : values.back();
                value = value % 2 == 0 ? last + step : last - step - 1;
            }
            values.push_back(value);
            value = 0;
            shift = 0;
        }
    }
    CHECK(values.size() == column["count"].get<std::size_t>());
    return values;
}

std::vector<double> numbersOf(const nlohmann::ordered_json& column) {
    REQUIRE(column["coding"] == "double");
    const std::string bytes = inflated(column["data"].get<std::string>());
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    CHECK(values.size() == column["count"].get<std::size_t>());
    return values;
}

}  // namespace vnpu::test
