// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/media/picture.h"

namespace vnpu::sim::media {

/// How a picture of another aspect ratio is brought to the model's.
enum class Fit {
    kStretch,  // the whole picture, distorted
    kCrop,     // the largest centered part with the model's aspect ratio
};

/// A picture as real numbers, channels interleaved.
struct Plane {
    std::uint32_t width = 0, height = 0, channels = 0;
    std::vector<float> values;
};

/// Gray, RGB or RGBA with 1, 3 or 4 channels. Gray from RGB is 0.299 R + 0.587 G + 0.114 B
/// (BT.601). Alpha is dropped, not blended; where the picture has none, it is 255.
Plane toChannels(const Picture& picture, std::uint32_t channels);

/// Bilinear with half-pixel centers: the value of pixel x comes from (x + 0.5) * part / width - 0.5
/// in the part of the picture, with the edge's pixels beyond the edge. There is no low-pass filter:
/// each value is of at most four pixels.
Plane resize(const Plane& plane, std::uint32_t width, std::uint32_t height, Fit fit);

}  // namespace vnpu::sim::media
