// SPDX-License-Identifier: Apache-2.0
// JPEG, BMP, PPM and PGM by libjpeg-turbo's TurboJPEG interface.
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

#include "sim/base/error.h"
#include "sim/media/picture.h"

namespace vnpu::sim::media {

namespace {

struct DestroyDecompressor {
    void operator()(void* handle) const { tjDestroy(handle); }
};
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

Picture decodeJpeg(std::span<const std::byte> file, const std::string& name) {
    const std::unique_ptr<void, DestroyDecompressor> handle(tjInitDecompress());
    const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
    const auto fail = [&] {
        failPicture(name, fmt::format("JPEG: {}", tjGetErrorStr2(handle.get())));
    };
    int width = 0, height = 0, subsampling = 0, colors = 0;
    if (tjDecompressHeader3(handle.get(), bytes, file.size(), &width, &height, &subsampling,
                            &colors) != 0) {
        fail();
    }
    requirePictureSize(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), name);
    if (colors == TJCS_CMYK || colors == TJCS_YCCK) {
        failPicture(name, "a JPEG in CMYK colors, expected gray or RGB");
    }
    const bool isGray = colors == TJCS_GRAY;
    Picture picture{static_cast<std::uint32_t>(width),
                    static_cast<std::uint32_t>(height),
                    isGray ? 1U : 3U,
                    {}};
    picture.samples.resize(std::size_t{picture.width} * picture.height * picture.channels);
    // A file of many progressive scans could take hours, and a damaged one would give a gray rest.
    constexpr int kFlags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING;
    if (tjDecompress2(handle.get(), bytes, file.size(), picture.samples.data(), width, 0, height,
                      isGray ? TJPF_GRAY : TJPF_RGB, kFlags) != 0) {
        fail();
    }
    return picture;
}

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
    const NamelessFile copy(file);
    int width = 0, height = 0, pixels = TJPF_UNKNOWN;
    const std::unique_ptr<unsigned char, FreeSamples> samples(
            tjLoadImage(copy.path().c_str(), &width, 1, &height, &pixels, 0));
    if (!samples) {
        failPicture(name, fmt::format("{}: {}", kind, tjGetErrorStr2(nullptr)));
    }
    const bool isGray = pixels == TJPF_GRAY;
    if (!isGray && tjPixelSize[pixels] == 4) {
        failPicture(name, fmt::format("{}: an unknown pixel format", kind));
    }
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
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned char* pixel = samples.get() + i * 3;
        picture.samples[i * 3] = pixel[tjRedOffset[pixels]];
        picture.samples[i * 3 + 1] = pixel[tjGreenOffset[pixels]];
        picture.samples[i * 3 + 2] = pixel[tjBlueOffset[pixels]];
    }
    return picture;
}

}  // namespace vnpu::sim::media
