// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "sim/media/input_data.h"
#include "sim/models/network.h"

namespace vnpu::sim::media {

enum class FileKind { kRaw, kPicture, kSound, kArray };

/// By the name's ending (.png, .jpg, .jpeg, .bmp, .ppm, .pgm, .wav, .npy, in any case); all others
/// are raw tensors.
FileKind kindOfFile(std::string_view path);

/// Reads a picture, a sound or an array; the README has the rules. Throws InputError with file,
/// place and expectation.
InputData readMedia(const std::string& path, const TensorDescription& input,
                    const InputOptions& options, const InputFacts& facts = {});

/// The same for a file's bytes; `path` decides the kind and is for messages.
InputData decodeMedia(std::span<const std::byte> file, const std::string& path,
                      const TensorDescription& input, const InputOptions& options,
                      const InputFacts& facts);

}  // namespace vnpu::sim::media
