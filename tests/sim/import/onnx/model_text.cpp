// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/import/onnx/model_text.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

#include <cstring>

namespace vnpu::test {

namespace {

std::string dimsText(const std::vector<int>& dims) {
    std::string text;
    for (const int extent : dims) {
        text += fmt::format(" dims: {}", extent);
    }
    return text;
}

}  // namespace

std::vector<std::byte> modelFromText(const std::string& graphText, const std::string& modelText) {
    const std::string opset = modelText.find("opset_import") == std::string::npos
                                      ? "opset_import { version: 13 } "
                                      : "";
    ::onnx::ModelProto model;
    REQUIRE(google::protobuf::TextFormat::ParseFromString(
            fmt::format("ir_version: 7 {}{} graph {{ name: 'g' {} }}", opset, modelText, graphText),
            &model));
    const std::string bytes = model.SerializeAsString();
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return {begin, begin + bytes.size()};
}

std::string valueText(const std::string& kind, const std::string& name, int type,
                      const std::vector<int>& dims) {
    std::string shape;
    for (const int extent : dims) {
        shape += extent < 0 ? " dim { dim_param: 'N' }"
                            : fmt::format(" dim {{ dim_value: {} }}", extent);
    }
    return fmt::format(
            "{} {{ name: '{}' type {{ tensor_type {{ elem_type: {} shape {{ {} }} }} }} }}\n", kind,
            name, type, shape);
}

std::string nodeText(const std::string& type, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs, const std::string& attributes) {
    std::string text = fmt::format("node {{ op_type: '{}'", type);
    for (const std::string& input : inputs) {
        text += fmt::format(" input: '{}'", input);
    }
    for (const std::string& output : outputs) {
        text += fmt::format(" output: '{}'", output);
    }
    return text + " " + attributes + " }\n";
}

std::string intAttribute(const std::string& name, std::int64_t value) {
    return fmt::format(" attribute {{ name: '{}' type: INT i: {} }}", name, value);
}

std::string intsAttribute(const std::string& name, const std::vector<std::int64_t>& values) {
    std::string text = fmt::format(" attribute {{ name: '{}' type: INTS", name);
    for (const std::int64_t value : values) {
        text += fmt::format(" ints: {}", value);
    }
    return text + " }";
}

std::string floatAttribute(const std::string& name, float value) {
    return fmt::format(" attribute {{ name: '{}' type: FLOAT f: {} }}", name, value);
}

std::string textAttribute(const std::string& name, const std::string& value) {
    return fmt::format(" attribute {{ name: '{}' type: STRING s: '{}' }}", name, value);
}

std::string floatsConstant(const std::string& name, const std::vector<int>& dims,
                           const std::vector<float>& values) {
    std::string text =
            fmt::format("initializer {{ name: '{}' data_type: 1{}", name, dimsText(dims));
    for (const float value : values) {
        text += fmt::format(" float_data: {}", value);
    }
    return text + " }\n";
}

std::string intsConstant(const std::string& name, const std::vector<int>& dims,
                         const std::vector<std::int64_t>& values) {
    std::string text =
            fmt::format("initializer {{ name: '{}' data_type: 7{}", name, dimsText(dims));
    for (const std::int64_t value : values) {
        text += fmt::format(" int64_data: {}", value);
    }
    return text + " }\n";
}

sim::OnnxImport importText(const std::string& graphText, const std::string& modelText,
                           const sim::NetworkOptions& options, const sim::BoundInputs& bound) {
    return sim::examineOnnx("m.onnx", modelFromText(graphText, modelText), options, bound);
}

sim::onnx::Tensor floatTensor(std::vector<std::uint32_t> dims, const std::vector<float>& values) {
    sim::onnx::Tensor tensor{"", sim::onnx::ElementType::kFloat, std::move(dims), {}};
    const auto bytes = std::as_bytes(std::span(values));
    tensor.data.assign(bytes.begin(), bytes.end());
    return tensor;
}

std::vector<std::string> operationsOf(const sim::OnnxImport& import) {
    std::vector<std::string> names;
    REQUIRE(import.network.has_value());
    for (const auto& operation : import.network->model.main.operations) {
        names.push_back(sim::nameOf(operation.type));
    }
    return names;
}

}  // namespace vnpu::test
