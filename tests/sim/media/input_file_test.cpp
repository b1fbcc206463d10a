// SPDX-License-Identifier: Apache-2.0
#include "sim/media/input_file.h"

#include <doctest/doctest.h>

#include <cstring>

#include "sim/base/error.h"
#include "tests/sim/media/media_files.h"

namespace vnpu::test {
namespace {

using sim::InputError;
using sim::TensorDescription;
using namespace sim::media;
using Type = android::hardware::neuralnetworks::V1_3::OperandType;

TensorDescription inputOf(Type type, std::vector<std::uint32_t> dimensions, float scale = 0.0F,
                          std::int32_t zeroPoint = 0) {
    TensorDescription input;
    input.name = "x";
    input.type = type;
    input.scale = scale;
    input.zeroPoint = zeroPoint;
    input.sizeBytes = type == Type::TENSOR_FLOAT32 || type == Type::TENSOR_INT32 ? 4 : 1;
    for (const std::uint32_t extent : dimensions) {
        input.sizeBytes *= extent;
    }
    input.dimensions = std::move(dimensions);
    return input;
}

std::vector<float> floatsOf(const InputData& data) {
    std::vector<float> values(data.bytes.size() / sizeof(float));
    std::memcpy(values.data(), data.bytes.data(), data.bytes.size());
    return values;
}

/// 2x1 pixels: (0 51 102) (255 204 153).
std::vector<std::byte> twoPixels() {
    return FileBytes().text("P6 2 1 255\n").numbers({0, 51, 102, 255, 204, 153}, 1).bytes();
}

std::string refusalOf(const std::vector<std::byte>& file, const std::string& path,
                      const TensorDescription& input, const InputOptions& options = {}) {
    try {
        decodeMedia(file, path, input, options, {});
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_SUITE_BEGIN("sim/media/input_file");

TEST_CASE("the ending decides, in any case; unknown endings are raw tensors") {
    CHECK(kindOfFile("a.PNG") == FileKind::kPicture);
    CHECK(kindOfFile("dir/a.jpeg") == FileKind::kPicture);
    CHECK(kindOfFile("a.wav") == FileKind::kSound);
    CHECK(kindOfFile("a.npy") == FileKind::kArray);
    CHECK(kindOfFile("a.bin") == FileKind::kRaw);
    CHECK(kindOfFile("png") == FileKind::kRaw);
    CHECK(kindOfFile(".png") == FileKind::kRaw);
}

TEST_CASE("quantized tensors take the pixel values, signed ones less 128, whatever their scale") {
    const auto unsignedInput = inputOf(Type::TENSOR_QUANT8_ASYMM, {1, 1, 2, 3}, 0.0078125F, 128);
    CHECK(decodeMedia(twoPixels(), "a.ppm", unsignedInput, {}, {}).bytes ==
          asBytes({0, 51, 102, 255, 204, 153}));
    const auto signedInput = inputOf(Type::TENSOR_QUANT8_ASYMM_SIGNED, {1, 1, 2, 3}, 0.0039F, -128);
    CHECK(decodeMedia(twoPixels(), "a.ppm", signedInput, {}, {}).bytes ==
          asBytes({128, 179, 230, 127, 76, 25}));
}

TEST_CASE("float tensors take -1 to 1 unless told otherwise") {
    const auto input = inputOf(Type::TENSOR_FLOAT32, {1, 1, 2, 3});
    const InputData usual = decodeMedia(twoPixels(), "a.ppm", input, {}, {});
    CHECK(floatsOf(usual)[0] == -1.0F);
    CHECK(floatsOf(usual)[3] == 1.0F);
    CHECK(usual.how == "2x1 RGB, (value - 127.5) / 127.5");
    const InputOptions told{{{0, 51, 2}, {1, 1, 10}}};
    const InputData data = decodeMedia(twoPixels(), "a.ppm", input, told, {});
    CHECK(floatsOf(data) == std::vector<float>{0, 0, 10, 255, 153, 15.1F});
    CHECK(data.how == "2x1 RGB, (value - [0 51 2]) / [1 1 10]");
}

TEST_CASE("the model's metadata count unless the user tells otherwise; not for unsigned pixels") {
    const auto input = inputOf(Type::TENSOR_FLOAT32, {1, 1, 2, 3});
    const InputFacts facts{{{0}, {255}}, {}};
    CHECK(floatsOf(decodeMedia(twoPixels(), "a.ppm", input, {}, facts))[1] == 0.2F);
    CHECK(floatsOf(decodeMedia(twoPixels(), "a.ppm", input, {{{50}, {}}}, facts))[1] == 1.0F);
    const auto bytes = inputOf(Type::TENSOR_QUANT8_ASYMM, {1, 1, 2, 3}, 1.0F, 0);
    CHECK(decodeMedia(twoPixels(), "a.ppm", bytes, {}, facts).bytes[1] == std::byte{51});
    const auto signedInput = inputOf(Type::TENSOR_QUANT8_ASYMM_SIGNED, {1, 1, 2, 3}, 0.1F, 0);
    CHECK(decodeMedia(twoPixels(), "a.ppm", signedInput, {}, facts).bytes[1] == std::byte{2});
}

TEST_CASE("channels before height and width; gray; resized") {
    const auto planar = inputOf(Type::TENSOR_QUANT8_ASYMM, {1, 3, 1, 2});
    CHECK(decodeMedia(twoPixels(), "a.ppm", planar, {}, {}).bytes ==
          asBytes({0, 255, 51, 204, 102, 153}));
    const auto gray = inputOf(Type::TENSOR_QUANT8_ASYMM, {2, 2});
    const InputData data = decodeMedia(twoPixels(), "a.ppm", gray, {}, {});
    // 0.587 * 51 + 0.114 * 102 = 41.6 and 213.4
    CHECK(data.bytes == asBytes({42, 213, 42, 213}));
    CHECK(data.how == "2x1 RGB, stretched to 2x2, pixel values");
}

TEST_CASE("a picture for a tensor of another shape is refused [E-5]") {
    CHECK(refusalOf(twoPixels(), "a.ppm", inputOf(Type::TENSOR_FLOAT32, {1, 640}))
                  .find("of shape 1x640") != std::string::npos);
    CHECK(refusalOf(twoPixels(), "a.ppm", inputOf(Type::TENSOR_FLOAT32, {2, 8, 8, 3}))
                  .find("of shape 2x8x8x3") != std::string::npos);
    CHECK(refusalOf(twoPixels(), "a.ppm", inputOf(Type::TENSOR_FLOAT32, {1, 1, 2, 3}),
                    {{{1, 2}, {}}}) == "a.ppm: 2 numbers as mean, expected 1 or 3");
}

TEST_CASE("a sound fills the tensor: cut, or silence behind it") {
    const auto input = inputOf(Type::TENSOR_FLOAT32, {1, 4});
    const InputData padded =
            decodeMedia(waveFile(16000, 1, {16384, -16384}), "a.wav", input, {}, {});
    CHECK(floatsOf(padded) == std::vector<float>{0.5F, -0.5F, 0, 0});
    CHECK(padded.how == "2 samples at 16000 Hz, silence up to 4");
    const InputData cut = decodeMedia(waveFile(16000, 1, {1, 2, 3, 4, 5}), "a.wav", input, {}, {});
    CHECK(cut.how == "5 samples at 16000 Hz, the first 4 used");
    const auto integers = inputOf(Type::TENSOR_INT32, {2});
    CHECK(decodeMedia(waveFile(16000, 1, {300, -2}), "a.wav", integers, {}, {}).bytes ==
          FileBytes().numbers({300, -2}, 4).bytes());
}

TEST_CASE("a sound of another rate is refused unless the rate is told [E-5]") {
    const auto input = inputOf(Type::TENSOR_FLOAT32, {1});
    const auto file = waveFile(8000, 1, {16384});
    CHECK(refusalOf(file, "a.wav", input)
                  .starts_with("a.wav: 8000 Hz, the model expects 16000 Hz"));
    InputOptions told;
    told.sampleRate = 8000;
    CHECK(refusalOf(file, "a.wav", input, told).empty());
    CHECK(floatsOf(decodeMedia(file, "a.wav", input, {}, {{}, 8000})) == std::vector<float>{0.5F});
}

TEST_CASE("arrays have the tensor's shape but for ones, and become its type") {
    const auto input = inputOf(Type::TENSOR_QUANT8_ASYMM, {1, 2}, 0.5F, 3);
    const auto reals = numpyFile("<f4", "(2,)", FileBytes().numbers({0x3FC00000, 0}, 4).bytes());
    CHECK(decodeMedia(reals, "a.npy", input, {}, {}).bytes == asBytes({6, 3}));
    const auto stored = numpyFile("|u1", "(1, 2)", FileBytes().numbers({7, 9}, 1).bytes());
    CHECK(decodeMedia(stored, "a.npy", input, {}, {}).bytes == asBytes({7, 9}));
    CHECK(refusalOf(stored, "a.npy", inputOf(Type::TENSOR_QUANT8_ASYMM, {2, 2})) ==
          "a.npy: an array of shape 1x2, expected 2x2");
}

TEST_CASE("64-bit integers must fit into 32 bits, and reals are no integers [E-5]") {
    const auto input = inputOf(Type::TENSOR_INT32, {1});
    const auto large =
            numpyFile("<i8", "(1,)", FileBytes().number(std::uint64_t{1} << 40, 8).bytes());
    CHECK(refusalOf(large, "a.npy", input).find("expected 32-bit integers") != std::string::npos);
    const auto fits = numpyFile("<i8", "(1,)", FileBytes().numbers({-16777217}, 8).bytes());
    CHECK(decodeMedia(fits, "a.npy", input, {}, {}).bytes ==
          FileBytes().numbers({-16777217}, 4).bytes());
    const auto real = numpyFile("<f4", "(1,)", FileBytes().number(0, 4).bytes());
    CHECK(refusalOf(real, "a.npy", input).find("expected integers") != std::string::npos);
}

TEST_SUITE_END();

}  // namespace vnpu::test
