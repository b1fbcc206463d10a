// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vnpu::sim::onnx {

/// Element types, with the numbers of the file format.
enum class ElementType : std::int32_t {
    kNone = 0,
    kFloat = 1,
    kUint8 = 2,
    kInt8 = 3,
    kUint16 = 4,
    kInt16 = 5,
    kInt32 = 6,
    kInt64 = 7,
    kString = 8,
    kBool = 9,
    kFloat16 = 10,
    kDouble = 11,
    kUint32 = 12,
    kUint64 = 13,
    kComplex64 = 14,
    kComplex128 = 15,
    kBfloat16 = 16
};

std::string nameOf(ElementType type);

/// Bytes of one element; 0 for strings and unknown types.
std::size_t elementBytes(ElementType type);

/// A constant of the file: elements of the file's type, little endian, in the order of rows.
struct Tensor {
    std::string name;
    ElementType type = ElementType::kNone;
    std::vector<std::uint32_t> dims;
    std::vector<std::byte> data;  // exactly the elements; empty for strings
};

/// An input, an output or the annotation of an intermediate tensor. A dimension of 0xFFFFFFFF is
/// open.
struct TensorInfo {
    static constexpr std::uint32_t kOpen = UINT32_MAX;

    std::string name;
    ElementType type = ElementType::kNone;  // none: no tensor, or nothing is said
    bool isSequence = false, isOptional = false;
    std::optional<std::vector<std::uint32_t>> dims;  // nothing: not even the rank is known
};

struct Graph;

/// An argument of an operator; the member that `kind` names is set.
struct Attribute {
    enum class Kind { kFloat, kInt, kString, kTensor, kGraph, kFloats, kInts, kStrings, kOther };
    Kind kind = Kind::kOther;
    float number = 0.0F;
    std::int64_t integer = 0;
    std::string text;
    std::vector<float> numbers;
    std::vector<std::int64_t> integers;
    std::vector<std::string> texts;
    std::shared_ptr<const Tensor> tensor;
    std::shared_ptr<const Graph> graph;
    std::string reference;  // in a function: the name of the function's attribute to take instead
};

using Attributes = std::map<std::string, Attribute>;

/// An operator of a graph. An empty input or output is left out.
struct Node {
    std::string type, domain, name;
    std::vector<std::string> inputs, outputs;
    Attributes attributes;
};

struct Graph {
    std::string name;
    std::vector<Node> nodes;
    std::map<std::string, std::shared_ptr<const Tensor>> constants;
    std::vector<TensorInfo> inputs, outputs;
    std::map<std::string, TensorInfo> infos;  // of intermediate tensors
};

/// Version of the operators per domain; "" is that of ONNX itself.
using Opsets = std::map<std::string, std::int64_t>;

/// An operator that the file defines by others.
struct Function {
    std::string name, domain;
    std::vector<std::string> inputs, outputs;
    std::vector<Node> nodes;
    Opsets opsets;
};

struct Model {
    Graph graph;
    Opsets opsets;
    std::vector<Function> functions;
};

}  // namespace vnpu::sim::onnx
