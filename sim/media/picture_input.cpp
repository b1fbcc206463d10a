// SPDX-License-Identifier: Apache-2.0
#include "sim/media/picture_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/base/error.h"
#include "sim/media/tensor_values.h"

namespace vnpu::sim::media {

namespace {

using Type = android::hardware::neuralnetworks::V1_3::OperandType;

/// A tensor seen as one picture.
struct PictureShape {
    std::uint32_t height = 0, width = 0, channels = 0;
    bool isPlanar = false;  // channels before height and width
};

bool isChannelCount(std::uint32_t extent) {
    return extent == 1 || extent == 3 || extent == 4;
}

/// [1] height width channels, [1] channels height width, or height width. Where both fit, channels
/// are last.
std::optional<PictureShape> pictureShapeOf(std::vector<std::uint32_t> dims) {
    while (dims.size() > 3 && dims.front() == 1) {
        dims.erase(dims.begin());
    }
    std::optional<PictureShape> shape;
    if (dims.size() == 2) {
        shape = {dims[0], dims[1], 1, false};
    } else if (dims.size() == 3 && isChannelCount(dims[2])) {
        shape = {dims[0], dims[1], dims[2], false};
    } else if (dims.size() == 3 && isChannelCount(dims[0])) {
        shape = {dims[1], dims[2], dims[0], true};
    }
    const bool isLine = shape && shape->height == 1 && shape->channels == 1;
    return isLine ? std::nullopt : shape;  // 1 x n is a vector of features
}

/// The range 0 to 255 as the usual models take it: quantized tensors store the pixel values (less
/// 128 where signed), integers without a scale are the pixel values, and reals are from -1 to 1.
Normalization usualNormalization(const TensorDescription& input) {
    if (isFloatTensor(input)) {
        return {{127.5F}, {127.5F}};  // source: TensorFlow's image classifiers
    }
    return {};
}

void requireChannels(const std::vector<float>& values, const char* what, std::uint32_t channels,
                     const std::string& name) {
    if (values.size() > 1 && values.size() != channels) {
        throw InputError(fmt::format("{}: {} numbers as {}, expected 1 or {}", name, values.size(),
                                     what, channels));
    }
}

float perChannel(const std::vector<float>& values, std::size_t channel, float otherwise) {
    return values.empty() ? otherwise : values[values.size() == 1 ? 0 : channel];
}

/// Applies the normalization and returns it in words.
std::string normalize(Plane& plane, const Normalization& normalization, const std::string& name) {
    requireChannels(normalization.mean, "mean", plane.channels, name);
    requireChannels(normalization.deviation, "standard deviation", plane.channels, name);
    for (const float deviation : normalization.deviation) {
        if (!(std::abs(deviation) > 0.0F)) {
            throw InputError(fmt::format("{}: a standard deviation of {}", name, deviation));
        }
    }
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
        const std::size_t channel = i % plane.channels;
        plane.values[i] = (plane.values[i] - perChannel(normalization.mean, channel, 0.0F)) /
                          perChannel(normalization.deviation, channel, 1.0F);
    }
    const auto words = [](const std::vector<float>& values, const char* otherwise) {
        return values.empty()       ? otherwise
               : values.size() == 1 ? fmt::format("{:g}", values[0])
                                    : fmt::format("[{:g}]", fmt::join(values, " "));
    };
    return fmt::format("(value - {}) / {}", words(normalization.mean, "0"),
                       words(normalization.deviation, "1"));
}

std::vector<float> toPlanar(const Plane& plane) {
    const std::size_t pixels = plane.values.size() / plane.channels;
    std::vector<float> values(plane.values.size());
    for (std::size_t i = 0; i < plane.values.size(); ++i) {
        values[i % plane.channels * pixels + i / plane.channels] = plane.values[i];
    }
    return values;
}

}  // namespace

InputData pictureInput(const Picture& picture, const std::string& name,
                       const TensorDescription& input, const InputOptions& options,
                       const InputFacts& facts) {
    const std::optional<PictureShape> shape = pictureShapeOf(input.dimensions);
    if (!shape) {
        throw InputError(
                fmt::format("{}: a picture for input {} of shape {}, expected [1] height "
                            "width channels or [1] channels height width, with 1, 3 or 4 "
                            "channels",
                            name, input.name, fmt::join(input.dimensions, "x")));
    }
    Plane plane = toChannels(picture, shape->channels);
    constexpr const char* kKinds[] = {"", "gray", "gray and alpha", "RGB", "RGB and alpha"};
    std::string how =
            fmt::format("{}x{} {}", picture.width, picture.height, kKinds[picture.channels]);
    if (plane.width != shape->width || plane.height != shape->height) {
        plane = resize(plane, shape->width, shape->height, options.fit);
        how += fmt::format(", {} {}x{}",
                           options.fit == Fit::kCrop ? "center cropped to" : "stretched to",
                           shape->width, shape->height);
    }
    const bool isUnsigned = input.type == Type::TENSOR_QUANT8_ASYMM;
    // The metadata of a model with unsigned 8-bit inputs describe its float32 original: its own
    // inputs are the pixels.
    const Normalization& normalization = options.normalization.isGiven() ? options.normalization
                                         : facts.normalization.isGiven() && !isUnsigned
                                                 ? facts.normalization
                                                 : usualNormalization(input);
    TensorDescription stored = input;
    if (!normalization.isGiven()) {
        stored.scale = 0.0F;
        stored.zeroPoint = input.type == Type::TENSOR_QUANT8_ASYMM_SIGNED ? -128 : 0;
        how += stored.zeroPoint == 0 ? ", pixel values" : ", pixel values less 128";
    } else {
        how += ", " + normalize(plane, normalization, name);
    }
    return {tensorBytes(stored, shape->isPlanar ? toPlanar(plane) : plane.values), how};
}

}  // namespace vnpu::sim::media
