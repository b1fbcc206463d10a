// SPDX-License-Identifier: Apache-2.0
// Compiles every NNAPI example and executes it on plain byte arrays, in any order that the stream
// allows. The examples are not part of the repository.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/conform/compare.h"
#include "sim/conform/conformance.h"
#include "sim/conform/quantization_twin.h"
#include "sim/conform/vector_model.h"
#include "tests/driver/compiler/stream_interpreter.h"
#include "tests/driver/compiler/test_device.h"
#include "tests/support/source_folder.h"

namespace vnpu::driver::test {
namespace {

using sim::Example;
using sim::ExampleSubgraph;

/// The bytes of the model's constant pool.
Bytes poolOf(const Example& example, const sim::nn::Model& model) {
    Bytes pool;
    const auto fill = [&](const ExampleSubgraph& graph, const sim::nn::Subgraph& subgraph) {
        for (std::size_t i = 0; i < graph.operands.size(); ++i) {
            if (graph.operands[i].lifetime == sim::nn::OperandLifeTime::CONSTANT_REFERENCE) {
                const auto& location = subgraph.operands[i].location;
                pool.resize(std::max<std::size_t>(pool.size(), location.offset + location.length));
                std::copy_n(graph.operands[i].data->begin(), location.length,
                            pool.begin() + location.offset);
            }
        }
    };
    fill(example.main, model.main);
    for (std::size_t i = 0; i < example.referenced.size(); ++i) {
        fill(example.referenced[i], model.referenced[i]);
    }
    return pool;
}

std::string compareWith(const Example& example, const InterpretedRun& run) {
    for (std::size_t i = 0; i < run.outputs.size(); ++i) {
        const sim::ExampleOperand& operand = example.main.operands[example.main.outputs[i]];
        if (run.shapes[i] != operand.dimensions) {
            return fmt::format("output {} is [{}], expected [{}]", i,
                               fmt::join(run.shapes[i], ", "), fmt::join(operand.dimensions, ", "));
        }
        if (example.multinomialTolerance > 0) {
            return sim::compareMultinomial(example, run.outputs[i]);
        }
        if (operand.isIgnored) {
            continue;
        }
        if (run.outputs[i].size() != operand.data->size()) {
            return fmt::format("output {} has {} bytes, expected {}", i, run.outputs[i].size(),
                               operand.data->size());
        }
        if (const auto gap = sim::compareResult(operand, run.outputs[i], sim::isLoose(example))) {
            return fmt::format("output {}: {}", i, gap->describe());
        }
    }
    return "";
}

/// Compiles and runs one model; returns the error, or an empty string.
std::string check(const Example& example, const sim::nn::Model& model, const DeviceInfo& device,
                  std::uint32_t seed) {
    for (const std::string& reason : findUnsupported(model)) {
        if (!reason.empty()) {
            return reason;
        }
    }
    const Bytes pool = poolOf(example, model);
    const std::vector<PoolView> pools(model.pools.size(), pool);
    CompileOptions options;
    options.checkpointCycles = seed % 2;  // half of them are preempted as often as possible
    std::vector<Bytes> inputs;
    for (const std::uint32_t i : example.main.inputs) {
        inputs.push_back(example.main.operands[i].data.value_or(Bytes{}));
        options.omittedInputs.push_back(!example.main.operands[i].data);
    }
    const auto compiled = compile(model, pools, device, options);
    if (!compiled) {
        return "refused by compile: " + compiled.error().reason;
    }
    const InterpretedRun run = interpret(*compiled, device, pools, inputs, seed);
    return run.error.empty() ? compareWith(example, run) : run.error;
}

/// Checks the model as it is, with open outputs, and with signed bytes.
std::string checkForms(const Example& example, const DeviceInfo& device, std::uint32_t seed) {
    sim::nn::Model model = sim::makeModel(example);
    if (std::string problem = check(example, model, device, seed); !problem.empty()) {
        return problem;
    }
    sim::leaveOutputsOpen(model);
    if (std::string problem = check(example, model, device, seed); !problem.empty()) {
        return "with open outputs: " + problem;
    }
    if (sim::isCoupled(example)) {
        const Example twin = sim::makeSignedTwin(example);
        if (std::string problem = check(twin, sim::makeModel(twin), device, seed);
            !problem.empty()) {
            return "as signed: " + problem;
        }
    }
    return "";
}

/// The number of examples with correct outputs.
int checkAll(const DeviceInfo& device) {
    const std::filesystem::path home = vnpu::test::sharedFolder();
    if (!std::filesystem::is_directory(home / "nnapi_vectors")) {
        MESSAGE("skipped: no vectors in ", home.string(), " (VNPU_SHARED)");
        return -1;
    }
    int passed = 0;
    std::uint32_t seed = 1;
    for (const std::string& path : sim::findVectorFiles((home / "nnapi_vectors").string())) {
        for (const Example& example : sim::readVectorFile(path).examples) {
            if (example.expectsFailure) {
                continue;
            }
            const std::string problem = checkForms(example, device, seed++);
            CHECK_MESSAGE(problem.empty(), example.name, ": ", problem);
            passed += problem.empty() ? 1 : 0;
        }
    }
    return passed;
}

constexpr int kExamples = 6747;  // except those that must fail

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/vectors");

TEST_CASE("every NNAPI example gives its outputs in any order that tokens allow [E-2]") {
    const int passed = checkAll(edgeDevice());
    CHECK((passed == kExamples || passed < 0));
}

TEST_CASE("every NNAPI example gives its outputs on a device that must tile it [E-2]") {
    const int passed = checkAll(tinyDevice(2048, 256));
    CHECK((passed == kExamples || passed < 0));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
