// SPDX-License-Identifier: Apache-2.0
// Pictures, sounds, arrays and model metadata from the fuzzer. The first byte selects the kind of
// file, the second the input for which it is read.
#include <iterator>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/media/input_file.h"
#include "sim/media/model_metadata.h"
#include "tests/fuzz/target.h"

namespace vnpu::fuzz {

namespace {

using Type = android::hardware::neuralnetworks::V1_3::OperandType;

sim::TensorDescription inputOf(std::uint8_t choice) {
    const struct {
        Type type;
        std::vector<std::uint32_t> dimensions;
        std::uint64_t sizeBytes;
        float scale;
    } kInputs[] = {
            {Type::TENSOR_FLOAT32, {1, 8, 6, 3}, 576, 0.0F},
            {Type::TENSOR_QUANT8_ASYMM, {1, 3, 5, 7}, 105, 0.5F},
            {Type::TENSOR_FLOAT32, {1, 100}, 400, 0.0F},
            {Type::TENSOR_INT32, {1, 16}, 64, 0.0F},
            {Type::TENSOR_QUANT8_ASYMM_SIGNED, {9, 9}, 81, 0.1F},
    };
    const auto& chosen = kInputs[choice % std::size(kInputs)];
    sim::TensorDescription input;
    input.name = "x";
    input.type = chosen.type;
    input.dimensions = chosen.dimensions;
    input.sizeBytes = chosen.sizeBytes;
    input.scale = chosen.scale;
    return input;
}

void runMedia(std::span<const uint8_t> input) {
    if (input.size() < 2) {
        return;
    }
    constexpr const char* kNames[] = {"x.png", "x.jpg", "x.bmp", "x.ppm", "x.wav", "x.npy"};
    const std::size_t kind = input[0] % (std::size(kNames) + 1);
    const sim::TensorDescription tensor = inputOf(input[1]);
    const auto bytes = std::as_bytes(input.subspan(2));
    const std::vector<std::byte> file(bytes.begin(),
                                      bytes.end());  // aligned like the bytes of a file
    if (kind == std::size(kNames)) {
        sim::media::parseModelMetadata(file);
        return;
    }
    try {
        sim::media::InputOptions options;
        options.sampleRate = (input[1] & 0x80U) != 0 ? 8000 : 16000;
        options.fit = (input[1] & 0x40U) != 0 ? sim::media::Fit::kCrop : sim::media::Fit::kStretch;
        const auto data = sim::media::decodeMedia(file, kNames[kind], tensor, options, {});
        require(data.bytes.size() == tensor.sizeBytes,
                "another number of bytes than the input has");
    } catch (const sim::InputError& error) {
        require(std::string(error.what()).find('\n') == std::string::npos,
                "a message of several lines");
    }
}

}  // namespace

const Target kMediaFile{"media_file", runMedia};

}  // namespace vnpu::fuzz
