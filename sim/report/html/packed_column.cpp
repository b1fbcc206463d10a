// SPDX-License-Identifier: Apache-2.0
#include "sim/report/html/packed_column.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

namespace vnpu::sim {

namespace {

constexpr unsigned kGroupBits = 7;
constexpr std::uint64_t kGroupMask = (1U << kGroupBits) - 1;
constexpr char kMoreGroups = static_cast<char>(0x80);

/// The sign in the lowest bit, so that small numbers of both signs are short.
std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

nlohmann::ordered_json columnJson(const char* coding, std::size_t count, std::string_view bytes) {
    return {{"coding", coding}, {"count", count}, {"data", compressed(bytes)}};
}

std::string base64(std::string_view bytes) {
    // EVP_EncodeBlock counts in int; whole groups of three bytes give no padding in between.
    constexpr std::size_t kBlock = std::size_t{3} << 20;
    std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // and the zero that it appends
    std::size_t length = 0;
    for (std::size_t from = 0; from < bytes.size(); from += kBlock) {
        const std::string_view block = bytes.substr(from, kBlock);
        length += static_cast<std::size_t>(
                EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + length),
                                reinterpret_cast<const unsigned char*>(block.data()),
                                static_cast<int>(block.size())));
    }
    out.resize(length);
    return out;
}

}  // namespace

void PackedColumn::add(std::uint64_t value) {
    std::uint64_t rest = value;
    if (coding_ == Coding::kDelta) {
        rest = zigzag(static_cast<std::int64_t>(value - std::exchange(last_, value)));
    }
    for (; rest > kGroupMask; rest >>= kGroupBits) {
        bytes_ += static_cast<char>(rest & kGroupMask) | kMoreGroups;
    }
    bytes_ += static_cast<char>(rest);
    ++count_;
}

nlohmann::ordered_json PackedColumn::json() const {
    return columnJson(coding_ == Coding::kDelta ? "delta" : "plain", count_, bytes_);
}

nlohmann::ordered_json packedNumbers(std::span<const double> values) {
    std::string bytes;
    bytes.reserve(values.size() * sizeof(double));
    for (const double value : values) {
        auto bits = std::bit_cast<std::uint64_t>(value);
        for (std::size_t i = 0; i < sizeof(double); ++i, bits >>= 8) {
            bytes += static_cast<char>(bits & 0xFF);
        }
    }
    return columnJson("double", values.size(), bytes);
}

std::string compressed(std::string_view bytes) {
    constexpr int kRawDeflate = -15;  // zlib: a window of 32 KiB without header and checksum
    constexpr int kMemoryLevel = 8;   // zlib's default
    z_stream stream = {};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRawDeflate, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("can't compress the data of a page: no memory");
    }
    std::string out;
    std::string buffer(std::size_t{1} << 16, '\0');
    std::string_view rest = bytes;
    int state = Z_OK;
    while (state == Z_OK) {
        if (stream.avail_in == 0 && !rest.empty()) {
            const std::string_view part =
                    rest.substr(0, std::numeric_limits<decltype(stream.avail_in)>::max());
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
            stream.avail_in = static_cast<decltype(stream.avail_in)>(part.size());
            rest.remove_prefix(part.size());
        }
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<decltype(stream.avail_out)>(buffer.size());
        state = deflate(&stream, rest.empty() ? Z_FINISH : Z_NO_FLUSH);
        out.append(buffer, 0, buffer.size() - stream.avail_out);
    }
    deflateEnd(&stream);
    return base64(out);
}

}  // namespace vnpu::sim
