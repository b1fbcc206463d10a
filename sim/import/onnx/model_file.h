// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/import/onnx/model.h"

namespace vnpu::sim::onnx {

/// Reads a .onnx file. Weights that it keeps in other files are read from its folder. Everything
/// that the structures of model.h promise is checked. Throws InputError with file, place and
/// expectation.
Model readModel(const std::string& path);

/// The same for a file's bytes; `path` is for messages and names the folder of other files.
Model parseModel(std::span<const std::byte> file, const std::string& path);

/// A file with one tensor (TensorProto), as the test data of ONNX has.
Tensor parseTensor(std::span<const std::byte> file, const std::string& path);

/// A file with several tensors (SequenceProto).
std::vector<Tensor> parseSequence(std::span<const std::byte> file, const std::string& path);

}  // namespace vnpu::sim::onnx
