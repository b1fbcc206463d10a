// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/result_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/conform/compare.h"

namespace vnpu::sim {

namespace {

/// Checks that shapes are as expected, and sufficient except for the first `insufficient` ones.
std::string compareShapes(const Example& example, const CallResult& result,
                          std::size_t insufficient) {
    const auto& outputs = example.main.outputs;
    if (result.outputShapes.size() != outputs.size()) {
        return fmt::format("{} output shapes, expected {}", result.outputShapes.size(),
                           outputs.size());
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const nn12::OutputShape& shape = result.outputShapes[i];
        const auto& expected = example.main.operands[outputs[i]].dimensions;
        if (shape.isSufficient != (i >= insufficient)) {
            return fmt::format("output {}: reported as {}", i,
                               shape.isSufficient ? "sufficient" : "insufficient");
        }
        if (!std::equal(shape.dimensions.begin(), shape.dimensions.end(), expected.begin(),
                        expected.end())) {
            return fmt::format(
                    "output {}: shape is {}, expected {}", i,
                    describeDimensions({shape.dimensions.data(), shape.dimensions.size()}),
                    describeDimensions(expected));
        }
    }
    return "";
}

std::string compareOutput(const Example& example, std::size_t index,
                          const std::vector<std::byte>& bytes) {
    if (example.multinomialTolerance > 0.0) {
        return compareMultinomial(example, bytes);
    }
    const ExampleOperand& expected = example.main.operands[example.main.outputs[index]];
    const auto difference = compareResult(expected, bytes, isLoose(example));
    return difference ? fmt::format("output {}: {}", index, difference->describe()) : "";
}

}  // namespace

bool areOutputsKnown(const Example& example) {
    const auto& outputs = example.main.outputs;
    return std::all_of(outputs.begin(), outputs.end(), [&](std::uint32_t output) {
        const auto& dimensions = example.main.operands[output].dimensions;
        return std::find(dimensions.begin(), dimensions.end(), 0U) == dimensions.end();
    });
}

std::string checkStatus(const CallResult& result, nn::ErrorStatus expected) {
    return result.status == expected ? ""
                                     : fmt::format("execution: {}, expected {}",
                                                   nameOf(result.status), nameOf(expected));
}

std::string checkSilence(const CallResult& result) {
    if (!result.outputShapes.empty()) {
        return "execution failed as expected, but reports output shapes";
    }
    return checkTiming(result, false);
}

std::string checkTiming(const CallResult& result, bool isMeasured) {
    const nn12::Timing& timing = result.timing;
    if (isMeasured) {
        // UINT64_MAX stands for an unknown time.
        return timing.timeOnDevice <= timing.timeInDriver || timing.timeOnDevice == UINT64_MAX
                       ? ""
                       : fmt::format("{} us on the device, more than {} us in the driver",
                                     timing.timeOnDevice, timing.timeInDriver);
    }
    return timing.timeOnDevice == UINT64_MAX && timing.timeInDriver == UINT64_MAX
                   ? ""
                   : "times are reported, expected none";
}

std::string checkShapes(const Example& example, const CallResult& result, bool areOptional) {
    return areOptional && result.outputShapes.empty() ? "" : compareShapes(example, result, 0);
}

std::string checkShortShapes(const Example& example, const CallResult& result) {
    return compareShapes(example, result, 1);
}

std::string checkOutputs(const Example& example, const ExampleMemory& memory) {
    for (std::size_t i = 0; i < example.main.outputs.size(); ++i) {
        if (example.main.operands[example.main.outputs[i]].isIgnored) {
            continue;
        }
        const auto bytes = memory.output(i);
        std::string problem = bytes ? compareOutput(example, i, *bytes) : bytes.error();
        if (!problem.empty()) {
            return problem;
        }
    }
    return memory.findDamage();
}

}  // namespace vnpu::sim
