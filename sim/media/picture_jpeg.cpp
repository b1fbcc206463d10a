// SPDX-License-Identifier: Apache-2.0
// JPEG by libjpeg-turbo's TurboJPEG interface.
#include <fmt/format.h>
#include <turbojpeg.h>

#include <memory>

#include "sim/base/error.h"
#include "sim/media/picture.h"

namespace vnpu::sim::media {

namespace {

struct DestroyDecompressor {
    void operator()(void* handle) const { tjDestroy(handle); }
};

}  // namespace

Picture decodeJpeg(std::span<const std::byte> file, const std::string& name) {
    const std::unique_ptr<void, DestroyDecompressor> handle(tjInitDecompress());
    const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
    const auto fail = [&] {
        throw InputError(fmt::format("{}: JPEG: {}", name, tjGetErrorStr2(handle.get())));
    };
    int width = 0, height = 0, subsampling = 0, colors = 0;
    if (tjDecompressHeader3(handle.get(), bytes, file.size(), &width, &height, &subsampling,
                            &colors) != 0) {
        fail();
    }
    requirePictureSize(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), name);
    if (colors == TJCS_CMYK || colors == TJCS_YCCK) {
        throw InputError(fmt::format("{}: a JPEG in CMYK colors, expected gray or RGB", name));
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

}  // namespace vnpu::sim::media
