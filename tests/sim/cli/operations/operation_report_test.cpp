// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/operation_report.h"

#include <doctest/doctest.h>

#include <string>

#include "hw_model/timing/operator_timing.h"
#include "tests/driver/compiler/test_device.h"

namespace {

using namespace vnpu;
using namespace vnpu::sim;
using Op = nn::OperationType;
using Type = nn::OperandType;

OperationReport report(Op operation, Type type,
                       const driver::DeviceInfo& device = driver::test::edgeDevice()) {
    return reportOperation(operation, {type, {}}, device, hw::NpuConfig{});
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/operations/operation_report");

TEST_CASE("an 8-bit convolution runs in tiles on the MAC array, fed by the DMA") {
    const OperationReport conv = report(Op::CONV_2D, Type::TENSOR_QUANT8_ASYMM);
    CHECK(conv.refusal.empty());
    CHECK(conv.engines() == "mac, dma");
    CHECK(conv.place() == "tiled");
    CHECK(conv.commands >= 4);  // loads of data and weights, the product, a store
    REQUIRE(conv.shares.size() == 2);
    CHECK(conv.shares[1].formulas == std::vector<std::string>{"rows*bursts/W"});
}

TEST_CASE("a recurrent cell runs untiled on the DSP, with the formula of its timing") {
    const OperationReport lstm = report(Op::LSTM, Type::TENSOR_FLOAT32);
    CHECK(lstm.engines() == "dsp");
    CHECK(lstm.place() == "whole");
    CHECK(lstm.commands == 1);
    CHECK(lstm.cost() == "dsp: " + std::string(hw::operatorCostFormula(hw::Operator::kLstm)));
}

TEST_CASE("softmax runs in tiles on the vector unit") {
    const OperationReport softmax = report(Op::SOFTMAX, Type::TENSOR_FLOAT32);
    CHECK(softmax.engines() == "vector, dma");
    CHECK(softmax.cost() == "vector: n/L*(3 + E) + n/axis/L*E; dma: rows*bursts/W");
}

TEST_CASE("control flow runs on the controller") {
    for (const Op operation : {Op::IF, Op::WHILE}) {
        const OperationReport steps =
                reportOperation(operation, {}, driver::test::edgeDevice(), hw::NpuConfig{});
        CHECK(steps.refusal.empty());
        CHECK(steps.engines() == "controller");
        CHECK(steps.place() == "-");
        CHECK(steps.commands >= 2);
    }
}

TEST_CASE("a refused operation has the driver's reason instead of an engine") {
    driver::DeviceInfo device = driver::test::edgeDevice();
    device.memoryBytes = 16;
    const OperationReport conv = report(Op::CONV_2D, Type::TENSOR_QUANT8_ASYMM, device);
    CHECK(conv.refusal.find("the device has 16") != std::string::npos);
    CHECK(conv.engines().empty());
    CHECK(conv.place() == "-");
}

TEST_CASE("an operation without commands is an alias") {
    CHECK(OperationReport{}.engines() == "alias");
}

TEST_SUITE_END();
