// SPDX-License-Identifier: Apache-2.0
// Operators of shapes and indices, which become constants or take constants, and spectra.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sim/import/graph/products.h"
#include "sim/import/graph/reduction.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

using graph::Reduction;

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

Dims dimsFrom(const std::vector<std::int64_t>& sizes) {
    Dims dims;
    for (const std::int64_t size : sizes) {
        if (size < 0 || size > INT32_MAX) {
            throw Refusal(fmt::format("a dimension is {}", size));
        }
        dims.push_back(static_cast<std::uint32_t>(size));
    }
    return dims;
}

void importFill(Call& call) {
    call.requireInputs(2, 2);
    const Dims dims = dimsFrom(call.ints(0, "the shape"));
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
    const Dims dims = graph::broadcastDims(dimsFrom(call.ints(0, "the first shape")),
                                           dimsFrom(call.ints(1, "the second shape")));
    call.set(0, graph::integerConstant({static_cast<std::uint32_t>(dims.size())},
                                       {dims.begin(), dims.end()}));
}

/// The places of the elements that are not 0, of a constant.
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

/// Values at constant places of a tensor of one default.
void importSparseToDense(Call& call) {
    call.requireInputs(4, 4);
    const std::vector<std::int64_t> indices = call.ints(0, "the tensor of indices");
    const Dims dims = dimsFrom(call.ints(1, "the shape"));
    Emitter& emitter = call.emitter();
    const Form form = call.form();
    graph::requireSize(form, dims);
    const std::size_t rank = dims.size();
    const std::size_t count = call.in(0).rank() == 0 ? 1 : call.in(0).dims[0];
    if (rank == 0 || indices.size() != count * (call.in(0).rank() == 2 ? rank : 1) ||
        (call.in(0).rank() < 2 && rank != 1) || call.in(3).count() != 1 ||
        (call.in(2).count() != 1 && call.in(2).count() != count)) {
        throw Refusal(fmt::format("indices are {} for {}", describeDimensions(call.in(0).dims),
                                  describeDimensions(dims)));
    }
    const auto number = static_cast<std::uint32_t>(count);
    Value values = graph::convert(emitter, call.in(2), form);
    values = values.count() == count ? graph::reshape(emitter, values, {number})
                                     : graph::broadcastTo(emitter, values, {number});
    const Value all = graph::concatenate(
            emitter,
            {graph::reshape(emitter, graph::convert(emitter, call.in(3), form), {1}), values}, 0,
            form);
    std::vector<std::int32_t> source(elementCount(dims), 0);
    for (std::size_t i = 0; i < count; ++i) {
        std::int64_t place = 0;
        for (std::size_t k = 0; k < rank; ++k) {
            const std::int64_t index = indices[i * rank + k];
            if (index < 0 || index >= dims[k]) {
                throw Refusal(fmt::format("index {} of {} elements", index, dims[k]));
            }
            place = place * dims[k] + index;
        }
        source[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(i + 1);
    }
    const auto places = static_cast<std::uint32_t>(source.size());
    const Value found = graph::gather(emitter, all, graph::integerConstant({places}, source), 0);
    call.set(0, graph::reshape(emitter, found, dims));
}

/// Rows of a constant segment are reduced. An empty segment gives `none`.
Value segmentsOf(Call& call, Reduction op, double none, std::int64_t segments) {
    Emitter& emitter = call.emitter();
    const std::vector<std::int64_t> ids = call.ints(1, "the tensor of segments");
    const Value& data = call.in(0);
    constexpr std::int64_t kMostSegments = 4096;  // chosen: each is an operation
    if (data.rank() == 0 || call.in(1).rank() != 1 || ids.size() != data.dims[0] || segments < 0 ||
        segments > kMostSegments) {
        throw Refusal(fmt::format("{} segments of {} with ids {}", segments,
                                  describeDimensions(data.dims),
                                  describeDimensions(call.in(1).dims)));
    }
    Dims rowDims = data.dims;
    rowDims[0] = 1;
    std::vector<Value> parts;
    for (std::int64_t segment = 0; segment < segments; ++segment) {
        std::vector<std::int32_t> rows;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (ids[i] == segment) {
                rows.push_back(static_cast<std::int32_t>(i));
            }
        }
        if (rows.empty()) {
            parts.push_back(graph::filled(call.form(), rowDims, none));
            continue;
        }
        const Value chosen = graph::gather(
                emitter, data,
                graph::integerConstant({static_cast<std::uint32_t>(rows.size())}, rows), 0);
        constexpr std::uint32_t kFirst[] = {0};
        parts.push_back(graph::reduce(emitter, op, chosen, kFirst, true, call.form()));
    }
    if (parts.empty()) {
        rowDims[0] = 0;
        return graph::constantOf(call.form(), rowDims, {});
    }
    return graph::concatenate(emitter, parts, 0, call.form());
}

void importSegmentSum(Call& call) {
    call.requireInputs(2, 2);
    const std::vector<std::int64_t> ids = call.ints(1, "the tensor of segments");
    const std::int64_t last = ids.empty() ? -1 : *std::max_element(ids.begin(), ids.end());
    call.set(0, segmentsOf(call, Reduction::kSum, 0.0, last + 1));
}

template <Reduction kOp>
void importUnsortedSegments(Call& call) {
    call.requireInputs(3, 3);
    const bool isInteger = call.form().isInteger();
    const double most = isInteger ? INT32_MAX : 3.4028234663852886e38;
    const double none = kOp == Reduction::kProd  ? 1.0
                        : kOp == Reduction::kMax ? (isInteger ? -most - 1.0 : -most)
                        : kOp == Reduction::kMin ? most
                                                 : 0.0;
    call.set(0, segmentsOf(call, kOp, none, call.oneInt(2, "the number of segments")));
}

void importMultinomial(Call& call) {
    call.requireInputs(2, 2);
    Emitter& emitter = call.emitter();
    const Value logits = graph::toReal(emitter, call.in(0));
    const std::int64_t samples = call.oneInt(1, "the number of samples");
    if (logits.rank() != 2 || samples < 1 || samples > 1 << 24) {
        throw Refusal(
                fmt::format("takes {} samples of {}", samples, describeDimensions(logits.dims)));
    }
    const auto& options = call.options<schema::RandomOptions>();
    call.note("random numbers are those of the device, not TensorFlow Lite's");
    const Value seeds = graph::integerConstant({2}, {static_cast<std::int32_t>(options.seed()),
                                                     static_cast<std::int32_t>(options.seed2())});
    call.set(0,
             emitter.emit(nn::OperationType::RANDOM_MULTINOMIAL,
                          {emitter.operand(logits),
                           emitter.builder().addInt32(static_cast<std::int32_t>(samples)),
                           emitter.operand(seeds)},
                          graph::kInteger, {logits.dims[0], static_cast<std::uint32_t>(samples)}));
}

void importLshProjection(Call& call) {
    call.requireInputs(2, 3);
    Emitter& emitter = call.emitter();
    const Value& hash = call.in(0);
    if (hash.rank() != 2 || !hash.form.isReal()) {
        throw Refusal("the tensor of hash functions is not a float matrix");
    }
    const auto& output = call.outputTensor(0).dimensions;
    const bool isDense = elementCount(output) != hash.dims[0];
    constexpr std::int32_t kDense = 2, kSparse = 3;  // source: NDK, LSH_PROJECTION
    const Index weights =
            call.has(2) ? emitter.operand(call.in(2))
                        : emitter.builder().addOmitted({.type = nn::OperandType::TENSOR_FLOAT32});
    call.set(0,
             emitter.emit(nn::OperationType::LSH_PROJECTION,
                          {emitter.operand(hash), emitter.operand(call.in(1)), weights,
                           emitter.builder().addInt32(isDense ? kDense : kSparse)},
                          graph::kInteger, {isDense ? hash.dims[0] * hash.dims[1] : hash.dims[0]}));
}

/// Complex values have their two parts in one more dimension.
void importRfft2d(Call& call) {
    call.requireInputs(2, 2);
    Emitter& emitter = call.emitter();
    const std::vector<std::int64_t> length = call.ints(1, "the length");
    Value value = graph::toReal(emitter, call.in(0));
    constexpr std::int64_t kLongest = 4096;  // chosen: the matrix then has 64 MiB
    if (length.size() != 2 || length[0] != 1 || value.rank() < 2 ||
        value.dims[value.rank() - 2] < 1 || length[1] < 1 || length[1] > kLongest) {
        throw Refusal(fmt::format("has {} lengths for {}, expected 1 row of up to {} elements",
                                  length.size(), describeDimensions(value.dims), kLongest));
    }
    std::vector<std::int64_t> before(value.rank(), 0), after(value.rank(), 0);
    after[value.rank() - 2] = 1 - std::int64_t{value.dims[value.rank() - 2]};
    after.back() = length[1] - value.dims.back();
    value = graph::pad(emitter, value, before, after, 0.0);
    const auto size = static_cast<std::uint32_t>(length[1]), bins = size / 2 + 1;
    std::vector<float> waves(std::size_t{2} * bins * size);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        for (std::size_t i = 0; i < size; ++i) {
            const double angle = -2.0 * std::numbers::pi * static_cast<double>(bin * i % size) /
                                 static_cast<double>(size);
            waves[2 * bin * size + i] = static_cast<float>(std::cos(angle));
            waves[(2 * bin + 1) * size + i] = static_cast<float>(std::sin(angle));
        }
    }
    const Value spectrum =
            graph::fullyConnected(emitter, value, graph::realConstant({2 * bins, size}, waves),
                                  std::nullopt, Clamp::kNone, graph::kReal);
    Dims dims = value.dims;
    dims.back() = bins;
    dims.push_back(2);
    call.setRaw(0, graph::reshape(emitter, spectrum, dims));
}

Value complexPart(Call& call, std::uint32_t part) {
    Value value = call.in(0);
    if (call.tensor(0).type != TensorType::COMPLEX64 || value.rank() == 0 ||
        value.dims.back() != 2) {
        throw Refusal("the operand is not the complex result of RFFT2D");
    }
    Dims dims(value.dims.begin(), value.dims.end() - 1);
    const auto last = static_cast<std::uint32_t>(value.rank() - 1);
    return graph::reshape(call.emitter(), graph::sliceAxis(call.emitter(), value, last, part, 1),
                          dims);
}

template <std::uint32_t kPart>
void importPart(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, complexPart(call, kPart));
}

void importComplexAbs(Call& call) {
    call.requireInputs(1, 1);
    Emitter& emitter = call.emitter();
    const Value real = graph::unary(emitter, Unary::kSquare, complexPart(call, 0), graph::kReal);
    const Value imaginary =
            graph::unary(emitter, Unary::kSquare, complexPart(call, 1), graph::kReal);
    const Value sum = graph::binary(emitter, Binary::kAdd, real, imaginary, graph::kReal);
    call.set(0, graph::unary(emitter, Unary::kSqrt, sum, graph::kReal));
}

constexpr Row kConstantRows[] = {
        {15, "LSH_PROJECTION", kImported, "LSH_PROJECTION", importLshProjection},
        {68, "SPARSE_TO_DENSE", kComposed, "CONCATENATION, GATHER", importSparseToDense},
        {77, "SHAPE", kFolded, "all shapes are known", importShape},
        {93, "ZEROS_LIKE", kFolded, "a constant of zeros", importZerosLike},
        {94, "FILL", kFolded, "a constant, or TILE", importFill},
        {96, "RANGE", kFolded, "of constants", importRange},
        {103, "UNIQUE", kFolded, "of constants", importUnique},
        {109, "WHERE", kFolded, "of constants", importWhere},
        {110, "RANK", kFolded, "all shapes are known", importRank},
        {124, "DENSIFY", kFolded, "sparse constants are read as dense ones", importDensify},
        {125, "SEGMENT_SUM", kComposed, "GATHER, REDUCE_SUM, CONCATENATION", importSegmentSum},
        {131, "RFFT2D", kComposed, "FULLY_CONNECTED with the waves", importRfft2d},
        {133, "IMAG", kComposed, "SLICE", importPart<1>},
        {134, "REAL", kComposed, "SLICE", importPart<0>},
        {135, "COMPLEX_ABS", kComposed, "SLICE, MUL, ADD, SQRT", importComplexAbs},
        {145, "BROADCAST_ARGS", kFolded, "of constants", importBroadcastArgs},
        {149, "MULTINOMIAL", kImported, "RANDOM_MULTINOMIAL", importMultinomial},
        {153, "UNSORTED_SEGMENT_PROD", kComposed, "GATHER, REDUCE_PROD, CONCATENATION",
         importUnsortedSegments<Reduction::kProd>},
        {154, "UNSORTED_SEGMENT_MAX", kComposed, "GATHER, REDUCE_MAX, CONCATENATION",
         importUnsortedSegments<Reduction::kMax>},
        {155, "UNSORTED_SEGMENT_SUM", kComposed, "GATHER, REDUCE_SUM, CONCATENATION",
         importUnsortedSegments<Reduction::kSum>},
        {157, "UNSORTED_SEGMENT_MIN", kComposed, "GATHER, REDUCE_MIN, CONCATENATION",
         importUnsortedSegments<Reduction::kMin>},
};

}  // namespace

std::span<const Row> constantRows() {
    return kConstantRows;
}

}  // namespace vnpu::sim::tflite
