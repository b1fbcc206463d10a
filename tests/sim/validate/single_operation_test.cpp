// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/single_operation.h"

#include <doctest/doctest.h>

#include "sim/models/operand_types.h"

namespace {

using namespace vnpu::sim;

struct Expected {
    OperationKind kind;
    nn::OperationType type;
    nn::OperandType output;
    std::uint64_t macs;
};

TEST_SUITE_BEGIN("sim/validate/single_operation");

TEST_CASE("a network has the one operation in its sizes [E-3]") {
    constexpr SingleOperation kSizes{OperationKind::kProduct8, 3, 5, 7};
    constexpr Expected kExpected[] = {
            {OperationKind::kProduct8, nn::OperationType::FULLY_CONNECTED,
             nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED, 105},
            {OperationKind::kProductFloat, nn::OperationType::FULLY_CONNECTED,
             nn::OperandType::TENSOR_FLOAT32, 105},
            {OperationKind::kSum8, nn::OperationType::ADD,
             nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED, 0},
            {OperationKind::kLogisticFloat, nn::OperationType::LOGISTIC,
             nn::OperandType::TENSOR_FLOAT32, 0},
            {OperationKind::kSoftmaxFloat, nn::OperationType::SOFTMAX,
             nn::OperandType::TENSOR_FLOAT32, 0},
            {OperationKind::kLookupFloat, nn::OperationType::EMBEDDING_LOOKUP,
             nn::OperandType::TENSOR_FLOAT32, 0},
            {OperationKind::kRnnFloat, nn::OperationType::RNN, nn::OperandType::TENSOR_FLOAT32,
             0},  // of the DSP's products none are counted
    };
    for (const Expected& expected : kExpected) {
        SingleOperation operation = kSizes;
        operation.kind = expected.kind;
        CAPTURE(static_cast<int>(expected.kind));
        const Network network = operationNetwork(operation);
        REQUIRE(network.model.main.operations.size() == 1);
        CHECK(network.model.main.operations[0].type == expected.type);
        CHECK(network.outputs.back().type == expected.output);
        CHECK(network.outputs.back().dimensions == std::vector<std::uint32_t>{3, 7});
        CHECK(network.macs == expected.macs);
    }
}

TEST_SUITE_END();

}  // namespace
