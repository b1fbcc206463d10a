// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/import/onnx/importer.h"

namespace vnpu::test {

/// The bytes of a model from protobuf's text form; the opset is 13 unless the text says otherwise.
std::vector<std::byte> modelFromText(const std::string& graphText,
                                     const std::string& modelText = "");

/// `name` as an input or output of a graph, in protobuf's text form: element type, and dimensions
/// (-1 is open).
std::string valueText(const std::string& kind, const std::string& name, int type,
                      const std::vector<int>& dims);
/// A node in the same form, with text for its attributes.
std::string nodeText(const std::string& type, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const std::string& attributes = "");
std::string intAttribute(const std::string& name, std::int64_t value);
std::string intsAttribute(const std::string& name, const std::vector<std::int64_t>& values);
std::string floatAttribute(const std::string& name, float value);
std::string textAttribute(const std::string& name, const std::string& value);
/// A constant of the graph.
std::string floatsConstant(const std::string& name, const std::vector<int>& dims,
                           const std::vector<float>& values);
std::string intsConstant(const std::string& name, const std::vector<int>& dims,
                         const std::vector<std::int64_t>& values);

sim::OnnxImport importText(const std::string& graphText, const std::string& modelText = "",
                           const sim::NetworkOptions& options = {},
                           const sim::BoundInputs& bound = {});

sim::onnx::Tensor floatTensor(std::vector<std::uint32_t> dims, const std::vector<float>& values);

/// The operation types of the imported network, in order.
std::vector<std::string> operationsOf(const sim::OnnxImport& import);

}  // namespace vnpu::test
