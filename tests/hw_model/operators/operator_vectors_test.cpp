// SPDX-License-Identifier: Apache-2.0
// Runs the NNAPI spec examples on the operators' kernels alone, without device or driver. The
// examples are not part of the repository. VNPU_OPERATOR (an operation's name) selects those that
// contain one operation.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "sim/conform/compare.h"
#include "sim/conform/vector_file.h"
#include "tests/hw_model/operators/operator_case.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using sim::Example;
using sim::ExampleOperand;
using sim::ExampleOperation;

struct Value {
    hw::Dimensions dimensions;
    std::vector<std::byte> bytes;
    bool isThere = false;
};

OperandKind kindOf(const ExampleOperand& operand) {
    return {static_cast<hw::TensorType>(operand.type), operand.scale, operand.zeroPoint,
            operand.channelScales, operand.channelDimension};
}

/// Interprets a model without control flow, operation by operation. Returns "" or the error.
std::string interpret(const Example& example) {
    const auto& graph = example.main;
    std::vector<Value> values(graph.operands.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ExampleOperand& operand = graph.operands[i];
        const bool isOutput =
                std::find(graph.outputs.begin(), graph.outputs.end(), i) != graph.outputs.end();
        if (operand.data && !isOutput) {
            values[i] = {hw::Dimensions(std::span(operand.dimensions)), *operand.data, true};
        }
    }
    for (const ExampleOperation& operation : graph.operations) {
        OperatorCase call(static_cast<hw::Operator>(operation.type));
        for (const std::uint32_t i : operation.inputs) {
            const OperandKind kind = kindOf(graph.operands[i]);
            if (values[i].isThere) {
                call.add(kind, values[i].dimensions, values[i].bytes.data(),
                         values[i].bytes.size());
            } else {
                call.omitted(kind);
            }
        }
        for (const std::uint32_t i : operation.outputs) {
            call.output(kindOf(graph.operands[i]));
        }
        if (const hw::JobStatus status = call.run(); status != hw::JobStatus::kOk) {
            return fmt::format("{}: {}", sim::nameOf(operation.type),
                               status == hw::JobStatus::kBadOpcode ? "no kernel" : call.reason());
        }
        for (std::size_t o = 0; o < operation.outputs.size(); ++o) {
            values[operation.outputs[o]] = {call.dimensions(o), call.values<std::byte>(o), true};
        }
    }
    for (const std::uint32_t i : graph.outputs) {
        const ExampleOperand& operand = graph.operands[i];
        if (!(values[i].dimensions == hw::Dimensions(std::span(operand.dimensions)))) {
            return fmt::format("operand {} has dimensions {}, expected {}", i,
                               sim::describeDimensions(
                                       {values[i].dimensions.begin(), values[i].dimensions.end()}),
                               sim::describeDimensions(operand.dimensions));
        }
        if (example.multinomialTolerance > 0) {
            return sim::compareMultinomial(example, values[i].bytes);
        }
        if (operand.isIgnored) {
            continue;
        }
        const auto difference = sim::compareResult(operand, values[i].bytes, sim::isLoose(example));
        if (difference) {
            return fmt::format("operand {}: {}", i, difference->describe());
        }
    }
    return "";
}

bool holdsOperation(const Example& example, const std::string& name) {
    return std::any_of(example.main.operations.begin(), example.main.operations.end(),
                       [&](const auto& operation) { return sim::nameOf(operation.type) == name; });
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("kernels compute every NNAPI example without control flow [E-8]") {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    const char* wanted = std::getenv("VNPU_OPERATOR");
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".cbor") {
            files.insert(entry.path());
        }
    }
    std::size_t passed = 0;
    for (const auto& file : files) {
        for (const Example& example : sim::readVectorFile(file.string()).examples) {
            const bool isSkipped = example.expectsFailure || !example.referenced.empty() ||
                                   (wanted != nullptr && !holdsOperation(example, wanted));
            if (isSkipped) {
                continue;
            }
            const std::string problem = interpret(example);
            if (problem.empty()) {
                ++passed;
            } else {
                FAIL_CHECK(example.name << ": " << problem);
            }
        }
    }
    MESSAGE(passed, " examples passed");
}

TEST_SUITE_END();
