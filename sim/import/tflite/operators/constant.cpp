// SPDX-License-Identifier: Apache-2.0
// Operators that are computed during import, from constants and shapes.
#include <algorithm>
#include <cmath>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/joining.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

void importShape(Call& call) {
    call.requireInputs(1, 1);
    const Dims& dims = call.in(0).dims;
    call.set(0, graph::integerConstant({static_cast<std::uint32_t>(dims.size())},
                                       {dims.begin(), dims.end()}));
}

void importRank(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, graph::integerConstant({}, {static_cast<std::int32_t>(call.in(0).rank())}));
}

void importFill(Call& call) {
    call.requireInputs(2, 2);
    const Dims dims = call.shape(0);
    call.set(0, graph::broadcastTo(call.emitter(),
                                   graph::convert(call.emitter(), call.in(1), call.form()), dims));
}

void importZerosLike(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, graph::filled(call.form(), call.in(0).dims, 0.0));
}

void importRange(Call& call) {
    call.requireInputs(3, 3);
    double numbers[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        if (!call.in(i).isConstant() || call.in(i).count() != 1) {
            throw Refusal("the range is known only at run time");
        }
        numbers[i] = graph::realsOf(call.in(i))[0];
    }
    const auto [first, limit, step] = numbers;
    constexpr double kMost = 1 << 20;  // chosen: more is no shape arithmetic
    const double count = step == 0.0 ? -1.0 : std::max(0.0, std::ceil((limit - first) / step));
    if (!(count >= 0.0) || count > kMost) {
        throw Refusal(fmt::format("counts from {} to {} by {}", first, limit, step));
    }
    std::vector<double> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = first + static_cast<double>(i) * step;
    }
    const Dims dims = {static_cast<std::uint32_t>(values.size())};
    call.set(0, graph::constantFrom(call.form(), dims, values));
}

void importBroadcastArgs(Call& call) {
    call.requireInputs(2, 2);
    const Dims dims = graph::broadcastDims(call.shape(0, "the first shape"),
                                           call.shape(1, "the second shape"));
    call.set(0, graph::integerConstant({static_cast<std::uint32_t>(dims.size())},
                                       {dims.begin(), dims.end()}));
}

/// The positions of the elements of a constant that are not 0.
void importWhere(Call& call) {
    call.requireInputs(1, 1);
    const Value& value = call.in(0);
    if (!value.isConstant()) {
        throw Refusal("the number of results is known only at run time");
    }
    std::vector<std::int32_t> places;
    std::vector<std::int32_t> position(value.rank(), 0);
    for (const double number : graph::realsOf(value)) {
        if (number != 0.0) {
            places.insert(places.end(), position.begin(), position.end());
        }
        for (std::size_t i = value.rank(); i > 0; --i) {
            if (static_cast<std::uint32_t>(++position[i - 1]) < value.dims[i - 1]) {
                break;
            }
            position[i - 1] = 0;
        }
    }
    const auto rank = static_cast<std::uint32_t>(value.rank());
    const auto count = static_cast<std::uint32_t>(rank == 0 ? 0 : places.size() / rank);
    call.set(0, graph::integerConstant({count, rank}, places));
}

void importUnique(Call& call) {
    call.requireInputs(1, 1);
    const Value& value = call.in(0);
    if (!value.isConstant() || value.rank() != 1) {
        throw Refusal("the number of results is known only at run time");
    }
    std::vector<double> distinct;
    std::vector<std::int32_t> places;
    for (const double number : graph::realsOf(value)) {
        const auto found = std::find(distinct.begin(), distinct.end(), number);
        places.push_back(static_cast<std::int32_t>(found - distinct.begin()));
        if (found == distinct.end()) {
            distinct.push_back(number);
        }
    }
    const Dims dims = {static_cast<std::uint32_t>(distinct.size())};
    call.set(0, graph::constantFrom(call.form(), dims, distinct));
    if (call.hasOutput(1)) {
        call.set(1, graph::integerConstant(value.dims, places));
    }
}

/// A sparse constant became a dense one when it was read.
void importDensify(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, call.in(0));
}

constexpr Row kConstantRows[] = {
        {77, "SHAPE", kFolded, "all shapes are known", importShape},
        {93, "ZEROS_LIKE", kFolded, "a constant of zeros", importZerosLike},
        {94, "FILL", kFolded, "a constant, or TILE", importFill},
        {96, "RANGE", kFolded, "of constants", importRange},
        {103, "UNIQUE", kFolded, "of constants", importUnique},
        {109, "WHERE", kFolded, "of constants", importWhere},
        {110, "RANK", kFolded, "all shapes are known", importRank},
        {124, "DENSIFY", kFolded, "sparse constants are read as dense ones", importDensify},
        {145, "BROADCAST_ARGS", kFolded, "of constants", importBroadcastArgs},
};

}  // namespace

std::span<const Row> constantRows() {
    return kConstantRows;
}

}  // namespace vnpu::sim::tflite
