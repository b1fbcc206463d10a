// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vnpu::sim::media {

/// A decoded picture with 8 bits per sample, rows from top to bottom, channels interleaved.
struct Picture {
    std::uint32_t width = 0, height = 0;
    std::uint32_t channels = 0;  // 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha
    std::vector<std::uint8_t> samples;
};

enum class PictureFormat { kPng, kJpeg, kBmp, kPnm };

/// Larger pictures are refused before memory is taken for them.
inline constexpr std::uint64_t kMostPixels = 1U << 26;  // chosen: 64 megapixels, 256 MiB as RGBA

/// Decodes a whole file. `name` is for messages. Throws InputError.
Picture decodePicture(PictureFormat format, std::span<const std::byte> file,
                      const std::string& name);

/// One decoder each, for decodePicture().
Picture decodePng(std::span<const std::byte> file, const std::string& name);
Picture decodeJpeg(std::span<const std::byte> file, const std::string& name);
Picture decodeBitmap(PictureFormat format, std::span<const std::byte> file,
                     const std::string& name);

/// Refuses an empty picture and one of more than kMostPixels.
void requirePictureSize(std::uint64_t width, std::uint64_t height, const std::string& name);

}  // namespace vnpu::sim::media
