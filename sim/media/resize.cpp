// SPDX-License-Identifier: Apache-2.0
#include "sim/media/resize.h"

#include <algorithm>
#include <cmath>

namespace vnpu::sim::media {

namespace {

/// Where one output pixel comes from along one axis.
struct Tap {
    std::size_t first = 0, second = 0;
    float weight = 0.0F;  // of the second
};

/// `begin` and `part` are the used part of an axis of `size` pixels.
std::vector<Tap> tapsOf(double begin, double part, std::uint32_t size, std::uint32_t target) {
    std::vector<Tap> taps(target);
    for (std::uint32_t i = 0; i < target; ++i) {
        const double place = std::clamp(begin + (i + 0.5) * part / target - 0.5, 0.0, size - 1.0);
        const double first = std::floor(place);
        taps[i].first = static_cast<std::size_t>(first);
        taps[i].second = std::min<std::size_t>(taps[i].first + 1, size - 1);
        taps[i].weight = static_cast<float>(place - first);
    }
    return taps;
}

}  // namespace

Plane toChannels(const Picture& picture, std::uint32_t channels) {
    const std::size_t count = std::size_t{picture.width} * picture.height;
    const bool isColor = picture.channels >= 3;
    const bool hasAlpha = picture.channels % 2 == 0;
    Plane plane{picture.width, picture.height, channels, std::vector<float>(count * channels)};
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* from = picture.samples.data() + i * picture.channels;
        float* to = plane.values.data() + i * channels;
        const auto red = static_cast<float>(from[0]);
        const float green = isColor ? static_cast<float>(from[1]) : red;
        const float blue = isColor ? static_cast<float>(from[2]) : red;
        if (channels == 1) {
            to[0] = isColor ? 0.299F * red + 0.587F * green + 0.114F * blue : red;
            continue;
        }
        to[0] = red;
        to[1] = green;
        to[2] = blue;
        if (channels == 4) {
            to[3] = hasAlpha ? static_cast<float>(from[picture.channels - 1]) : 255.0F;
        }
    }
    return plane;
}

Plane resize(const Plane& plane, std::uint32_t width, std::uint32_t height, Fit fit) {
    double partWidth = plane.width, partHeight = plane.height;
    if (fit == Fit::kCrop) {
        const double scale = std::min(partWidth / width, partHeight / height);
        partWidth = width * scale;
        partHeight = height * scale;
    }
    const auto columns = tapsOf((plane.width - partWidth) / 2, partWidth, plane.width, width);
    const auto rows = tapsOf((plane.height - partHeight) / 2, partHeight, plane.height, height);
    const std::size_t channels = plane.channels;
    Plane result{width, height, plane.channels,
                 std::vector<float>(std::size_t{width} * height * channels)};
    const auto valueAt = [&](std::size_t row, std::size_t column, std::size_t channel) {
        return plane.values[(row * plane.width + column) * channels + channel];
    };
    float* to = result.values.data();
    for (const Tap& row : rows) {
        for (const Tap& column : columns) {
            for (std::size_t channel = 0; channel < channels; ++channel) {
                const float upper =
                        std::lerp(valueAt(row.first, column.first, channel),
                                  valueAt(row.first, column.second, channel), column.weight);
                const float lower =
                        std::lerp(valueAt(row.second, column.first, channel),
                                  valueAt(row.second, column.second, channel), column.weight);
                *to++ = std::lerp(upper, lower, row.weight);
            }
        }
    }
    return result;
}

}  // namespace vnpu::sim::media
