// SPDX-License-Identifier: Apache-2.0
// The mutations of the VTS's ValidateModel: every change that NNAPI forbids, applied to every
// example.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "tests/driver/validation/example_calls.h"

using namespace vnpu::driver::test;
using vnpu::driver::validateModel;
using Indexes = android::hardware::hidl_vec<std::uint32_t>;
using android::hardware::hidl_enum_range;

TEST_SUITE_BEGIN("driver/validation/model_mutation");

namespace {

constexpr std::uint32_t kHighestOperation = 101;

const std::vector<ExampleModel>& allModels() {
    static const std::vector<ExampleModel> kModels = [] {
        std::vector<ExampleModel> models = exampleModels();
        const auto add = [&](const char* name, Model model) {
            models.push_back({name, vnpu::driver::HalVersion::k13, std::move(model)});
        };
        add("a convolution with an activation", convolutionModel());
        add("IF of floats", branchModel(OperandType::TENSOR_FLOAT32));
        add("IF of bytes", branchModel(OperandType::TENSOR_QUANT8_ASYMM));
        add("WHILE", loopModel());
        return models;
    }();
    return kModels;
}

/// Visits all models; fails for each mutant that validation accepts.
class Mutants {
  public:
    template <typename Mutate>
    void add(const Model& valid, const std::string& what, const Mutate& mutate) {
        Model mutant = valid;
        mutate(mutant);
        ++count_;
        if (validateModel(mutant).has_value()) {
            FAIL_CHECK(fmt::format("{}: {} passes", name_, what));
        }
    }

    void overModels(const std::function<void(const Model&)>& visit) {
        for (const ExampleModel& example : allModels()) {
            name_ = example.name;
            visit(example.model);
        }
        CHECK(count_ > 0);
    }

    void overOperands(const std::function<void(const Model&, std::uint32_t)>& visit) {
        overModels([&](const Model& model) {
            for (std::uint32_t i = 0; i < model.main.operands.size(); ++i) {
                visit(model, i);
            }
        });
    }

    void overOperations(const std::function<void(const Model&, std::size_t)>& visit) {
        overModels([&](const Model& model) {
            for (std::size_t i = 0; i < model.main.operations.size(); ++i) {
                visit(model, i);
            }
        });
    }

  private:
    std::string name_;
    std::size_t count_ = 0;
};

Indexes without(const Indexes& list, std::size_t place) {
    std::vector<std::uint32_t> shorter(list.begin(), list.end());
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(place));
    return shorter;
}

Indexes withoutValue(const Indexes& list, std::uint32_t value) {
    std::vector<std::uint32_t> shorter(list.begin(), list.end());
    shorter.erase(std::remove(shorter.begin(), shorter.end(), value), shorter.end());
    return shorter;
}

bool isScalar(OperandType type) {
    return type == OperandType::FLOAT16 || type == OperandType::FLOAT32 ||
           type == OperandType::INT32 || type == OperandType::UINT32 || type == OperandType::BOOL;
}

bool isWritten(OperandLifeTime lifetime) {
    return lifetime == OperandLifeTime::TEMPORARY_VARIABLE ||
           lifetime == OperandLifeTime::SUBGRAPH_OUTPUT;
}

bool isConstant(OperandLifeTime lifetime) {
    return lifetime == OperandLifeTime::CONSTANT_COPY ||
           lifetime == OperandLifeTime::CONSTANT_REFERENCE;
}

std::uint32_t bytesOf(OperandType type) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::INT32:
        case OperandType::TENSOR_FLOAT32:
        case OperandType::TENSOR_INT32:
            return 4;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            return 2;
        default:
            return 1;
    }
}

/// Makes an operand a constant of the required number of bytes.
void becomeConstant(Model& model, Operand& operand) {
    std::uint32_t bytes = bytesOf(operand.type);
    for (const std::uint32_t dimension : operand.dimensions) {
        bytes *= dimension;
    }
    const auto first = static_cast<std::uint32_t>(model.operandValues.size());
    operand.location = {.poolIndex = 0, .offset = first, .length = bytes};
    model.operandValues.resize(first + bytes);
}

void setLifetime(Model& model, std::uint32_t index, OperandLifeTime lifetime) {
    Operand& operand = model.main.operands[index];
    operand.lifetime = lifetime;
    operand.location = {};
    if (lifetime == OperandLifeTime::CONSTANT_COPY) {
        becomeConstant(model, operand);
    }
}

std::uint32_t addOperand(Model& model, const Operand& operand) {
    model.main.operands = appended(model.main.operands, operand);
    return static_cast<std::uint32_t>(model.main.operands.size() - 1);
}

/// Sets the operand's type, and its other properties accordingly as far as possible.
void setType(Operand& operand, OperandType type) {
    operand.type = type;
    if (isScalar(type)) {
        operand.dimensions = {};
    } else if (operand.dimensions.size() == 0) {
        operand.dimensions = {1};
    }
    const bool isQuantized = usualScale(type) != 0.0F;
    if (isQuantized && operand.scale == 0.0F) {
        operand.scale = 1.0F;
    }
    if (!isQuantized && type != OperandType::TENSOR_INT32) {
        operand.scale = 0.0F;
    }
    if (!isQuantized) {
        operand.zeroPoint = 0;
    }
    operand.extraParams = {};
    if (type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
        nn::V1_2::SymmPerChannelQuantParams quant;
        quant.scales = std::vector<float>(operand.dimensions[0], 1.0F);
        operand.extraParams.channelQuant(quant);
    }
}

using TypeList = std::vector<OperandType>;
const TypeList kFloatTypes = {OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT32};
const TypeList kAsymmetricTypes = {OperandType::TENSOR_QUANT8_ASYMM,
                                   OperandType::TENSOR_QUANT8_ASYMM_SIGNED};
const TypeList kNumberTypes = {OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT32,
                               OperandType::TENSOR_INT32, OperandType::TENSOR_QUANT8_ASYMM,
                               OperandType::TENSOR_QUANT8_ASYMM_SIGNED};

/// Other types that an operand may have while all other operands keep their types.
TypeList freeTypes(const Operation& operation, std::uint32_t operand) {
    const bool isFirst = operation.inputs[0] == operand;
    const bool isSecond = operation.inputs.size() > 1 && operation.inputs[1] == operand;
    switch (operation.type) {
        case OperationType::LSH_PROJECTION:
            return isSecond ? kNumberTypes : TypeList{};
        case OperationType::CAST:
            return kNumberTypes;
        case OperationType::ARGMAX:
        case OperationType::ARGMIN:
            return isFirst ? kNumberTypes : TypeList{};
        case OperationType::QUANTIZE:
            return isFirst ? kFloatTypes : kAsymmetricTypes;
        case OperationType::DEQUANTIZE:
            return isFirst ? TypeList{OperandType::TENSOR_QUANT8_ASYMM,
                                      OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
                                      OperandType::TENSOR_QUANT8_SYMM,
                                      OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL}
                           : kFloatTypes;
        case OperationType::RANDOM_MULTINOMIAL:
            return isFirst ? kFloatTypes : TypeList{};
        case OperationType::CONV_2D:
        case OperationType::DEPTHWISE_CONV_2D:
        case OperationType::GROUPED_CONV_2D:
        case OperationType::TRANSPOSE_CONV_2D:
            return isSecond ? TypeList{OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL} : TypeList{};
        case OperationType::AXIS_ALIGNED_BBOX_TRANSFORM:
            return isSecond ? kAsymmetricTypes : TypeList{};
        default:
            return {};
    }
}

bool isFreeType(const Model& model, std::uint32_t operand, OperandType type) {
    for (const Operation& operation : model.main.operations) {
        if (operation.type == OperationType::RANK && operation.inputs[0] == operand) {
            return !isScalar(type) && type != OperandType::SUBGRAPH;
        }
        const TypeList types = freeTypes(operation, operand);
        if (std::find(types.begin(), types.end(), type) != types.end()) {
            return true;
        }
    }
    return false;
}

/// Whether `input` may be removed from the operation, as an optional input at the end of its list.
bool mayGo(const Operation& operation, std::size_t input) {
    const std::size_t count = operation.inputs.size();
    const auto endsAt = [&](std::initializer_list<std::size_t> counts) {
        return input == count - 1 && std::find(counts.begin(), counts.end(), count) != counts.end();
    };
    switch (operation.type) {
        case OperationType::CONCATENATION:
            return count > 2 && input != count - 1;
        case OperationType::CONV_2D:
        case OperationType::AVERAGE_POOL_2D:
        case OperationType::MAX_POOL_2D:
        case OperationType::L2_POOL_2D:
            return endsAt({8, 11});
        case OperationType::DEPTHWISE_CONV_2D:
            return endsAt({9, 12});
        case OperationType::RESIZE_BILINEAR:
            return input >= 3;
        case OperationType::RESIZE_NEAREST_NEIGHBOR:
            return input >= 3 && count > 4;
        case OperationType::SPACE_TO_DEPTH:
        case OperationType::DEPTH_TO_SPACE:
        case OperationType::BATCH_TO_SPACE_ND:
        case OperationType::SOFTMAX:
            return endsAt({3});
        case OperationType::SPACE_TO_BATCH_ND:
            return endsAt({4});
        case OperationType::L2_NORMALIZATION:
            return endsAt({2});
        case OperationType::LOCAL_RESPONSE_NORMALIZATION:
            return endsAt({6});
        default:
            return false;
    }
}

/// Whether an additional INT32 would be an optional axis.
bool takesAxis(const Operation& operation) {
    const std::size_t count = operation.inputs.size();
    return (operation.type == OperationType::L2_NORMALIZATION && count == 1) ||
           (operation.type == OperationType::SOFTMAX && count == 2) ||
           (operation.type == OperationType::LOCAL_RESPONSE_NORMALIZATION && count == 5);
}

}  // namespace

TEST_CASE("the models that the mutations start from are valid [E-8]") {
    for (const ExampleModel& example : allModels()) {
        CAPTURE(example.name);
        checkValid(example.model);
    }
}

TEST_CASE("an operand's type is one of HAL 1.3's [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        for (const std::int32_t type : {-1, 16, 9999, 10002}) {
            mutants.add(model, fmt::format("operand {} of type {}", i, type), [&](Model& mutant) {
                mutant.main.operands[i].type = static_cast<OperandType>(type);
            });
        }
    });
}

TEST_CASE("a scalar has no rank [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        if (isScalar(model.main.operands[i].type)) {
            mutants.add(model, fmt::format("scalar {} of rank 1", i),
                        [&](Model& mutant) { mutant.main.operands[i].dimensions = {0}; });
        }
    });
}

TEST_CASE("an operand's scale goes with its type [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        const OperandType type = model.main.operands[i].type;
        const float scale = usualScale(type) != 0.0F            ? 0.0F
                            : type == OperandType::TENSOR_INT32 ? -1.0F
                                                                : 1.0F;
        mutants.add(model, fmt::format("operand {} with scale {}", i, scale),
                    [&](Model& mutant) { mutant.main.operands[i].scale = scale; });
    });
}

TEST_CASE("an operand's zero point lies in its type's range [E-8]") {
    const std::map<OperandType, std::vector<std::int32_t>> kWrong = {
            {OperandType::TENSOR_QUANT8_ASYMM, {-1, 256}},
            {OperandType::TENSOR_QUANT8_ASYMM_SIGNED, {-129, 128}},
            {OperandType::TENSOR_QUANT8_SYMM, {-129, -1, 1, 128}},
            {OperandType::TENSOR_QUANT16_ASYMM, {-1, 65536}},
            {OperandType::TENSOR_QUANT16_SYMM, {-32769, -1, 1, 32768}}};
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        const auto found = kWrong.find(model.main.operands[i].type);
        const auto wrong = found == kWrong.end() ? std::vector<std::int32_t>{1} : found->second;
        for (const std::int32_t zeroPoint : wrong) {
            mutants.add(model, fmt::format("operand {} with zero point {}", i, zeroPoint),
                        [&](Model& mutant) { mutant.main.operands[i].zeroPoint = zeroPoint; });
        }
    });
}

TEST_CASE("the lifetime decides whether an operation writes the operand [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        const OperandLifeTime now = model.main.operands[i].lifetime;
        if (now == OperandLifeTime::NO_VALUE || now == OperandLifeTime::SUBGRAPH) {
            return;
        }
        const auto others = isWritten(now) ? std::vector{OperandLifeTime::SUBGRAPH_INPUT,
                                                         OperandLifeTime::CONSTANT_COPY}
                                           : std::vector{OperandLifeTime::TEMPORARY_VARIABLE,
                                                         OperandLifeTime::SUBGRAPH_OUTPUT};
        for (const OperandLifeTime other : others) {
            mutants.add(model, fmt::format("operand {} as {}", i, toString(other)),
                        [&](Model& mutant) {
                            mutant.main.inputIndexes = withoutValue(mutant.main.inputIndexes, i);
                            mutant.main.outputIndexes = withoutValue(mutant.main.outputIndexes, i);
                            setLifetime(mutant, i, other);
                            if (other == OperandLifeTime::SUBGRAPH_INPUT) {
                                mutant.main.inputIndexes = appended(mutant.main.inputIndexes, i);
                            } else if (other == OperandLifeTime::SUBGRAPH_OUTPUT) {
                                mutant.main.outputIndexes = appended(mutant.main.outputIndexes, i);
                            }
                        });
        }
    });
}

TEST_CASE("a lifetime agrees with the lists of inputs and outputs [E-8]") {
    const std::map<OperandLifeTime, OperandLifeTime> kOther = {
            {OperandLifeTime::CONSTANT_COPY, OperandLifeTime::SUBGRAPH_INPUT},
            {OperandLifeTime::CONSTANT_REFERENCE, OperandLifeTime::SUBGRAPH_INPUT},
            {OperandLifeTime::SUBGRAPH_INPUT, OperandLifeTime::CONSTANT_COPY},
            {OperandLifeTime::SUBGRAPH_OUTPUT, OperandLifeTime::TEMPORARY_VARIABLE},
            {OperandLifeTime::TEMPORARY_VARIABLE, OperandLifeTime::SUBGRAPH_OUTPUT}};
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        const auto other = kOther.find(model.main.operands[i].lifetime);
        if (other != kOther.end()) {
            mutants.add(model, fmt::format("operand {} as {}", i, toString(other->second)),
                        [&](Model& mutant) { setLifetime(mutant, i, other->second); });
        }
    });
}

TEST_CASE("an operand's location goes with its lifetime [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        for (const auto field :
             {&nn::V1_0::DataLocation::poolIndex, &nn::V1_0::DataLocation::offset,
              &nn::V1_0::DataLocation::length}) {
            mutants.add(model, fmt::format("operand {} with another location", i),
                        [&](Model& mutant) { mutant.main.operands[i].location.*field += 1000000; });
        }
        if (isConstant(model.main.operands[i].lifetime)) {
            mutants.add(model, fmt::format("constant {} without its last byte", i),
                        [&](Model& mutant) { --mutant.main.operands[i].location.length; });
        }
    });
}

TEST_CASE("the number of an operand's consumers is exact [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        for (const std::uint32_t change : {1U, 0xFFFFFFFFU}) {
            mutants.add(
                    model, fmt::format("operand {} with other consumers", i),
                    [&](Model& mutant) { mutant.main.operands[i].numberOfConsumers += change; });
        }
    });
}

TEST_CASE("an operand of another type fits no operation that it does not fit by rule [E-8]") {
    Mutants mutants;
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        for (const OperandType type : hidl_enum_range<OperandType>{}) {
            if (type == model.main.operands[i].type || type == OperandType::OEM ||
                type == OperandType::TENSOR_OEM_BYTE || isFreeType(model, i, type)) {
                continue;
            }
            mutants.add(model, fmt::format("operand {} as {}", i, toString(type)),
                        [&](Model& mutant) { setType(mutant.main.operands[i], type); });
        }
    });
}

TEST_CASE("an operand has one writer [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        for (std::size_t twice = 0; twice < model.main.operations[i].outputs.size(); ++twice) {
            mutants.add(model, fmt::format("output {} with two writers", twice),
                        [&](Model& mutant) {
                            Operation copy = mutant.main.operations[i];
                            for (const std::uint32_t input : copy.inputs) {
                                ++mutant.main.operands[input].numberOfConsumers;
                            }
                            for (std::size_t o = 0; o < copy.outputs.size(); ++o) {
                                Operand fresh = mutant.main.operands[copy.outputs[o]];
                                fresh.numberOfConsumers = 0;
                                fresh.lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
                                copy.outputs[o] =
                                        o == twice ? copy.outputs[o] : addOperand(mutant, fresh);
                            }
                            mutant.main.operations = appended(mutant.main.operations, copy);
                        });
        }
    });
}

TEST_CASE("an operation's type is one of HAL 1.3's [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        for (const std::uint32_t type : {0xFFFFFFFFU, kHighestOperation + 1, 9999U, 10001U}) {
            mutants.add(model, fmt::format("operation {} of type {}", i, type), [&](Model& mutant) {
                mutant.main.operations[i].type = static_cast<OperationType>(type);
            });
        }
    });
}

TEST_CASE("a layer's operands fit no other operation [E-8]") {
    const auto isLayer = [](OperationType type) {
        return type == OperationType::CONV_2D || type == OperationType::DEPTHWISE_CONV_2D ||
               type == OperationType::LSTM || type == OperationType::QUANTIZED_LSTM ||
               type == OperationType::DETECTION_POSTPROCESSING || type == OperationType::IF ||
               type == OperationType::WHILE || type == OperationType::STRIDED_SLICE;
    };
    Mutants mutants;
    mutants.overModels([&](const Model& model) {
        const OperationType own = model.main.operations[0].type;
        // A convolution with four paddings and a layout looks like a transposed one.
        const bool isTwin =
                own == OperationType::CONV_2D && model.main.operations[0].inputs.size() == 11;
        for (std::uint32_t type = 0; isLayer(own) && type <= kHighestOperation; ++type) {
            const auto other = static_cast<OperationType>(type);
            if (other != own && !(isTwin && other == OperationType::TRANSPOSE_CONV_2D)) {
                mutants.add(model, fmt::format("as {}", toString(other)),
                            [&](Model& mutant) { mutant.main.operations[0].type = other; });
            }
        }
    });
}

TEST_CASE("operations name operands that exist [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        const auto beyond = static_cast<std::uint32_t>(model.main.operands.size());
        for (std::size_t k = 0; k < model.main.operations[i].inputs.size(); ++k) {
            mutants.add(model, fmt::format("input {} beyond the operands", k),
                        [&](Model& mutant) { mutant.main.operations[i].inputs[k] = beyond; });
        }
        for (std::size_t k = 0; k < model.main.operations[i].outputs.size(); ++k) {
            mutants.add(model, fmt::format("output {} beyond the operands", k),
                        [&](Model& mutant) { mutant.main.operations[i].outputs[k] = beyond; });
        }
    });
}

TEST_CASE("an output that is written elsewhere leaves its operand unwritten [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        for (std::size_t k = 0; k < model.main.operations[i].outputs.size(); ++k) {
            mutants.add(model, fmt::format("output {} written elsewhere", k), [&](Model& mutant) {
                Operand fresh = mutant.main.operands[mutant.main.operations[i].outputs[k]];
                fresh.numberOfConsumers = 0;
                fresh.lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
                const std::uint32_t index = addOperand(mutant, fresh);
                mutant.main.operations[i].outputs[k] = index;
            });
        }
    });
}

TEST_CASE("no operation runs before those that it reads from [E-8]") {
    Mutants mutants;
    mutants.overModels([&](const Model& model) {
        if (model.main.operations.size() > 1) {
            mutants.add(model, "operations in reverse", [](Model& mutant) {
                std::reverse(mutant.main.operations.begin(), mutant.main.operations.end());
            });
        }
    });
}

TEST_CASE("an operation that is gone leaves what it wrote unwritten [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        mutants.add(model, fmt::format("without operation {}", i), [&](Model& mutant) {
            for (const std::uint32_t input : mutant.main.operations[i].inputs) {
                --mutant.main.operands[input].numberOfConsumers;
            }
            std::vector<Operation> fewer(mutant.main.operations.begin(),
                                         mutant.main.operations.end());
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            mutant.main.operations = fewer;
        });
    });
}

TEST_CASE("an operation has all inputs that are not optional [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        const Operation& operation = model.main.operations[i];
        for (std::size_t k = 0; k < operation.inputs.size(); ++k) {
            if (mayGo(operation, k)) {
                continue;
            }
            mutants.add(model, fmt::format("without input {}", k), [&](Model& mutant) {
                --mutant.main.operands[operation.inputs[k]].numberOfConsumers;
                mutant.main.operations[i].inputs = without(operation.inputs, k);
            });
        }
    });
}

TEST_CASE("an input that may not be left out has a value [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        if (model.main.operations[i].type == OperationType::IF) {
            return;  // a condition may be omitted; then the execution fails
        }
        const std::uint32_t first = model.main.operations[i].inputs[0];
        mutants.add(model, "input 0 without value", [&](Model& mutant) {
            mutant.main.inputIndexes = withoutValue(mutant.main.inputIndexes, first);
            setLifetime(mutant, first, OperandLifeTime::NO_VALUE);
        });
    });
}

TEST_CASE("an operation has all its outputs [E-8]") {
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        for (std::size_t k = 0; k < model.main.operations[i].outputs.size(); ++k) {
            mutants.add(model, fmt::format("without output {}", k), [&](Model& mutant) {
                mutant.main.operations[i].outputs = without(model.main.operations[i].outputs, k);
            });
        }
    });
}

TEST_CASE("an operation has no inputs and outputs beyond its own [E-8]") {
    Operand integer;
    integer.type = OperandType::INT32;
    Mutants mutants;
    mutants.overOperations([&](const Model& model, std::size_t i) {
        if (!takesAxis(model.main.operations[i])) {
            mutants.add(model, "one input more", [&](Model& mutant) {
                integer.lifetime = OperandLifeTime::SUBGRAPH_INPUT;
                integer.numberOfConsumers = 1;
                const std::uint32_t index = addOperand(mutant, integer);
                mutant.main.inputIndexes = appended(mutant.main.inputIndexes, index);
                Indexes& inputs = mutant.main.operations[i].inputs;
                inputs = appended(inputs, index);
            });
        }
        mutants.add(model, "one output more", [&](Model& mutant) {
            integer.lifetime = OperandLifeTime::SUBGRAPH_OUTPUT;
            integer.numberOfConsumers = 0;
            const std::uint32_t index = addOperand(mutant, integer);
            mutant.main.outputIndexes = appended(mutant.main.outputIndexes, index);
            Indexes& outputs = mutant.main.operations[i].outputs;
            outputs = appended(outputs, index);
        });
    });
}

TEST_CASE("an operand that an operation needs is not removed [E-8]") {
    Mutants mutants;
    const auto renumber = [](Indexes& list, std::uint32_t removed) {
        list = withoutValue(list, removed);
        for (std::uint32_t& index : list) {
            index -= index > removed ? 1 : 0;
        }
    };
    mutants.overOperands([&](const Model& model, std::uint32_t i) {
        const Operation& operation = model.main.operations[0];
        const auto place = std::find(operation.inputs.begin(), operation.inputs.end(), i);
        if (model.main.operands[i].numberOfConsumers == 0 ||
            (place != operation.inputs.end() &&
             mayGo(operation, static_cast<std::size_t>(place - operation.inputs.begin())))) {
            return;
        }
        mutants.add(model, fmt::format("without operand {}", i), [&](Model& mutant) {
            std::vector<Operand> fewer(mutant.main.operands.begin(), mutant.main.operands.end());
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            mutant.main.operands = fewer;
            for (Operation& each : mutant.main.operations) {
                renumber(each.inputs, i);
                renumber(each.outputs, i);
            }
            renumber(mutant.main.inputIndexes, i);
            renumber(mutant.main.outputIndexes, i);
        });
    });
}

TEST_SUITE_END();
