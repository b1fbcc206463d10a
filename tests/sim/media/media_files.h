// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::test {

/// The bytes of a small file under construction.
class FileBytes {
  public:
    FileBytes& text(std::string_view part) {
        for (const char c : part) {
            bytes_.push_back(static_cast<std::byte>(c));
        }
        return *this;
    }
    /// Little endian, `size` bytes.
    FileBytes& number(std::uint64_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            bytes_.push_back(static_cast<std::byte>(value >> 8 * i));
        }
        return *this;
    }
    FileBytes& numbers(const std::vector<std::int64_t>& values, std::size_t size) {
        for (const std::int64_t value : values) {
            number(static_cast<std::uint64_t>(value), size);
        }
        return *this;
    }
    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

/// 2x2 pixels: (255 0 0) (0 255 0) / (0 0 255) (10 20 30). Written by Python's zlib.
inline const std::vector<std::uint8_t> kPngRgb = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49,
        0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02,
        0x00, 0x00, 0x00, 0xfd, 0xd4, 0x9a, 0x73, 0x00, 0x00, 0x00, 0x13, 0x49, 0x44,
        0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xcf, 0xc0, 0xc0, 0x00, 0xc2, 0x0c, 0xff,
        0xb9, 0x44, 0xe4, 0x00, 0x1a, 0x58, 0x03, 0x3a, 0xe2, 0x92, 0x6e, 0xd9, 0x00,
        0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
/// One gray pixel of 70 with alpha 9.
inline const std::vector<std::uint8_t> kPngGrayAlpha = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
        0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x04, 0x00, 0x00,
        0x00, 0xb5, 0x1c, 0x0c, 0x02, 0x00, 0x00, 0x00, 0x0b, 0x49, 0x44, 0x41, 0x54, 0x78,
        0xda, 0x63, 0x70, 0xe3, 0x04, 0x00, 0x00, 0x98, 0x00, 0x50, 0x98, 0xf7, 0xf8, 0xa5,
        0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

inline std::vector<std::byte> asBytes(const std::vector<std::uint8_t>& values) {
    const auto* begin = reinterpret_cast<const std::byte*>(values.data());
    return {begin, begin + values.size()};
}

/// A 24-bit BMP; `rows` from bottom to top, in the order blue, green, red, without the padding to
/// four bytes.
inline std::vector<std::byte> bitmapFile(std::uint32_t width, std::uint32_t height,
                                         const std::vector<std::vector<std::int64_t>>& rows) {
    const std::size_t padding = (4 - width * 3 % 4) % 4;
    FileBytes file;
    file.text("BM").number(54 + (width * 3 + padding) * height, 4).number(0, 4).number(54, 4);
    file.number(40, 4).number(width, 4).number(height, 4).number(1, 2).number(24, 2);
    file.number(0, 4).number(0, 4).number(2835, 4).number(2835, 4).number(0, 4).number(0, 4);
    for (const auto& row : rows) {
        file.numbers(row, 1).number(0, padding);
    }
    return file.bytes();
}

/// 16-bit PCM; `samples` with the channels interleaved.
inline std::vector<std::byte> waveFile(std::uint32_t rate, std::uint32_t channels,
                                       const std::vector<std::int64_t>& samples) {
    const std::size_t dataBytes = samples.size() * 2;
    FileBytes file;
    file.text("RIFF").number(36 + dataBytes, 4).text("WAVE");
    file.text("fmt ").number(16, 4).number(1, 2).number(channels, 2).number(rate, 4);
    file.number(rate * channels * 2, 4).number(channels * 2, 2).number(16, 2);
    file.text("data").number(dataBytes, 4).numbers(samples, 2);
    return file.bytes();
}

/// Version 1.0, the header padded to 64 bytes.
inline std::vector<std::byte> numpyFile(const std::string& type, const std::string& shape,
                                        const std::vector<std::byte>& data) {
    std::string header =
            "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
    header += '\n';
    FileBytes file;
    file.text("\x93NUMPY").number(1, 1).number(0, 1).number(header.size(), 2).text(header);
    std::vector<std::byte> bytes = file.bytes();
    bytes.insert(bytes.end(), data.begin(), data.end());
    return bytes;
}

}  // namespace vnpu::test
