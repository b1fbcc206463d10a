// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/media/tensor_values.h"

namespace vnpu::sim {

namespace {

using Type = nn::OperandType;

// source: NNAPI HAL VTS, tolerances of GeneratedTestHarness and TestHarness
constexpr double kFloat32Absolute = 1e-5;
constexpr double kFloat32Relative = 5.0 * 0x1.0p-23;
constexpr double kHalf = 5.0 * 0x1.0p-10;

bool holdsHalf(const ExampleSubgraph& graph) {
    return std::any_of(
            graph.operands.begin(), graph.operands.end(),
            [](const ExampleOperand& operand) { return operand.type == Type::TENSOR_FLOAT16; });
}

}  // namespace

bool isLoose(const Example& example) {
    return example.isRelaxed || holdsHalf(example.main) ||
           std::any_of(example.referenced.begin(), example.referenced.end(), holdsHalf);
}

Tolerance toleranceOf(Type type, bool loose) {
    switch (type) {
        case Type::TENSOR_FLOAT32:
        case Type::FLOAT32:
            return loose ? Tolerance{kHalf, kHalf} : Tolerance{kFloat32Absolute, kFloat32Relative};
        case Type::TENSOR_FLOAT16:
        case Type::FLOAT16:
            return {kHalf, kHalf};
        case Type::TENSOR_BOOL8:
        case Type::BOOL:
            return {};
        default:
            return {1.0, 0.0};
    }
}

std::string Difference::describe() const {
    return fmt::format("element {} is {:.9g}, expected {:.9g} +- {:.3g} ({} of {} elements differ)",
                       index, actual, expected, tolerance, count, elements);
}

std::optional<Difference> compareResult(const ExampleOperand& expected,
                                        std::span<const std::byte> actual, bool loose) {
    const Tolerance tolerance = toleranceOf(expected.type, loose);
    const std::uint32_t size = elementBytes(expected.type);
    const std::size_t elements = size == 0 ? 0 : expected.data->size() / size;
    std::optional<Difference> first;
    for (std::size_t i = 0; i < elements; ++i) {
        const double want = media::elementValue(expected.type, *expected.data, i);
        const double have = media::elementValue(expected.type, actual, i);
        const double allowed = tolerance.absolute + tolerance.relative * std::abs(want);
        if (std::abs(have - want) <= allowed) {  // false for a NaN
            continue;
        }
        if (!first) {
            first = Difference{i, have, want, allowed, 0, elements};
        }
        ++first->count;
    }
    return first;
}

std::string compareMultinomial(const Example& example, std::span<const std::byte> actual) {
    if (example.main.inputs.empty()) {
        return "there is no input to compare with";
    }
    const ExampleOperand& input = example.main.operands[example.main.inputs[0]];
    const std::uint32_t inputSize = elementBytes(input.type);
    if (!input.data || inputSize == 0 || actual.size() < sizeof(std::int32_t)) {
        return "there is no input or output to compare";
    }
    std::vector<double> probabilities(input.data->size() / inputSize);
    double sum = 0.0;
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
        probabilities[i] = std::exp(media::elementValue(input.type, *input.data, i));
        sum += probabilities[i];
    }
    std::vector<std::size_t> counts(probabilities.size());
    const std::size_t samples = actual.size() / sizeof(std::int32_t);
    for (std::size_t i = 0; i < samples; ++i) {
        const double drawn = media::elementValue(Type::TENSOR_INT32, actual, i);
        if (drawn < 0.0 || drawn >= static_cast<double>(counts.size())) {
            return fmt::format("sample {} is class {}, expected 0 to {}", i, drawn,
                               counts.size() - 1);
        }
        ++counts[static_cast<std::size_t>(drawn)];
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double share = static_cast<double>(counts[i]) / static_cast<double>(samples);
        if (!(std::abs(share - probabilities[i] / sum) <= example.multinomialTolerance)) {
            return fmt::format("class {} is drawn with frequency {:.4g}, expected {:.4g} +- {:.3g}",
                               i, share, probabilities[i] / sum, example.multinomialTolerance);
        }
    }
    return "";
}

}  // namespace vnpu::sim
