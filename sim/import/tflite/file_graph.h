// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/import/tflite/file.h"

namespace vnpu::sim::tflite {

namespace schema {
struct Operator;
struct SparsityParameters;
enum class TensorType : std::int8_t;
}  // namespace schema
using schema::TensorType;

/// A tensor of the file, its shape, size and quantization checked.
struct TensorView {
    std::int32_t index = -1;
    std::string name;
    TensorType type{};
    std::vector<std::uint32_t> dimensions;  // 0 where the file leaves one open
    bool isOpen = false;                    // some dimension is to be known later
    bool hasData = false;
    std::span<const std::byte> data;       // dense, unless the tensor is sparse
    std::vector<float> scales;             // finite, above 0; empty, one, or one per channel
    std::vector<std::int32_t> zeroPoints;  // as many as scales
    std::uint32_t channelDimension = 0;    // of more than one scale
    bool isVariable = false;
    const schema::SparsityParameters* sparsity = nullptr;

    std::string place() const;  // "tensor 3 (conv1/weights)"
};

/// One operator of a graph; tensor indexes are in range, -1 stands for an omitted optional input.
struct OperatorView {
    std::uint32_t index = 0;
    std::int32_t code = 0;   // builtin operator
    std::string customName;  // of a custom operator
    std::vector<std::int32_t> inputs, outputs, intermediates;
    std::span<const std::byte> customOptions;
    const schema::Operator* table = nullptr;
};

/// One graph of a file.
class Graph {
  public:
    /// Fails where the file has no such graph.
    Graph(const File& file, std::size_t index);

    std::size_t index() const { return index_; }
    std::size_t tensorCount() const;
    std::size_t operatorCount() const;
    TensorView tensor(std::int32_t index) const;
    std::string tensorName(std::int32_t index) const;
    OperatorView operatorAt(std::size_t index) const;
    std::vector<std::int32_t> inputs() const;
    std::vector<std::int32_t> outputs() const;

  private:
    std::string placeOf(const std::string& what) const;
    std::vector<std::int32_t> checkedIndexes(const void* vector, const std::string& place,
                                             bool mayBeOmitted) const;
    void checkShape(TensorView& tensor, const void* tensorTable) const;
    void checkData(TensorView& tensor, const void* tensorTable) const;
    void checkQuantization(TensorView& tensor, const void* tensorTable) const;

    const File* file_;
    const schema::SubGraph* table_;
    std::size_t index_ = 0;
};

/// "INT8"; "type 42" for an unknown one.
std::string typeName(TensorType type);

/// Bytes of one element; 0 for types without a fixed size or with half a byte.
std::uint32_t typeBytes(TensorType type);

}  // namespace vnpu::sim::tflite
