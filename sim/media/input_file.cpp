// SPDX-License-Identifier: Apache-2.0
#include "sim/media/input_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "sim/base/error.h"
#include "sim/media/numpy_file.h"
#include "sim/media/picture_input.h"
#include "sim/media/sound.h"
#include "sim/media/tensor_values.h"

namespace vnpu::sim::media {

namespace {

struct Ending {
    std::string_view ending;
    FileKind kind;
    PictureFormat format = PictureFormat::kPng;
};

constexpr Ending kEndings[] = {
        {".png", FileKind::kPicture, PictureFormat::kPng},
        {".jpg", FileKind::kPicture, PictureFormat::kJpeg},
        {".jpeg", FileKind::kPicture, PictureFormat::kJpeg},
        {".bmp", FileKind::kPicture, PictureFormat::kBmp},
        {".ppm", FileKind::kPicture, PictureFormat::kPnm},
        {".pgm", FileKind::kPicture, PictureFormat::kPnm},
        {".wav", FileKind::kSound},
        {".npy", FileKind::kArray},
};

const Ending* endingOf(std::string_view path) {
    for (const Ending& entry : kEndings) {
        if (path.size() > entry.ending.size() &&
            std::equal(entry.ending.rbegin(), entry.ending.rend(), path.rbegin(),
                       [](char a, char b) {
                           return a == std::tolower(static_cast<unsigned char>(b));
                       })) {
            return &entry;
        }
    }
    return nullptr;
}

std::size_t elementsOf(const TensorDescription& input) {
    const std::size_t element = bytesOfElement(input);
    if (element == 0) {
        throw InputError(fmt::format("input {}: not a tensor of numbers", input.name));
    }
    return input.sizeBytes / element;
}

/// A sound in a tensor of any shape, one element per sample.
InputData decodeSound(std::span<const std::byte> file, const std::string& path,
                      const TensorDescription& input, const InputOptions& options,
                      const InputFacts& facts) {
    const std::size_t count = elementsOf(input);
    Sound sound = decodeWav(file, count, path);
    const std::uint32_t expected =
            options.sampleRate.value_or(facts.sampleRate.value_or(kUsualSampleRate));
    if (sound.sampleRate != expected) {
        throw InputError(
                fmt::format("{}: {} Hz, the model expects {} Hz; convert the file, or give "
                            "the model's rate with --sample-rate",
                            path, sound.sampleRate, expected));
    }
    std::string how = fmt::format("{} samples at {} Hz", sound.frames, sound.sampleRate);
    if (sound.frames > count) {
        how += fmt::format(", the first {} used", count);
    } else if (sound.samples.size() < count) {
        how += fmt::format(", silence up to {}", count);
    }
    sound.samples.resize(count);
    const Normalization& normalization =
            options.normalization.isGiven() ? options.normalization : facts.normalization;
    if (normalization.mean.size() > 1 || normalization.deviation.size() > 1) {
        throw InputError(
                fmt::format("{}: several means or deviations, a sound has one channel", path));
    }
    const float mean = normalization.mean.empty() ? 0.0F : normalization.mean[0];
    const float deviation = normalization.deviation.empty() ? 1.0F : normalization.deviation[0];
    // An integer tensor without a scale holds the samples as 16-bit sound files do.
    constexpr float kFullScale = 32768.0F;
    const bool isPlainInteger = !isFloatTensor(input) && input.scale == 0.0F;
    for (float& sample : sound.samples) {
        sample = ((isPlainInteger ? sample * kFullScale : sample) - mean) / deviation;
    }
    return {tensorBytes(input, sound.samples), how};
}

/// The extents other than one, which is how far the shapes of an array and a tensor must agree.
template <typename Range>
std::vector<std::uint64_t> properExtents(const Range& shape) {
    std::vector<std::uint64_t> extents;
    for (const std::uint64_t extent : shape) {
        if (extent != 1) {
            extents.push_back(extent);
        }
    }
    return extents;
}

bool isIntegerFile(FileType type) {
    return type == FileType::kInt16 || type == FileType::kUint16 || type == FileType::kInt64;
}

InputData decodeArray(std::span<const std::byte> file, const std::string& path,
                      const TensorDescription& input) {
    const NumpyArray array = parseNumpy(file, path);
    if (array.size() != elementsOf(input) ||
        properExtents(array.shape) != properExtents(input.dimensions)) {
        throw InputError(fmt::format("{}: an array of shape {}, expected {}", path,
                                     fmt::join(array.shape, "x"),
                                     fmt::join(input.dimensions, "x")));
    }
    const bool isReal = isFloatTensor(input) && !isIntegerFile(input.fileType);
    const bool isQuantized = input.scale != 0.0F;
    if (array.kind == 'f' && !isReal && !isQuantized) {
        throw InputError(
                fmt::format("{}: an array of real numbers, expected integers or truths", path));
    }
    InputData result;
    // Integers for a quantized tensor are its stored numbers; everything else has the real values.
    TensorDescription stored = input;
    double factor = 1.0;
    if (array.kind != 'f') {
        stored.scale = 0.0F;
        stored.zeroPoint = 0;
        factor = input.fileType == FileType::kQuantized16 ? input.fileScale : 1.0;
    }
    if (input.type == android::hardware::neuralnetworks::V1_3::OperandType::TENSOR_INT32) {
        // Not through float32, which has only 24 bits for a number.
        for (std::size_t i = 0; i < array.size(); ++i) {
            const double value = array.valueAt(i);
            if (array.kind != 'f' && value != static_cast<std::int32_t>(std::clamp(
                                                      value, -2147483648.0, 2147483647.0))) {
                throw InputError(fmt::format("{}: element {} is {}, expected 32-bit integers", path,
                                             i, value));
            }
            const auto number = static_cast<std::int32_t>(value);
            const auto* bytes = reinterpret_cast<const std::byte*>(&number);
            result.bytes.insert(result.bytes.end(), bytes, bytes + sizeof(number));
        }
    } else {
        std::vector<float> values(array.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(array.valueAt(i) * factor);
        }
        result.bytes = tensorBytes(stored, values);
    }
    result.how =
            fmt::format("{}{}x{}", array.kind, array.elementBytes * 8, fmt::join(array.shape, "x"));
    return result;
}

std::vector<std::byte> readWhole(const std::string& path) {
    constexpr std::uintmax_t kMostBytes = 1U << 30;  // chosen: far beyond any input of a model
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, error.message()));
    }
    if (size > kMostBytes) {
        throw InputError(fmt::format("{}: {} bytes, expected up to {}", path, size, kMostBytes));
    }
    std::vector<std::byte> bytes(size);
    std::ifstream file(path, std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return bytes;
}

}  // namespace

FileKind kindOfFile(std::string_view path) {
    const Ending* ending = endingOf(path);
    return ending == nullptr ? FileKind::kRaw : ending->kind;
}

InputData decodeMedia(std::span<const std::byte> file, const std::string& path,
                      const TensorDescription& input, const InputOptions& options,
                      const InputFacts& facts) {
    const Ending* ending = endingOf(path);
    switch (ending == nullptr ? FileKind::kRaw : ending->kind) {
        case FileKind::kPicture:
            return pictureInput(decodePicture(ending->format, file, path), path, input, options,
                                facts);
        case FileKind::kSound:
            return decodeSound(file, path, input, options, facts);
        case FileKind::kArray:
            return decodeArray(file, path, input);
        default:
            throw InputError(fmt::format("{}: not a picture, sound or array", path));
    }
}

InputData readMedia(const std::string& path, const TensorDescription& input,
                    const InputOptions& options, const InputFacts& facts) {
    return decodeMedia(readWhole(path), path, input, options, facts);
}

}  // namespace vnpu::sim::media
