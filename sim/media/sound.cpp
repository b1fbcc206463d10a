// SPDX-License-Identifier: Apache-2.0
#include "sim/media/sound.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numeric>

#include "sim/base/error.h"

namespace vnpu::sim::media {

namespace {

/// The bytes of a file with a position, for libsndfile.
struct ByteReader {
    std::span<const std::byte> bytes;
    sf_count_t at = 0;

    sf_count_t size() const { return static_cast<sf_count_t>(bytes.size()); }
};

sf_count_t seekBytes(sf_count_t offset, int whence, void* user) {
    auto& reader = *static_cast<ByteReader*>(user);
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? reader.at : reader.size();
    // The offset comes from the file's chunk sizes, so the sum may not be computed before it is
    // known to fit.
    if (offset < -base || offset > reader.size() - base) {
        return -1;
    }
    reader.at = base + offset;
    return reader.at;
}

sf_count_t readBytes(void* to, sf_count_t count, void* user) {
    auto& reader = *static_cast<ByteReader*>(user);
    const sf_count_t length = std::clamp<sf_count_t>(reader.size() - reader.at, 0, count);
    if (length > 0) {
        std::memcpy(to, reader.bytes.data() + reader.at, static_cast<std::size_t>(length));
    }
    reader.at += length;
    return length;
}

sf_count_t sizeOfBytes(void* user) {
    return static_cast<ByteReader*>(user)->size();
}

sf_count_t placeOfBytes(void* user) {
    return static_cast<ByteReader*>(user)->at;
}

sf_count_t refuseToWrite(const void*, sf_count_t, void*) {
    return 0;
}

struct CloseSound {
    void operator()(SNDFILE* file) const { sf_close(file); }
};

}  // namespace

Sound decodeWav(std::span<const std::byte> file, std::size_t mostSamples, const std::string& name) {
    constexpr int kMostChannels = 64;  // chosen: more than any microphone array of a phone
    ByteReader reader{file};
    SF_VIRTUAL_IO access{sizeOfBytes, seekBytes, readBytes, refuseToWrite, placeOfBytes};
    SF_INFO info{};
    const std::unique_ptr<SNDFILE, CloseSound> sound(
            sf_open_virtual(&access, SFM_READ, &info, &reader));
    if (!sound) {
        throw InputError(fmt::format("{}: WAV: {}", name, sf_strerror(nullptr)));
    }
    const int format = info.format & SF_FORMAT_TYPEMASK;
    if (format != SF_FORMAT_WAV && format != SF_FORMAT_WAVEX) {
        throw InputError(fmt::format("{}: not a WAV file", name));
    }
    if (info.samplerate <= 0 || info.channels < 1 || info.channels > kMostChannels) {
        throw InputError(
                fmt::format("{}: a sound of {} channels at {} Hz, expected 1 to {} channels", name,
                            info.channels, info.samplerate, kMostChannels));
    }
    const auto channels = static_cast<std::size_t>(info.channels);
    const auto frames = static_cast<std::uint64_t>(std::max<sf_count_t>(info.frames, 0));
    Sound result{static_cast<std::uint32_t>(info.samplerate), frames, {}};
    constexpr std::size_t kFramesAtOnce = 4096;
    std::vector<float> block(kFramesAtOnce * channels);
    while (result.samples.size() < mostSamples) {
        const auto wanted = std::min(kFramesAtOnce, mostSamples - result.samples.size());
        const sf_count_t count =
                sf_readf_float(sound.get(), block.data(), static_cast<sf_count_t>(wanted));
        if (count <= 0) {
            break;
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const auto frame = std::span(block).subspan(i * channels, channels);
            result.samples.push_back(std::accumulate(frame.begin(), frame.end(), 0.0F) /
                                     static_cast<float>(channels));
        }
    }
    return result;
}

}  // namespace vnpu::sim::media
