// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/control_flow.h"

#include <fmt/format.h>

namespace vnpu::driver {

using android::hardware::neuralnetworks::V1_3::OperationType;

namespace {

// chosen: subgraphs are compiled once for each use, which nesting can multiply without end
constexpr std::size_t kMaxNodes = 100'000;
constexpr std::size_t kMaxTensors = 2'000'000;
// chosen: each level of nesting calls this compiler again, on the small stack of a host thread
constexpr std::uint32_t kMaxNesting = 128;

using Kind = ControlNode::Kind;

/// Compiles one IF or WHILE into the nodes of its subgraphs and the controller's steps between
/// them.
class ControlFlow {
  public:
    ControlFlow(GraphBuilder& builder, const OperationReader& operation, Lowering lowerInner)
        : builder_(builder), operation_(operation), lowerInner_(lowerInner) {}

    Checked<void> lowerIf();
    Checked<void> lowerWhile();

  private:
    Graph& graph() { return builder_.graph(); }
    Tensor& tensor(TensorId id) { return builder_.graph().tensors[id]; }
    std::uint32_t newLabel() { return graph().labels++; }

    void add(const ControlNode& node) { builder_.add(operation_.index(), node); }
    void addLabel(std::uint32_t label) { add({.kind = Kind::kLabel, .label = label}); }

    /// The subgraph that an operand names.
    ModelReader subgraph(std::size_t input) const {
        const std::uint32_t operand = operation_.inputOperand(input);
        return operation_.model().of(operation_.model().operand(operand).location.offset);
    }

    Checked<std::vector<TensorId>> outerInputs(std::size_t first);
    Checked<void> unify(TensorId inner, TensorId outer);
    Checked<void> lowerSubgraph(const ModelReader& reader, const std::vector<TensorId>& inputs,
                                const std::vector<TensorId>& outputs);
    Checked<void> settleBranchOutput(std::size_t index);
    void copy(TensorId from, TensorId to);

    struct State {
        TensorId tensor = kNoTensor;  // between iterations
        TensorId next = kNoTensor;    // computed by the body
    };
    Checked<State> makeState(std::size_t index, TensorId initial, const ModelReader& condition,
                             const ModelReader& body);
    TensorId makeTensor(TensorId like, bool isDynamic, StorageId storage);

    GraphBuilder& builder_;
    const OperationReader& operation_;
    Lowering lowerInner_;
};

Checked<std::vector<TensorId>> ControlFlow::outerInputs(std::size_t first) {
    std::vector<TensorId> tensors;
    for (std::size_t i = first; i < operation_.inputCount(); ++i) {
        VNPU_TRY_ASSIGN(const auto id, builder_.useWhole(operation_.inputOperand(i)));
        if (id == kNoTensor) {
            return contradictory(fmt::format("input {} is left out", i));
        }
        tensors.push_back(id);
    }
    return tensors;
}

/// Makes an operand of a subgraph an alias of the tensor outside of it.
Checked<void> ControlFlow::unify(TensorId inner, TensorId outer) {
    Tensor& operand = tensor(inner);
    const Tensor& given = tensor(outer);
    const bool isOpen = given.isDynamic() || given.shape.empty();
    if (!isOpen && !agrees(operand.shape, given.shape)) {
        return contradictory(fmt::format("subgraph's operand has shape {}, outside it is {}",
                                         toText(operand.shape), toText(given.shape)));
    }
    if (!given.isDynamic()) {
        operand.shape = given.shape;
    }
    operand.shapeIndex = given.shapeIndex;
    operand.storage = given.storage;
    operand.byteOffset = given.byteOffset;
    return {};
}

Checked<void> ControlFlow::lowerSubgraph(const ModelReader& reader,
                                         const std::vector<TensorId>& inputs,
                                         const std::vector<TensorId>& outputs) {
    const auto& subgraph = reader.graph();
    if (builder_.frame().nesting >= kMaxNesting) {
        return exhausted(fmt::format("subgraphs are nested deeper than {}", kMaxNesting));
    }
    if (graph().tensors.size() > kMaxTensors) {
        return exhausted(fmt::format("subgraphs unfold into more than {} operands", kMaxTensors));
    }
    const GraphBuilder::Frame outer = builder_.enter(reader);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        VNPU_TRY(unify(builder_.tensorOf(subgraph.inputIndexes[i]), inputs[i]));
    }
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        VNPU_TRY(unify(builder_.tensorOf(subgraph.outputIndexes[o]), outputs[o]));
    }
    for (std::uint32_t i = 0; i < subgraph.operations.size(); ++i) {
        if (graph().nodes.size() > kMaxNodes) {
            return exhausted(
                    fmt::format("subgraphs unfold into more than {} operations", kMaxNodes));
        }
        const OperationReader operation(reader, i, operation_.index());
        if (auto lowered = lowerInner_(builder_, operation); !lowered) {
            lowered.error().reason =
                    fmt::format("operation {} ({}) of a subgraph: {}", i,
                                toString(operation.type()), lowered.error().reason);
            return lowered;
        }
    }
    builder_.leave(outer);
    return {};
}

/// Settles an output whose shape the model leaves open outside the branches: the shape that both
/// branches declare, else dynamic.
Checked<void> ControlFlow::settleBranchOutput(std::size_t index) {
    const TensorId id = builder_.tensorOf(operation_.outputOperand(index));
    if (!isSettled(tensor(id).shape) && !tensor(id).isDynamic()) {
        Shape shapes[2];
        for (std::size_t branch = 0; branch < 2; ++branch) {
            const ModelReader reader = subgraph(1 + branch);
            shapes[branch] = reader.operand(reader.graph().outputIndexes[index]).dimensions;
        }
        if (isSettled(shapes[0]) && shapes[0] == shapes[1]) {
            tensor(id).shape = shapes[0];
        }
    }
    VNPU_TRY(builder_.outputWhole(operation_.outputOperand(index)));
    return {};
}

Checked<void> ControlFlow::lowerIf() {
    VNPU_TRY_ASSIGN(auto inputs, outerInputs(3));
    VNPU_TRY_ASSIGN(const auto condition, builder_.useWhole(operation_.inputOperand(0)));
    if (condition == kNoTensor) {
        return contradictory("condition is left out");
    }
    std::vector<TensorId> outputs;
    for (std::size_t o = 0; o < operation_.outputCount(); ++o) {
        VNPU_TRY(settleBranchOutput(o));
        outputs.push_back(builder_.tensorOf(operation_.outputOperand(o)));
    }
    const GraphBuilder::Frame outer = builder_.enterConstruct();
    const std::uint32_t otherwise = newLabel();
    const std::uint32_t end = newLabel();
    add({.kind = Kind::kBranch, .label = otherwise, .condition = condition, .isInverted = true});
    const ModelReader thenReader = subgraph(1);
    const ModelReader elseReader = subgraph(2);
    VNPU_TRY(lowerSubgraph(thenReader, inputs, outputs));
    add({.kind = Kind::kBranch, .label = end});
    addLabel(otherwise);
    VNPU_TRY(lowerSubgraph(elseReader, inputs, outputs));
    addLabel(end);
    builder_.leave(outer);
    return {};
}

TensorId ControlFlow::makeTensor(TensorId like, bool isDynamic, StorageId storage) {
    const TensorId id = builder_.temporary(like, tensor(like).shape);
    tensor(id).shapeIndex.reset();
    tensor(id).byteOffset = 0;
    tensor(id).isOmitted = false;
    if (storage != kNoStorage) {
        tensor(id).storage = storage;
    }
    if (isDynamic) {
        tensor(id).shape.clear();
    }
    return id;
}

Checked<ControlFlow::State> ControlFlow::makeState(std::size_t index, TensorId initial,
                                                   const ModelReader& condition,
                                                   const ModelReader& body) {
    const Shape shape = tensor(initial).shape;
    const auto mayBeInputOf = [&](const ModelReader& reader) {
        const Shape declared = reader.operand(reader.graph().inputIndexes[index]).dimensions;
        return agrees(declared, shape);
    };
    const Shape computed = body.operand(body.graph().outputIndexes[index]).dimensions;
    const bool isScalarState = hw::isScalar(static_cast<hw::TensorType>(tensor(initial).type));
    const bool isStatic = isScalarState || (!tensor(initial).isDynamic() && computed == shape &&
                                            mayBeInputOf(condition) && mayBeInputOf(body));
    State state;
    StorageId storage = kNoStorage;
    std::optional<std::uint32_t> shapeIndex;
    if (index < operation_.outputCount()) {
        const TensorId output = builder_.tensorOf(operation_.outputOperand(index));
        if (isStatic && !isScalarState) {
            if (!agrees(tensor(output).shape, shape)) {
                return contradictory(fmt::format("output {} has shape {} in the model, computed {}",
                                                 index, toText(tensor(output).shape),
                                                 toText(shape)));
            }
            tensor(output).shape = shape;
        }
        VNPU_TRY(builder_.outputWhole(operation_.outputOperand(index)));
        // The state shares the output's storage if both are static or both dynamic.
        if (isStatic == !tensor(output).isDynamic()) {
            storage = tensor(output).storage;
            shapeIndex = tensor(output).shapeIndex;
        }
    }
    state.tensor = makeTensor(initial, !isStatic, storage);
    state.next = makeTensor(initial, !isStatic, kNoStorage);
    tensor(state.tensor).shapeIndex = shapeIndex;
    if (!isStatic) {
        VNPU_TRY(builder_.makeDynamic(state.tensor));
        VNPU_TRY(builder_.makeDynamic(state.next));
    }
    return state;
}

void ControlFlow::copy(TensorId from, TensorId to) {
    if (tensor(from).isDynamic() || tensor(to).isDynamic()) {
        // To the same type: moves the bytes.
        builder_.addWhole(operation_.index(), {hw::Operator::kCast, {from}, {to}});
    } else {
        builder_.add(operation_.index(), copyOf(from, to, elementCount(tensor(from).shape)));
    }
}

Checked<void> ControlFlow::lowerWhile() {
    VNPU_TRY_ASSIGN(auto inputs, outerInputs(2));
    const ModelReader condition = subgraph(0);
    const ModelReader body = subgraph(1);
    const std::size_t states = body.graph().outputIndexes.size();
    const GraphBuilder::Frame outer = builder_.enterConstruct();
    const std::uint32_t depth = builder_.loopDepth();
    if (depth >= hw::kMaxLoops) {
        return exhausted(fmt::format("loops are nested deeper than {}", hw::kMaxLoops));
    }
    std::vector<TensorId> variables = inputs;
    std::vector<TensorId> next;
    for (std::size_t i = 0; i < states; ++i) {
        VNPU_TRY_ASSIGN(const auto state, makeState(i, inputs[i], condition, body));
        variables[i] = state.tensor;
        next.push_back(state.next);
        copy(inputs[i], state.tensor);
    }
    const TensorId goesOn = builder_.newTensor(
            android::hardware::neuralnetworks::V1_3::OperandType::TENSOR_BOOL8, {1});
    const std::uint32_t top = newLabel();
    const std::uint32_t end = newLabel();
    builder_.setLoopDepth(depth + 1);
    add({.kind = Kind::kLoop, .loop = depth});
    addLabel(top);
    VNPU_TRY(lowerSubgraph(condition, variables, {goesOn}));
    add({.kind = Kind::kBranch, .label = end, .condition = goesOn, .isInverted = true});
    VNPU_TRY(lowerSubgraph(body, variables, next));
    for (std::size_t i = 0; i < states; ++i) {
        copy(next[i], variables[i]);
    }
    add({.kind = Kind::kBranch, .label = top, .loop = depth});
    addLabel(end);
    builder_.setLoopDepth(depth);
    for (std::size_t i = 0; i < operation_.outputCount(); ++i) {
        const TensorId output = builder_.tensorOf(operation_.outputOperand(i));
        if (tensor(output).storage != tensor(variables[i]).storage) {
            copy(variables[i], output);
        }
    }
    builder_.leave(outer);
    return {};
}

}  // namespace

Checked<void> lowerControlFlow(GraphBuilder& builder, const OperationReader& operation,
                               Lowering lowerInner) {
    ControlFlow control(builder, operation, lowerInner);
    return operation.type() == OperationType::IF ? control.lowerIf() : control.lowerWhile();
}

}  // namespace vnpu::driver
