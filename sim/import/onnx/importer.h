// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sim/import/graph/report.h"
#include "sim/import/graph/value.h"
#include "sim/import/onnx/model.h"
#include "sim/models/network.h"

namespace vnpu::sim {

/// The NNAPI model of a .onnx file, and what the import found.
struct OnnxImport : graph::ImportResult {
    /// Inputs of the model whose values an operator must know during import.
    std::set<std::string> wantedConstants;
    /// The outputs, where all of them are known during import and the model has no input.
    std::vector<graph::Value> folded;
};

/// Inputs that get their values already during import, by name.
using BoundInputs = std::map<std::string, onnx::Tensor>;

/// Imports a .onnx file. Broken files and wrong options throw InputError "file: place: what is
/// wrong, expected ...".
OnnxImport examineOnnx(const std::string& path, const NetworkOptions& options = {},
                       const BoundInputs& bound = {});
/// The same for a file in memory; `path` is used in messages and for the name.
OnnxImport examineOnnx(const std::string& path, std::span<const std::byte> bytes,
                       const NetworkOptions& options = {}, const BoundInputs& bound = {});

}  // namespace vnpu::sim
