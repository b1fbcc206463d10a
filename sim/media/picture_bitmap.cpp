// SPDX-License-Identifier: Apache-2.0
// BMP, PPM and PGM by libjpeg-turbo's TurboJPEG interface.
#include <android-base/unique_fd.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <turbojpeg.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/media/picture.h"

namespace vnpu::sim::media {

namespace {

struct FreeSamples {
    void operator()(unsigned char* samples) const { tjFree(samples); }
};

[[noreturn]] void failPicture(const std::string& name, std::string_view what) {
    throw InputError(fmt::format("{}: {}", name, what));
}

/// A file without a name, as TurboJPEG reads BMP and PNM by path only.
class NamelessFile {
  public:
    explicit NamelessFile(std::span<const std::byte> bytes)
        : fd_(memfd_create("vnpu picture", MFD_CLOEXEC)) {
        while (fd_.ok() && !bytes.empty()) {
            const ssize_t written = write(fd_.get(), bytes.data(), bytes.size());
            if (written <= 0) {
                fd_.reset();
                break;
            }
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        if (!fd_.ok()) {
            throw std::runtime_error("a picture: no memory for a temporary file");
        }
    }
    std::string path() const { return fmt::format("/proc/self/fd/{}", fd_.get()); }

  private:
    android::base::unique_fd fd_;
};

struct Extent {
    std::uint64_t width = 0, height = 0;
};

std::uint64_t littleEndian(std::span<const std::byte> file, std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) {
        value = value << 8 | std::to_integer<std::uint64_t>(file[at + i]);
    }
    return value;
}

/// The extent that a BMP's header declares, in any version of the header; a negative height means
/// rows from top to bottom.
std::optional<Extent> bitmapExtent(std::span<const std::byte> file) {
    constexpr std::size_t kHeader = 14, kCoreHeaderBytes = 12;
    if (file.size() < kHeader + kCoreHeaderBytes) {
        return std::nullopt;
    }
    if (littleEndian(file, kHeader, 4) == kCoreHeaderBytes) {
        return Extent{littleEndian(file, kHeader + 4, 2), littleEndian(file, kHeader + 6, 2)};
    }
    const auto height = static_cast<std::int32_t>(littleEndian(file, kHeader + 8, 4));
    return Extent{littleEndian(file, kHeader + 4, 4),
                  static_cast<std::uint64_t>(std::abs(std::int64_t{height}))};
}

void putLittleEndian(std::span<std::byte> file, std::size_t at, std::size_t bytes,
                     std::uint64_t value) {
    for (std::size_t i = 0; i < bytes; ++i) {
        file[at + i] = static_cast<std::byte>(value >> (8 * i) & 0xFF);
    }
}

/// The BMP with the header of 40 bytes that TurboJPEG reads: the fields of later versions of the
/// header, and color masks that say blue, green, red as usual, are taken out.
std::vector<std::byte> withPlainHeader(std::span<const std::byte> file) {
    constexpr std::size_t kFileHeader = 14, kPixelsField = 10, kPlain = 40, kCompressionField = 30;
    constexpr std::size_t kMasksField = kFileHeader + kPlain, kMaskBytes = 12;
    constexpr std::uint64_t kColorMasks = 3;
    std::vector<std::byte> plain(file.begin(), file.end());
    const std::uint64_t header = littleEndian(file, kFileHeader, 4);
    if (file.size() < kMasksField + kMaskBytes || header < kPlain ||
        header > file.size() - kFileHeader) {
        return plain;
    }
    std::uint64_t extra = header - kPlain;
    if (littleEndian(file, kCompressionField, 4) == kColorMasks) {
        if (littleEndian(file, kMasksField, 4) != 0x00FF0000 ||
            littleEndian(file, kMasksField + 4, 4) != 0x0000FF00 ||
            littleEndian(file, kMasksField + 8, 4) != 0x000000FF) {
            return plain;
        }
        putLittleEndian(plain, kCompressionField, 4, 0);
        extra = std::max<std::uint64_t>(extra, kMaskBytes);
    }
    const std::uint64_t pixels = littleEndian(file, kPixelsField, 4);
    if (pixels < kMasksField + extra) {
        return plain;
    }
    putLittleEndian(plain, kPixelsField, 4, pixels - extra);
    putLittleEndian(plain, kFileHeader, 4, kPlain);
    const auto begin = plain.begin() + static_cast<std::ptrdiff_t>(kMasksField);
    plain.erase(begin, begin + static_cast<std::ptrdiff_t>(extra));
    return plain;
}

/// The extent in the header of a PPM or PGM: two numbers after the magic, with blanks and comments
/// between.
std::optional<Extent> pnmExtent(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    std::size_t at = std::min<std::size_t>(2, text.size());
    const auto readNumber = [&]() -> std::optional<std::uint64_t> {
        while (at < text.size() &&
               (std::string_view(" \t\r\n").find(text[at]) != text.npos || text[at] == '#')) {
            at = text[at] == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
        }
        std::uint64_t value = 0;
        const auto [end, error] =
                std::from_chars(text.data() + at, text.data() + text.size(), value);
        if (error != std::errc()) {
            return std::nullopt;
        }
        at = static_cast<std::size_t>(end - text.data());
        return value;
    };
    const auto width = readNumber();
    const auto height = readNumber();
    return width && height ? std::optional(Extent{*width, *height}) : std::nullopt;
}

}  // namespace

Picture decodeBitmap(PictureFormat format, std::span<const std::byte> file,
                     const std::string& name) {
    const bool isBmp = format == PictureFormat::kBmp;
    const std::string_view kind = isBmp ? "BMP" : "PPM or PGM";
    // TurboJPEG takes memory for the extents that the header declares, so they are checked first.
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (!text.starts_with(isBmp ? "BM" : "P")) {
        failPicture(name, fmt::format("not a {} file", kind));
    }
    const std::optional<Extent> extent = isBmp ? bitmapExtent(file) : pnmExtent(file);
    if (!extent) {
        failPicture(name, fmt::format("{}: the header ends early", kind));
    }
    requirePictureSize(extent->width, extent->height, name);
    const NamelessFile copy(isBmp ? withPlainHeader(file)
                                  : std::vector<std::byte>(file.begin(), file.end()));
    int width = 0, height = 0, pixels = TJPF_UNKNOWN;
    const std::unique_ptr<unsigned char, FreeSamples> samples(
            tjLoadImage(copy.path().c_str(), &width, 1, &height, &pixels, 0));
    if (!samples) {
        failPicture(name, fmt::format("{}: {}", kind, tjGetErrorStr2(nullptr)));
    }
    const bool isGray = pixels == TJPF_GRAY;
    Picture picture{static_cast<std::uint32_t>(width),
                    static_cast<std::uint32_t>(height),
                    isGray ? 1U : 3U,
                    {}};
    const std::size_t count = std::size_t{picture.width} * picture.height;
    picture.samples.resize(count * picture.channels);
    if (isGray) {
        std::memcpy(picture.samples.data(), samples.get(), count);
        return picture;
    }
    const auto pixelBytes = static_cast<std::size_t>(tjPixelSize[pixels]);
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char* pixel = samples.get() + i * pixelBytes;
        picture.samples[i * 3] = pixel[tjRedOffset[pixels]];
        picture.samples[i * 3 + 1] = pixel[tjGreenOffset[pixels]];
        picture.samples[i * 3 + 2] = pixel[tjBlueOffset[pixels]];
    }
    return picture;
}

}  // namespace vnpu::sim::media
