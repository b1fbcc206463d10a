// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vnpu::sim::media {

/// The beginning of a sound as one channel.
struct Sound {
    std::uint32_t sampleRate = 0;
    std::uint64_t frames = 0;    // of the whole file
    std::vector<float> samples;  // the first ones, from -1 to 1: the mean of the file's channels
};

/// Decodes at most `mostSamples` of a WAV file of any encoding that libsndfile knows. `name` is for
/// messages. Throws InputError.
Sound decodeWav(std::span<const std::byte> file, std::size_t mostSamples, const std::string& name);

}  // namespace vnpu::sim::media
