// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include "sim/base/error.h"
#include "sim/media/picture.h"

namespace vnpu::sim::media {

namespace {

/// libpng's state of one file, which is released with it.
class PngReader {
  public:
    PngReader() { image_.version = PNG_IMAGE_VERSION; }
    ~PngReader() { png_image_free(&image_); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    png_image& image() { return image_; }

  private:
    png_image image_{};
};

}  // namespace

Picture decodePng(std::span<const std::byte> file, const std::string& name) {
    PngReader reader;
    png_image& image = reader.image();
    const auto fail = [&] { throw InputError(fmt::format("{}: PNG: {}", name, image.message)); };
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0) {
        fail();
    }
    requirePictureSize(image.width, image.height, name);
    image.flags |=
            PNG_IMAGE_FLAG_16BIT_sRGB;  // 16-bit samples are not linear unless the file says so
    image.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
    Picture picture{image.width, image.height, PNG_IMAGE_SAMPLE_CHANNELS(image.format), {}};
    picture.samples.resize(std::size_t{picture.width} * picture.height * picture.channels);
    if (png_image_finish_read(&image, nullptr, picture.samples.data(), 0, nullptr) == 0) {
        fail();
    }
    return picture;
}

}  // namespace vnpu::sim::media
