// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/media/input_file.h"
#include "sim/media/labels.h"

namespace vnpu::sim::media {

/// What a .tflite file says of its inputs and outputs beside their tensors, in the order of the
/// file. Empty where the file says nothing.
struct ModelMetadata {
    std::vector<InputFacts> inputs;
    std::vector<Labels> outputs;
};

/// Reads the metadata of a .tflite file and the label files that are appended to it. Damaged
/// metadata count as none, because the model runs without. `path` ending in another name than
/// .tflite, and files without metadata: nothing.
ModelMetadata readModelMetadata(const std::string& path);

/// The same for a file's bytes.
ModelMetadata parseModelMetadata(std::span<const std::byte> file);

}  // namespace vnpu::sim::media
