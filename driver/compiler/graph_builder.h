// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "driver/compiler/graph.h"
#include "driver/compiler/model_reader.h"

namespace vnpu::driver {

/// Grows a Graph while operations are lowered in order. Tensor i is operand i of the main subgraph;
/// lowering adds others.
class GraphBuilder {
  public:
    GraphBuilder(const ModelReader& reader, const CompileOptions& options);

    /// The tensor of an operand that an operation reads, with its shape known and not empty. A
    /// constant gets its storage here.
    Checked<TensorId> use(std::uint32_t operand);

    /// As `use`, for input `i` of the operation; `what` names it in a refusal.
    Checked<TensorId> input(const OperationReader& operation, std::size_t i, std::string_view what);

    /// Settles the shape of an operation's output: kInvalid where it contradicts the model,
    /// kExhausted beyond 2 GiB.
    Checked<TensorId> output(const OperationReader& operation, const Shape& shape);

    /// A new intermediate tensor with the type and quantisation of `like`.
    TensorId temporary(TensorId like, const Shape& shape);

    /// Appends bytes to CompiledModel::constants, `alignment` a power of two.
    StorageId addConstant(std::span<const std::byte> bytes, std::uint32_t alignment);

    void add(std::uint32_t operation, decltype(Node::work) work) {
        graph_.nodes.push_back({operation, std::move(work)});
    }

    const Tensor& tensor(TensorId id) const { return graph_.tensors[id]; }
    Graph& graph() { return graph_; }
    std::vector<std::byte>& constants() { return constants_; }

  private:
    Checked<void> materialise(std::uint32_t operand);

    const ModelReader& reader_;
    Graph graph_;
    std::vector<std::byte> constants_;
};

/// NNAPI gives tensors of the supported element types a scale where they are quantised; refuses one
/// without.
Checked<void> requireType(const Tensor& tensor, std::string_view what,
                          std::span<const OperationReader::OperandType> allowed);

/// The three types that every data operand may have.
std::span<const OperationReader::OperandType> dataTypes();

/// Same type, scale and zero point.
bool isSameQuantisation(const Tensor& a, const Tensor& b);

}  // namespace vnpu::driver
