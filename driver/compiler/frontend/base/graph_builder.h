// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "driver/compiler/frontend/base/model_reader.h"
#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

class GraphBuilder;

/// Checks one operation against NNAPI's rules and the device's abilities, settles its output shape
/// and adds its nodes; or refuses it.
using Lowering = Checked<void> (*)(GraphBuilder&, const OperationReader&);

/// Grows a Graph while operations are lowered in order. Operands are those of the subgraph that is
/// being lowered. Tensor i is operand i of the main subgraph; lowering adds further tensors.
class GraphBuilder {
  public:
    GraphBuilder(const ModelReader& reader, const CompileOptions& options);

    /// The tensor that operation's input `i` names, with its shape known and not empty; untiled()
    /// if it is left out. A constant gets its storage here.
    Checked<TensorId> input(const OperationReader& operation, std::size_t i) {
        return use(operation.inputOperand(i));
    }

    /// Settles the shape of output `o` of an operation: kInvalid where it contradicts the model,
    /// kExhausted beyond 2 GiB.
    Checked<TensorId> output(const OperationReader& operation, const Shape& shape,
                             std::size_t o = 0);

    /// The tensor of an operand that the DSP reads: also a scalar, or a tensor with a shape that
    /// only the device knows. kNoTensor for an operand that is left out.
    Checked<TensorId> useWhole(std::uint32_t operand);

    /// The tensor that an operator on the DSP writes: of the model's shape where that is known,
    /// else dynamic.
    Checked<TensorId> outputWhole(std::uint32_t operand);

    /// Makes a tensor dynamic, with room in scratch memory unless it is the model's output.
    Checked<void> makeDynamic(TensorId tensor);

    /// The tensor of an operand, whether or not it has a shape and a storage.
    TensorId tensorOf(std::uint32_t operand) const { return frame_.base + operand; }

    /// A subgraph that is being lowered.
    struct Frame {
        const ModelReader* reader = nullptr;
        TensorId base = 0;
        std::uint32_t construct = kNoConstruct;
        std::uint32_t nesting = 0;  // subgraphs around it
    };
    /// Begins a referenced subgraph: its operands become tensors. Returns the frame to go back to.
    /// The reader must outlive it.
    Frame enter(const ModelReader& reader);
    /// Begins an IF or WHILE, unless one is under way. Returns the frame to go back to.
    Frame enterConstruct();
    void leave(const Frame& outer) { frame_ = outer; }

    /// Lowers an operation. A refusal takes back everything that the lowering has added: nodes,
    /// tensors, storages, constants, frames and loops. The shapes that it settled stay, because
    /// they follow from the model.
    Checked<void> attempt(const OperationReader& operation, Lowering lower);
    /// The number of loops around the present operation.
    std::uint32_t loopDepth() const { return loopDepth_; }
    void setLoopDepth(std::uint32_t depth) { loopDepth_ = depth; }
    const Frame& frame() const { return frame_; }

    /// Whether the operation must run whole on the DSP because no tile of it fits.
    bool isForcedWhole(std::uint32_t operation) const {
        return std::find(options_.wholeOperations.begin(), options_.wholeOperations.end(),
                         operation) != options_.wholeOperations.end();
    }

    /// A new intermediate tensor with the type and quantization of `like`.
    TensorId temporary(TensorId like, const Shape& shape);

    /// A new intermediate tensor of that type, without quantization.
    TensorId newTensor(OperationReader::OperandType type, const Shape& shape);

    /// A new constant tensor; its storage is set here.
    TensorId constant(Tensor description, std::span<const std::byte> bytes);

    bool isConstant(TensorId tensor) const { return graph_.isConstant(tensor); }
    /// Valid until the next constant is added. kUnsupported if the tensor is not constant,
    /// kUndetermined if it lies in a pool that is not mapped.
    Checked<std::span<const std::byte>> constantBytes(TensorId tensor) const;

    /// A part of a tensor's storage, from its element `offset` on, as a tensor of its own.
    TensorId view(TensorId whole, const Shape& shape, std::uint64_t offset);

    /// Appends bytes to CompiledModel::constants, `alignment` a power of two.
    StorageId addConstant(std::span<const std::byte> bytes, std::uint32_t alignment);

    void add(std::uint32_t operation, decltype(Node::work) work) {
        graph_.nodes.push_back({operation, std::move(work), frame_.construct});
    }

    /// Adds a node of the DSP and room for its descriptor.
    void addWhole(std::uint32_t operation, OperatorNode node);

    const Tensor& tensor(TensorId id) const { return graph_.tensors[id]; }
    /// Output `o` as the model declares it.
    const Tensor& declaredOutput(const OperationReader& operation, std::size_t o = 0) const {
        return graph_.tensors[tensorOf(operation.outputOperand(o))];
    }
    Graph& graph() { return graph_; }
    std::vector<std::byte>& constants() { return constants_; }

  private:
    Checked<TensorId> use(std::uint32_t operand);
    Checked<TensorId> withStorage(std::uint32_t operand);
    bool isLeftOut(std::uint32_t operand) const;
    Checked<void> materialize(std::uint32_t operand);
    /// The state that an attempt may have to return to.
    struct Mark {
        Frame frame;
        std::uint32_t loopDepth = 0;
        std::size_t nodes = 0, tensors = 0, storages = 0, constantBytes = 0;
    };
    void takeBack(const Mark& mark, const OperationReader& operation);
    TensorId addTensor(Tensor tensor) {
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size() - 1);
    }
    StorageId addStorage(const Storage& storage) {
        graph_.storages.push_back(storage);
        return static_cast<StorageId>(graph_.storages.size() - 1);
    }

    Frame frame_;
    std::uint32_t loopDepth_ = 0;
    CompileOptions options_;
    Graph graph_;
    std::vector<std::byte> constants_;
};

/// Whether the engines' own commands take data of this type.
bool isEngineType(OperationReader::OperandType type);

/// Same type, scale and zero point.
bool isSameQuantization(const Tensor& a, const Tensor& b);

}  // namespace vnpu::driver
