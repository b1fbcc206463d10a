// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/operation_probes.h"

#include <algorithm>
#include <string_view>

#include "driver/validation/operation_types.h"
#include "hw_model/regs/check.h"
#include "hw_model/regs/operand_notation.h"
#include "hw_model/regs/operators.h"

namespace vnpu::sim {

namespace {

using Op = nn::OperationType;

/// A call of an operation, in the notation of hw_model/regs/operand_notation.h.
struct Call {
    Op operation{};
    std::string_view inputs;
    std::string_view outputs;
    std::span<const Call> subgraphs{};  // one operation each
};

constexpr Call kBranches[] = {{Op::FLOOR, "T4", "T4"}, {Op::NEG, "T4", "T4"}};
constexpr Call kLoop[] = {{Op::GREATER, "T1 T1", "k1"}, {Op::MAXIMUM, "T1 T1", "T1"}};

// The operations that the controller executes.
constexpr Call kControlFlow[] = {{Op::IF, "k1 M=0,1 T4", "T4", kBranches},
                                 {Op::WHILE, "M=0,1 T1 T1", "T1", kLoop}};

Call callOf(Op operation) {
    for (const Call& call : kControlFlow) {
        if (call.operation == operation) {
            return call;
        }
    }
    const auto [inputs, outputs] = hw::operatorExample(static_cast<hw::Operator>(operation));
    VNPU_CHECK(!inputs.empty(), "every operator has an example");
    return {operation, inputs, outputs};
}

std::vector<nn::OperandType> typesIn(hw::TypeSet set) {
    std::vector<nn::OperandType> types;
    for (std::uint32_t i = 0; (set >> i) != 0; ++i) {
        if ((set >> i & 1U) != 0) {
            types.push_back(static_cast<nn::OperandType>(i));
        }
    }
    return types;
}

hw::TypeSet setOf(driver::Types types) {
    hw::TypeSet set = 0;
    for (const driver::TypesSince& entry : types) {
        set |= entry.types;
    }
    return set;
}

/// The types allowed for the operand of `call` that may differ from `main`; none if there is no
/// such operand.
hw::TypeSet otherTypes(const Call& call, const driver::OperationSignature& signature,
                       nn::OperandType main) {
    if (call.operation == Op::CAST) {
        // source: NNAPI HAL 1.3, CAST: the types that 1.3 added are only cast to themselves
        constexpr hw::TypeSet kConverted =
                driver::kFloat32 | driver::kFloat16 | driver::kInt32 | driver::kUnsigned8;
        return (driver::typeBit(main) & kConverted) != 0 ? kConverted : driver::typeBit(main);
    }
    if (!signature.otherTypes.empty()) {
        return setOf(signature.otherTypes);
    }
    for (const char letter : {'F', 'D'}) {
        if (call.inputs.find(letter) != std::string_view::npos) {
            return hw::typesOfLetter(letter, driver::typeBit(main));
        }
    }
    return 0;
}

Network makeNetwork(const Call& call, const ProbeTypes& types) {
    ModelBuilder builder(nameOf(call.operation));
    const auto inputs = addProbeInputs(builder, types, call.inputs);
    const auto outputs = addProbeOutputs(builder, types, call.outputs);
    builder.addOperation(call.operation, inputs, outputs);
    for (const ModelBuilder::Index output : outputs) {
        builder.markOutput(output);
    }
    Network network = builder.build();
    std::vector<nn::Subgraph> subgraphs;
    for (const Call& subgraph : call.subgraphs) {
        subgraphs.push_back(makeNetwork(subgraph, types).model.main);
    }
    network.model.referenced = subgraphs;
    return network;
}

std::string withoutPrefix(nn::OperandType type) {
    constexpr std::string_view kPrefix = "TENSOR_";
    const std::string name = nameOf(type);
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

}  // namespace

std::span<const nn::OperationType> probedOperations() {
    static const std::vector<Op> operations = [] {
        std::vector<Op> all;
        for (const hw::Operator op : hw::kOperators) {
            all.push_back(static_cast<Op>(op));
        }
        for (const Call& call : kControlFlow) {
            all.push_back(call.operation);
        }
        std::sort(all.begin(), all.end(), [](Op a, Op b) { return nameOf(a) < nameOf(b); });
        return all;
    }();
    return operations;
}

std::vector<ProbeTypes> probeTypes(nn::OperationType operation) {
    const Call call = callOf(operation);
    const driver::OperationSignature& signature = *driver::findSignature(operation);
    if (!call.subgraphs.empty()) {
        return {ProbeTypes{}};
    }
    if (signature.types.empty()) {  // cells of one type: data, and states of 16 bits
        return {{typeOfLetter(call.inputs.front(), {}), typeOfLetter('z', {})}};
    }
    std::vector<ProbeTypes> result;
    for (const nn::OperandType main : typesIn(setOf(signature.types))) {
        const auto others = typesIn(otherTypes(call, signature, main));
        if (others.empty()) {
            result.push_back({main, std::nullopt});
        }
        for (const nn::OperandType other : others) {
            result.push_back({main, other});
        }
    }
    return result;
}

std::string nameOf(const ProbeTypes& types) {
    if (!types.main) {
        return "any";
    }
    const bool isOne = !types.other || *types.other == *types.main;
    return withoutPrefix(*types.main) + (isOne ? "" : ", " + withoutPrefix(*types.other));
}

Network makeProbe(nn::OperationType operation, const ProbeTypes& types) {
    return makeNetwork(callOf(operation), types);
}

}  // namespace vnpu::sim
