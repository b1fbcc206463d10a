// SPDX-License-Identifier: Apache-2.0
#include "sim/media/picture.h"

#include <doctest/doctest.h>
#include <turbojpeg.h>

#include <string>

#include "sim/base/error.h"
#include "tests/sim/media/media_files.h"

namespace vnpu::test {
namespace {

using sim::InputError;
using sim::media::decodePicture;
using sim::media::Picture;
using sim::media::PictureFormat;
using Pixels = std::vector<std::uint8_t>;

/// A JPEG of one color, which the discrete cosine transform preserves exactly.
std::vector<std::byte> plainJpeg(int pixelFormat, std::uint8_t value) {
    const Pixels pixels(16 * 8 * static_cast<std::size_t>(tjPixelSize[pixelFormat]), value);
    void* const handle = tjInitCompress();
    unsigned char* file = nullptr;
    unsigned long size = 0;
    const int subsampling = pixelFormat == TJPF_GRAY ? TJSAMP_GRAY : TJSAMP_444;
    REQUIRE(tjCompress2(handle, pixels.data(), 16, 0, 8, pixelFormat, &file, &size, subsampling, 95,
                        0) == 0);
    const Pixels bytes(file, file + size);
    tjFree(file);
    tjDestroy(handle);
    return asBytes(bytes);
}

}  // namespace

TEST_SUITE_BEGIN("sim/media/picture");

TEST_CASE("a PNG gives its pixels from the top left, with its own channels") {
    const Picture rgb = decodePicture(PictureFormat::kPng, asBytes(kPngRgb), "a.png");
    CHECK(rgb.width == 2);
    CHECK(rgb.height == 2);
    CHECK(rgb.channels == 3);
    CHECK(rgb.samples == Pixels{255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30});
    const Picture gray = decodePicture(PictureFormat::kPng, asBytes(kPngGrayAlpha), "a.png");
    CHECK(gray.channels == 2);
    CHECK(gray.samples == Pixels{70, 9});
}

TEST_CASE("a BMP's rows begin at the bottom and are padded, blue comes first") {
    const auto file = bitmapFile(1, 2, {{3, 2, 1}, {6, 5, 4}});
    const Picture picture = decodePicture(PictureFormat::kBmp, file, "a.bmp");
    CHECK(picture.width == 1);
    CHECK(picture.height == 2);
    CHECK(picture.samples == Pixels{4, 5, 6, 1, 2, 3});
}

TEST_CASE("a BMP with a longer header and color masks is read") {
    for (const bool isLong : {false, true}) {
        const std::size_t header = isLong ? 124 : 40;
        const std::size_t pixels = 14 + (isLong ? 124 : 40 + 12);
        FileBytes file;
        file.text("BM").number(pixels + 8, 4).number(0, 4).number(pixels, 4);
        file.number(header, 4).number(2, 4).number(1, 4).number(1, 2).number(32, 2);
        file.number(3, 4).number(8, 4).number(2835, 4).number(2835, 4).number(0, 4).number(0, 4);
        file.number(0x00FF0000, 4).number(0x0000FF00, 4).number(0x000000FF, 4);
        file.numbers(std::vector<std::int64_t>(pixels - 14 - 40 - 12, 0), 1);
        const auto bytes = file.numbers({3, 2, 1, 0, 6, 5, 4, 0}, 1).bytes();
        CAPTURE(isLong);
        CHECK(decodePicture(PictureFormat::kBmp, bytes, "a.bmp").samples ==
              Pixels{1, 2, 3, 4, 5, 6});
    }
}

TEST_CASE("PPM and PGM are read with comments, binary and as text") {
    const auto color =
            FileBytes().text("P6 # red\n2 1\n255\n").numbers({1, 2, 3, 4, 5, 6}, 1).bytes();
    const Picture picture = decodePicture(PictureFormat::kPnm, color, "a.ppm");
    CHECK(picture.channels == 3);
    CHECK(picture.samples == Pixels{1, 2, 3, 4, 5, 6});
    const auto gray = FileBytes().text("P2\n3 1 255\n7 8 9\n").bytes();
    CHECK(decodePicture(PictureFormat::kPnm, gray, "a.pgm").samples == Pixels{7, 8, 9});
}

TEST_CASE("a JPEG of one color gives this color, gray or RGB") {
    const Picture gray = decodePicture(PictureFormat::kJpeg, plainJpeg(TJPF_GRAY, 128), "a.jpg");
    CHECK(gray.width == 16);
    CHECK(gray.height == 8);
    CHECK(gray.channels == 1);
    CHECK(gray.samples == Pixels(16 * 8, 128));
    const Picture color = decodePicture(PictureFormat::kJpeg, plainJpeg(TJPF_RGB, 64), "a.jpg");
    CHECK(color.channels == 3);
    CHECK(color.samples == Pixels(16 * 8 * 3, 64));
}

TEST_CASE("a file of another format, a part of a file and an empty one are refused by name [E-5]") {
    const std::vector<std::pair<PictureFormat, std::vector<std::byte>>> files = {
            {PictureFormat::kPng, asBytes(kPngRgb)},
            {PictureFormat::kJpeg, plainJpeg(TJPF_GRAY, 128)},
            {PictureFormat::kBmp, bitmapFile(1, 2, {{3, 2, 1}, {6, 5, 4}})},
            {PictureFormat::kPnm,
             FileBytes().text("P6 2 1 255\n").numbers({1, 2, 3, 4, 5, 6}, 1).bytes()},
    };
    for (const auto& [format, file] : files) {
        const std::vector<std::byte> half(file.begin(),
                                          file.begin() + static_cast<long>(file.size() / 2));
        for (const auto& bytes :
             {half, std::vector<std::byte>{}, FileBytes().text("what is this file?").bytes()}) {
            try {
                decodePicture(format, bytes, "cat.file");
                FAIL("a damaged file was decoded");
            } catch (const InputError& error) {
                CHECK(std::string(error.what()).starts_with("cat.file: "));
            }
        }
    }
}

TEST_CASE("a header that declares a giant picture takes no memory for it [E-5]") {
    const auto bitmap = bitmapFile(60000, 60000, {});
    CHECK_THROWS_WITH_AS(decodePicture(PictureFormat::kBmp, bitmap, "a.bmp"),
                         "a.bmp: a picture of 60000x60000 pixels, expected 1 to 67108864 pixels",
                         InputError);
    const auto text = FileBytes().text("P5 99999999 99999999 255\n").bytes();
    CHECK_THROWS_AS(decodePicture(PictureFormat::kPnm, text, "a.pgm"), InputError);
}

TEST_SUITE_END();

}  // namespace vnpu::test
