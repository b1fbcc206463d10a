// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/media/resize.h"

namespace vnpu::sim::media {

/// How pixel values 0 to 255 become a tensor's real values: (value - mean) / deviation. One number
/// for all channels or one per channel; empty: not given.
struct Normalization {
    std::vector<float> mean = {}, deviation = {};

    bool isGiven() const { return !mean.empty() || !deviation.empty(); }
};

/// What the user said on the command line.
struct InputOptions {
    Normalization normalization = {};
    Fit fit = Fit::kStretch;
    std::optional<std::uint32_t> sampleRate = {};  // the rate that the model expects
};

/// What the model's own metadata say of one input.
struct InputFacts {
    Normalization normalization = {};
    std::optional<std::uint32_t> sampleRate = {};
};

inline constexpr std::uint32_t kUsualSampleRate = 16000;  // source: most published speech models

/// A file as the bytes of an input.
struct InputData {
    std::vector<std::byte> bytes;  // of the operand
    std::string how;  // "480x360 RGB, stretched to 224x224, (value - 127.5) / 127.5"; for reports
};

}  // namespace vnpu::sim::media
