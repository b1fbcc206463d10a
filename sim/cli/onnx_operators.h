// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::sim {

/// All operators of .onnx files and how they are imported.
std::string onnxOperatorTable();
std::string onnxOperatorJson();

}  // namespace vnpu::sim
