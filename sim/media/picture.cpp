// SPDX-License-Identifier: Apache-2.0
#include "sim/media/picture.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace vnpu::sim::media {

void requirePictureSize(std::uint64_t width, std::uint64_t height, const std::string& name) {
    // Each extent is bounded before the product, which could wrap around.
    if (width == 0 || height == 0 || width > kMostPixels || height > kMostPixels ||
        width * height > kMostPixels) {
        throw InputError(fmt::format("{}: a picture of {}x{} pixels, expected 1 to {} pixels", name,
                                     width, height, kMostPixels));
    }
}

Picture decodePicture(PictureFormat format, std::span<const std::byte> file,
                      const std::string& name) {
    switch (format) {
        case PictureFormat::kPng:
            return decodePng(file, name);
        case PictureFormat::kJpeg:
            return decodeJpeg(file, name);
        default:
            return decodeBitmap(format, file, name);
    }
}

}  // namespace vnpu::sim::media
