// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/models/network.h"

namespace vnpu::sim {

/// Imports the main graph of a .tflite file as an NNAPI model. Anything that is wrong or not
/// supported throws InputError "file: place: what is wrong, expected ...".
Network importTflite(const std::string& path, const NetworkOptions& options = {});

/// The same for a file in memory; `path` is used in messages and for the name.
Network importTflite(const std::string& path, std::vector<std::byte> bytes,
                     const NetworkOptions& options = {});

}  // namespace vnpu::sim
