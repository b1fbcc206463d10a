// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/cpu/interpreter.h"

#include <utility>

#include "driver/validation/dimensions.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/regs/operators.h"

namespace vnpu::sim::ndk {

using hw::kernels::Tensor;
using nn::V1_3::Operand;
using nn::V1_3::OperandLifeTime;
using nn::V1_3::Operation;
using nn::V1_3::OperationType;
using nn::V1_3::Subgraph;

namespace {

using Clock = std::chrono::steady_clock;

/// New memory for each output of an operation.
class NewOutputs : public hw::kernels::OutputMemory {
  public:
    explicit NewOutputs(std::size_t count) : storages_(count) {}

    std::byte* place(std::size_t index, const hw::Dimensions& /*dimensions*/,
                     std::uint64_t sizeBytes) override {
        storages_[index] = allocateBytes(sizeBytes);
        return reinterpret_cast<std::byte*>(storages_[index].get());
    }
    std::shared_ptr<std::uint64_t[]> take(std::size_t index) { return std::move(storages_[index]); }

  private:
    std::vector<std::shared_ptr<std::uint64_t[]>> storages_;
};

Result<std::optional<TensorValue>> constantOf(const Operand& operand, const FinishedModel& model) {
    std::byte* bytes = nullptr;
    if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
        const std::uint8_t* const values = model.hal.operandValues.data();
        // Kernels only read their inputs.
        bytes = reinterpret_cast<std::byte*>(const_cast<std::uint8_t*>(values)) +
                operand.location.offset;
    } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
        bytes = model.pools[operand.location.poolIndex]->bytes() + operand.location.offset;
    } else if (operand.lifetime != OperandLifeTime::NO_VALUE) {
        return std::nullopt;
    }
    VNPU_TRY_ASSIGN(Tensor tensor, tensorOf(operand));
    if (bytes == nullptr) {
        tensor.isOmitted = true;
        return TensorValue{std::move(tensor), nullptr};
    }
    return valueAt(tensor, bytes).map([](TensorValue&& value) {
        return std::optional<TensorValue>(std::move(value));
    });
}

/// A value on its way into an operand of another graph keeps its bytes and shape.
Result<TensorValue> retyped(const TensorValue& value, const Operand& operand) {
    VNPU_TRY_ASSIGN(Tensor tensor, tensorOf(operand));
    tensor.dimensions = value.tensor.dimensions;
    tensor.data = value.tensor.data;
    tensor.isOmitted = value.tensor.isOmitted;
    return TensorValue{std::move(tensor), value.storage};
}

Result<void> checkShape(const Operand& declared, const hw::Dimensions& found) {
    const auto combined =
            driver::combineDimensions(declared.dimensions, Dimensions(found.begin(), found.end()));
    if (!combined) {
        return failed(ANEURALNETWORKS_OP_FAILED, "result contradicts its declared shape: {}",
                      combined.error().reason);
    }
    return {};
}

std::size_t graphOf(const Operand& operand) {
    return std::size_t{operand.location.offset} + 1;
}

Result<bool> isTrue(const TensorValue& condition) {
    if (condition.tensor.data == nullptr || condition.tensor.elements() != 1) {
        return failed(ANEURALNETWORKS_OP_FAILED, "condition of an operation is not one value");
    }
    return *condition.tensor.as<std::uint8_t>() != 0;
}

}  // namespace

Result<Constants> constantsOf(const FinishedModel& model) {
    Constants constants;
    const auto addGraph = [&](const Subgraph& graph) -> Result<void> {
        auto& values = constants.emplace_back();
        for (const Operand& operand : graph.operands) {
            VNPU_TRY_ASSIGN(auto value, constantOf(operand, model));
            values.push_back(std::move(value));
        }
        return {};
    };
    VNPU_TRY(addGraph(model.hal.main));
    for (const Subgraph& graph : model.hal.referenced) {
        VNPU_TRY(addGraph(graph));
    }
    return constants;
}

Result<void> Interpreter::checkDeadline() const {
    if (limits_.deadline && Clock::now() >= *limits_.deadline) {
        return failed(ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT, "deadline has passed");
    }
    return {};
}

Result<std::vector<TensorValue>> Interpreter::runGraph(std::size_t index,
                                                       std::vector<TensorValue> inputs) {
    const Subgraph& graph = graphAt(index);
    Values values = constants_[index];
    std::vector<std::uint32_t> uses;
    for (const Operand& operand : graph.operands) {
        uses.push_back(operand.numberOfConsumers);
    }
    for (std::size_t i = 0; i < inputs.size() && i < graph.inputIndexes.size(); ++i) {
        const std::uint32_t operand = graph.inputIndexes[i];
        VNPU_TRY_ASSIGN(values[operand], retyped(inputs[i], graph.operands[operand]));
    }
    inputs.clear();
    for (const Operation& operation : graph.operations) {
        VNPU_TRY(checkDeadline());
        VNPU_TRY_ASSIGN(auto outputs, runOperation(graph, operation, values));
        for (std::size_t i = 0; i < operation.outputs.size(); ++i) {
            values[operation.outputs[i]] = std::move(outputs[i]);
        }
        for (const std::uint32_t input : operation.inputs) {
            if (--uses[input] == 0 &&
                graph.operands[input].lifetime == OperandLifeTime::TEMPORARY_VARIABLE) {
                values[input].reset();
            }
        }
    }
    std::vector<TensorValue> results;
    for (const std::uint32_t output : graph.outputIndexes) {
        results.push_back(*values[output]);
    }
    return results;
}

Result<std::vector<TensorValue>> Interpreter::runOperation(const Subgraph& graph,
                                                           const Operation& operation,
                                                           const Values& values) {
    switch (operation.type) {
        case OperationType::IF:
            return runIf(graph, operation, values);
        case OperationType::WHILE:
            return runWhile(graph, operation, values);
        default:
            return runKernel(graph, operation, values);
    }
}

Result<std::vector<TensorValue>> Interpreter::runKernel(const Subgraph& graph,
                                                        const Operation& operation,
                                                        const Values& values) {
    std::vector<Tensor> inputs;
    for (const std::uint32_t input : operation.inputs) {
        inputs.push_back(values[input]->tensor);
    }
    std::vector<Tensor> outputs;
    for (const std::uint32_t output : operation.outputs) {
        VNPU_TRY_ASSIGN(Tensor tensor, tensorOf(graph.operands[output]));
        outputs.push_back(std::move(tensor));
    }
    NewOutputs memory(outputs.size());
    hw::kernels::OperatorCall call(inputs, outputs, memory);
    const hw::JobStatus status =
            hw::kernels::runOperator(static_cast<hw::Operator>(operation.type), call);
    if (status != hw::JobStatus::kOk) {
        return failed(ANEURALNETWORKS_OP_FAILED, "operation {}: {}", toString(operation.type),
                      call.reason());
    }
    std::vector<TensorValue> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        VNPU_TRY(checkShape(graph.operands[operation.outputs[i]], call.output(i).dimensions));
        results.push_back({call.output(i), memory.take(i)});
    }
    return results;
}

Result<std::vector<TensorValue>> Interpreter::runIf(const Subgraph& graph,
                                                    const Operation& operation,
                                                    const Values& values) {
    VNPU_TRY_ASSIGN(const bool isFirst, isTrue(*values[operation.inputs[0]]));
    const std::uint32_t branch = operation.inputs[isFirst ? std::size_t{1} : 2];
    std::vector<TensorValue> inputs;
    for (std::size_t i = 3; i < operation.inputs.size(); ++i) {
        inputs.push_back(*values[operation.inputs[i]]);
    }
    return runGraph(graphOf(graph.operands[branch]), std::move(inputs));
}

Result<std::vector<TensorValue>> Interpreter::runWhile(const Subgraph& graph,
                                                       const Operation& operation,
                                                       const Values& values) {
    const std::size_t condition = graphOf(graph.operands[operation.inputs[0]]);
    const std::size_t body = graphOf(graph.operands[operation.inputs[1]]);
    std::vector<TensorValue> state;
    for (std::size_t i = 2; i < operation.inputs.size(); ++i) {
        state.push_back(*values[operation.inputs[i]]);
    }
    const auto begin = Clock::now();
    for (;;) {
        VNPU_TRY_ASSIGN(const auto found, runGraph(condition, state));
        VNPU_TRY_ASSIGN(const bool goesOn, isTrue(found.front()));
        if (!goesOn) {
            break;
        }
        if (Clock::now() - begin > limits_.loopTimeout) {
            return failed(ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT,
                          "loop has run for longer than {} ns", limits_.loopTimeout.count());
        }
        VNPU_TRY_ASSIGN(auto next, runGraph(body, state));
        for (std::size_t i = 0; i < next.size() && i < state.size(); ++i) {
            state[i] = std::move(next[i]);
        }
    }
    state.resize(operation.outputs.size());
    return state;
}

}  // namespace vnpu::sim::ndk
