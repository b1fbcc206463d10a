// SPDX-License-Identifier: Apache-2.0
// Operators that are computed during import from shapes and constants, and those that make tensors
// without inputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/real.h"
#include "sim/import/onnx/tensor_values.h"

namespace vnpu::sim::onnx {

namespace {

constexpr std::uint64_t kMostElements = 1U << 24;  // chosen: larger ones take too much memory

void requireElements(Context& context, std::uint64_t count) {
    if (count > kMostElements) {
        context.refuse(
                fmt::format("a tensor of {} elements, expected at most {}", count, kMostElements));
    }
}

Dims shapeFrom(Context& context, const std::vector<std::int64_t>& shape) {
    Dims dims;
    for (const std::int64_t extent : shape) {
        if (extent < 0 || extent > INT32_MAX) {
            context.refuse(fmt::format("a dimension of {}", extent));
        }
        dims.push_back(static_cast<std::uint32_t>(extent));
    }
    requireElements(context, elementCount(dims));
    return dims;
}

void importShape(Context& context) {
    const Dims dims = context.dims(0);
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto place = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    const std::int64_t begin = place(context.integer("start", 0)),
                       end = place(context.integer("end", rank));
    std::vector<std::int32_t> shape;
    for (std::int64_t i = begin; i < end; ++i) {
        shape.push_back(static_cast<std::int32_t>(dims[static_cast<std::size_t>(i)]));
    }
    context.out(0, graph::integerConstant({static_cast<std::uint32_t>(shape.size())}, shape),
                ElementType::kInt64);
}

void importSize(Context& context) {
    const auto count = static_cast<std::int32_t>(elementCount(context.dims(0)));
    context.out(0, graph::integerConstant({}, {count}), ElementType::kInt64);
}

void importConstant(Context& context) {
    const auto outInts = [&](const std::vector<std::int64_t>& values, Dims dims) {
        Tensor tensor{"", ElementType::kInt64, std::move(dims), {}};
        const auto bytes = std::as_bytes(std::span(values));
        tensor.data.assign(bytes.begin(), bytes.end());
        context.out(0, valueOf(tensor), ElementType::kInt64);
    };
    const Attributes& attributes = context.node().attributes;
    if (const auto found = attributes.find("value");
        found != attributes.end() && found->second.tensor) {
        context.out(0, valueOf(*found->second.tensor), found->second.tensor->type);
    } else if (context.hasAttribute("value_int")) {
        outInts({context.integer("value_int", 0)}, {});
    } else if (context.hasAttribute("value_ints")) {
        const auto values = context.list("value_ints");
        outInts(values, {static_cast<std::uint32_t>(values.size())});
    } else if (context.hasAttribute("value_float")) {
        context.out(0, graph::realConstant({}, {context.numberOf("value_float", 0)}),
                    ElementType::kFloat);
    } else if (const auto floats = attributes.find("value_floats"); floats != attributes.end()) {
        const auto& numbers = floats->second.numbers;
        context.out(0, graph::realConstant({static_cast<std::uint32_t>(numbers.size())}, numbers),
                    ElementType::kFloat);
    } else {
        context.refuse("a constant that is no dense tensor of numbers");
    }
}

void importConstantOfShape(Context& context) {
    const Dims dims = shapeFrom(context, context.integers(0, "the shape"));
    const auto found = context.node().attributes.find("value");
    if (found == context.node().attributes.end() || !found->second.tensor) {
        context.out(0, graph::filled(graph::kReal, dims, 0.0), ElementType::kFloat);
        return;
    }
    const Value value = valueOf(*found->second.tensor);
    if (value.count() != 1) {
        context.refuse("its value has several elements");
    }
    context.out(0, graph::filled(value.form, dims, graph::realsOf(value)[0]),
                found->second.tensor->type);
}

void importRange(Context& context) {
    const double start = context.scalar(0, "start"), limit = context.scalar(1, "limit"),
                 delta = context.scalar(2, "delta");
    const double count = delta == 0.0 ? 0.0 : std::max(0.0, std::ceil((limit - start) / delta));
    if (!(count <= static_cast<double>(kMostElements))) {
        context.refuse(fmt::format("{} elements, expected at most {}", count, kMostElements));
    }
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = start + static_cast<double>(i) * delta;
    }
    const ElementType type = context.type(0);
    context.out(
            0,
            graph::constantFrom(formOf(type), {static_cast<std::uint32_t>(values.size())}, values),
            type);
}

void importEyeLike(Context& context) {
    const Dims dims = context.dims(0);
    if (dims.size() != 2) {
        context.refuse(fmt::format("{} dimensions, expected 2", dims.size()));
    }
    requireElements(context, elementCount(dims));
    const auto type = static_cast<ElementType>(
            context.integer("dtype", static_cast<std::int64_t>(context.type(0))));
    const std::int64_t diagonal = context.integer("k", 0);
    std::vector<double> values;
    for (std::int64_t row = 0; row < dims[0]; ++row) {
        for (std::int64_t column = 0; column < dims[1]; ++column) {
            values.push_back(column - row == diagonal ? 1.0 : 0.0);
        }
    }
    context.out(0, graph::constantFrom(formOf(type), dims, values), type);
}

/// A window over `size` samples: the sum of a_k cos(2 pi k n / N).
void importWindow(Context& context, std::initializer_list<double> coefficients) {
    const double size = context.scalar(0, "the size");
    if (!(size >= 0.0 && size <= static_cast<double>(kMostElements))) {
        context.refuse(fmt::format("a size of {}", size));
    }
    const auto type = static_cast<ElementType>(context.integer("output_datatype", 1));
    const double period = context.integer("periodic", 1) != 0 ? size : size - 1.0;
    std::vector<double> values(static_cast<std::size_t>(size));
    for (std::size_t n = 0; n < values.size(); ++n) {
        double order = 0.0;
        for (const double coefficient : coefficients) {
            values[n] += coefficient *
                         std::cos(2.0 * std::numbers::pi * order * static_cast<double>(n) / period);
            order += 1.0;
        }
    }
    context.out(
            0,
            graph::constantFrom(formOf(type), {static_cast<std::uint32_t>(values.size())}, values),
            type);
}

// source of the coefficients: ONNX, Operators.md
void importHann(Context& context) {
    importWindow(context, {0.5, -0.5});
}
void importHamming(Context& context) {
    importWindow(context, {25.0 / 46.0, -21.0 / 46.0});
}
void importBlackman(Context& context) {
    importWindow(context, {0.42, -0.5, 0.08});
}

/// source: ONNX, Operators.md: triangles on the mel scale with corners rounded down to bins of the
/// spectrum
void importMelWeights(Context& context) {
    const double bins = context.scalar(0, "the number of mel bins"),
                 length = context.scalar(1, "the length of the transform");
    const double rate = context.scalar(2, "the sample rate");
    const double lower = context.scalar(3, "the lower edge"),
                 upper = context.scalar(4, "the upper edge");
    const double spectrum = std::floor(length / 2.0) + 1.0;
    if (!(bins >= 1 && spectrum >= 1 && bins * spectrum <= static_cast<double>(kMostElements) &&
          rate > 0)) {
        context.refuse(fmt::format("{} bins of {} samples", bins, length));
    }
    const auto toMel = [](double hertz) { return 2595.0 * std::log10(1.0 + hertz / 700.0); };
    const double step = (toMel(upper) - toMel(lower)) / (bins + 2.0);
    std::vector<double> corners;
    for (std::size_t i = 0; i < static_cast<std::size_t>(bins) + 2; ++i) {
        const double mel = toMel(lower) + static_cast<double>(i) * step;
        const double hertz = 700.0 * (std::pow(10.0, mel / 2595.0) - 1.0);
        corners.push_back(std::floor((length + 1.0) * hertz / rate));
    }
    const auto columns = static_cast<std::size_t>(bins), rows = static_cast<std::size_t>(spectrum);
    std::vector<double> weights(columns * rows, 0.0);
    for (std::size_t i = 0; i < columns; ++i) {
        const double left = corners[i], middle = corners[i + 1], right = corners[i + 2];
        for (std::size_t row = 0; row < rows; ++row) {
            const auto at = static_cast<double>(row);
            double& weight = weights[row * columns + i];
            if (middle == left ? at == middle : at >= left && at <= middle) {
                weight = middle == left ? 1.0 : (at - left) / (middle - left);
            }
            if (at >= middle && at < right && right > middle) {
                weight = (right - at) / (right - middle);
            }
        }
    }
    const auto type = static_cast<ElementType>(context.integer("output_datatype", 1));
    context.out(0,
                graph::constantFrom(
                        formOf(type),
                        {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)},
                        weights),
                type);
}

constexpr Operator kShape[] = {
        {"BlackmanWindow", 17, Status::kFolded, "from its size", importBlackman},
        {"Constant", 1, Status::kFolded, "a constant", importConstant},
        {"ConstantOfShape", 9, Status::kFolded, "from its shape", importConstantOfShape},
        {"EyeLike", 9, Status::kFolded, "from its shape", importEyeLike},
        {"HammingWindow", 17, Status::kFolded, "from its size", importHamming},
        {"HannWindow", 17, Status::kFolded, "from its size", importHann},
        {"MelWeightMatrix", 17, Status::kFolded, "from its parameters", importMelWeights},
        {"Range", 11, Status::kFolded, "from its limits", importRange},
        {"Shape", 1, Status::kFolded, "from the shape", importShape},
        {"Size", 1, Status::kFolded, "from the shape", importSize},
};

}  // namespace

std::span<const Operator> shapeOperators() {
    return kShape;
}

}  // namespace vnpu::sim::onnx
