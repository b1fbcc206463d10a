// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_patches.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

#include "tests/hw_model/kernels/tile_memory.h"

namespace vnpu::test {
namespace {

using hw::ElementType;
using hw::kernels::Convolution;
using hw::kernels::ConvolutionAxis;
using hw::kernels::MacBackend;
using hw::kernels::Patches;
using hw::kernels::PixelStrides;
using hw::kernels::supportedBackends;
using hw::kernels::WordFormat;

ConvolutionAxis randomAxis(Random& random, bool isPointwise) {
    ConvolutionAxis axis{.input = random.between(1, 20),
                         .taps = isPointwise ? 1 : random.between(1, 5),
                         .output = random.between(1, 12),
                         .stride = random.between(1, 3),
                         .dilation = random.oneIn(4) ? random.between(2, 3) : 1,
                         .padding = random.between(-3, 3)};
    if (isPointwise) {
        // Within the input: a part of a larger convolution starts anywhere.
        axis.padding = -random.between(0, 3);
        axis.input = (axis.output - 1) * axis.stride - axis.padding + random.between(1, 3);
    }
    return axis;
}

/// A convolution whose input is a vector of exactly its bytes, and the rows that it should have.
struct PatchesCase {
    explicit PatchesCase(std::uint32_t seed) {
        Random random(seed);
        const ElementType types[] = {ElementType::kUint8, ElementType::kInt8,
                                     ElementType::kFloat32};
        const ElementType type = types[random.between(0, 2)];
        const bool isPointwise = random.oneIn(3);
        const bool isDense = !random.oneIn(3);
        const auto gap = [&] { return isDense ? 0 : random.pick<std::size_t>(0, 9); };
        conv.types = {
                .inputType = type,
                .inputZeroPoint = type == ElementType::kFloat32
                                          ? 0
                                          : random.pick<std::int32_t>(
                                                    type == ElementType::kInt8 ? -128 : 0, 127),
                .filterType = type};
        conv.images = random.pick<std::size_t>(1, 2);
        conv.rows = randomAxis(random, isPointwise);
        conv.columns = randomAxis(random, isPointwise);
        conv.inputChannels = random.pick<std::size_t>(1, random.oneIn(3) ? 70 : 9);
        PixelStrides& strides = conv.inputStrides;
        strides.pixel = conv.inputChannels * conv.elementBytes() + gap();
        strides.row = static_cast<std::size_t>(conv.columns.input) * strides.pixel + gap();
        strides.image = static_cast<std::size_t>(conv.rows.input) * strides.row + gap();
        input.resize((conv.images - 1) * strides.image +
                     static_cast<std::size_t>(conv.rows.input - 1) * strides.row +
                     static_cast<std::size_t>(conv.columns.input - 1) * strides.pixel +
                     conv.inputChannels * conv.elementBytes());
        for (std::byte& byte : input) {
            byte = random.pick<std::byte>(0, 255);
        }
        conv.input = input.data();
        first = random.pick<std::size_t>(0, static_cast<std::int64_t>(conv.pixels()) - 1);
        count = random.pick<std::size_t>(1, static_cast<std::int64_t>(conv.pixels() - first));
    }

    /// The elements under the filter of output pixel `row`, as steps, element by element.
    std::vector<std::byte> expectedRow(const WordFormat& format, std::size_t row) const {
        const auto width = static_cast<std::size_t>(conv.columns.output);
        const auto height = static_cast<std::size_t>(conv.rows.output);
        const auto x = static_cast<std::int64_t>(row % width);
        const auto y = static_cast<std::int64_t>(row / width % height);
        std::vector<std::byte> steps;
        for (std::int64_t ky = 0; ky < conv.rows.taps; ++ky) {
            for (std::int64_t kx = 0; kx < conv.columns.taps; ++kx) {
                const std::int64_t inY =
                        y * conv.rows.stride - conv.rows.padding + ky * conv.rows.dilation;
                const std::int64_t inX =
                        x * conv.columns.stride - conv.columns.padding + kx * conv.columns.dilation;
                const bool isInside =
                        inY >= 0 && inY < conv.rows.input && inX >= 0 && inX < conv.columns.input;
                for (std::size_t c = 0; c < conv.inputChannels; ++c) {
                    const std::size_t at = steps.size();
                    steps.resize(at + format.stepBytes(), format.inputPadding());
                    if (isInside) {
                        format.copyInput(
                                input.data() + row / width / height * conv.inputStrides.image +
                                        static_cast<std::size_t>(inY) * conv.inputStrides.row +
                                        static_cast<std::size_t>(inX) * conv.inputStrides.pixel +
                                        c * conv.elementBytes(),
                                1, steps.data() + at);
                    }
                }
            }
        }
        const std::size_t words = format.wordsFor(steps.size() / format.stepBytes());
        steps.resize(words * sizeof(std::uint32_t), format.inputPadding());
        return steps;
    }

    Convolution conv;
    std::vector<std::byte> input;
    std::size_t first = 0;
    std::size_t count = 0;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/mac_patches");

TEST_CASE("rows hold the input under the filter, and nothing is read or written beyond [E-2]") {
    std::size_t direct = 0;
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        const PatchesCase c(seed);
        for (const MacBackend* backend : supportedBackends()) {
            CAPTURE(seed);
            CAPTURE(backend->name);
            const WordFormat format(c.conv.types, *backend);
            const Patches patches(c.conv, format);
            const std::size_t rowBytes = patches.words() * sizeof(std::uint32_t);
            std::vector<std::byte> written(c.count * patches.stride() + Patches::kSlackBytes + 1,
                                           std::byte{0x5A});
            if (patches.isDirect()) {
                ++direct;
            } else {
                patches.write(c.first, c.count, written.data());
            }
            REQUIRE(written.back() == std::byte{0x5A});
            for (std::size_t i = 0; i < c.count; ++i) {
                const std::byte* row = patches.isDirect() ? patches.directRow(c.first + i)
                                                          : written.data() + i * patches.stride();
                const std::vector<std::byte> expected = c.expectedRow(format, c.first + i);
                REQUIRE(expected.size() == rowBytes);
                REQUIRE(std::memcmp(row, expected.data(), rowBytes) == 0);
            }
        }
    }
    CHECK(direct > 30);
}

TEST_CASE("a 1 x 1 filter reads its input in place wherever its part of the input starts [E-2]") {
    std::vector<float> input(8 * 8 * 4);
    Convolution conv;
    conv.types = {.inputType = ElementType::kFloat32, .filterType = ElementType::kFloat32};
    conv.rows = {.input = 8, .output = 4, .padding = -3};
    conv.columns = {.input = 8, .output = 8};
    conv.inputChannels = 4;
    conv.input = reinterpret_cast<const std::byte*>(input.data());
    conv.inputStrides = PixelStrides::dense(8, 8, 16);
    for (const MacBackend* backend : supportedBackends()) {
        const WordFormat format(conv.types, *backend);
        const Patches patches(conv, format);
        REQUIRE(patches.isDirect());
        CHECK(patches.directRow(0) == conv.input + 3 * std::size_t{8} * 16);
    }
}

TEST_SUITE_END();

}  // namespace vnpu::test
