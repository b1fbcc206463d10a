// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/media/input_data.h"
#include "sim/media/picture.h"
#include "sim/models/network.h"

namespace vnpu::sim::media {

/// A picture as the bytes of an input: channels, extent, normalization, type and layout of the
/// tensor. Throws InputError where the tensor is not shaped like a picture.
InputData pictureInput(const Picture& picture, const std::string& name,
                       const TensorDescription& input, const InputOptions& options,
                       const InputFacts& facts);

}  // namespace vnpu::sim::media
