// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/import/graph/report.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// Imports a graph of a .tflite file. Broken files and wrong options throw InputError "file: place:
/// what is wrong, expected ...".
graph::ImportResult examineTflite(const std::string& path, const NetworkOptions& options = {});
/// The same for a file in memory; `path` is used in messages and for the name.
graph::ImportResult examineTflite(const std::string& path, std::vector<std::byte> bytes,
                                  const NetworkOptions& options = {});

/// Throws InputError with all operators that are not supported.
Network importTflite(const std::string& path, std::vector<std::byte> bytes,
                     const NetworkOptions& options = {});

}  // namespace vnpu::sim
