// SPDX-License-Identifier: Apache-2.0
// Operators that read or write elements at places that indices name.
#include <algorithm>
#include <numeric>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

void importGather(Call& call) {
    call.requireInputs(2, 2);
    const Value value = call.inOutputForm();
    const std::uint32_t axis =
            graph::axisOf(call.option(&schema::GatherOptions::axis), value.rank());
    const std::int32_t batchDims = call.option(&schema::GatherOptions::batch_dims);
    const std::int64_t batches =
            batchDims < 0 ? batchDims + std::ssize(call.in(1).dims) : std::int64_t{batchDims};
    if (batches < 0 || batches > 8) {
        throw Refusal(fmt::format("has {} batch dimensions", batchDims));
    }
    call.set(0, graph::gather(call.emitter(), value, call.in(1), axis,
                              static_cast<std::uint32_t>(batches)));
}

void importGatherNd(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::gatherNd(call.emitter(), call.inOutputForm(), call.in(1)));
}

void importReverse(Call& call) {
    call.requireInputs(2, 2);
    const Value value = call.inOutputForm();
    call.set(0, graph::reverse(call.emitter(), value, call.axes(1, value.rank())));
}

/// Reverses the first elements of each row, by an index for every element.
void importReverseSequence(Call& call) {
    call.requireInputs(2, 2);
    const auto& options = call.options<schema::ReverseSequenceOptions>();
    const Value value = call.inOutputForm();
    const std::uint32_t axis = graph::axisOf(options.seq_dim(), value.rank());
    const std::uint32_t batch = graph::axisOf(options.batch_dim(), value.rank());
    const std::vector<std::int64_t> lengths = call.ints(1, "the tensor of lengths");
    if (axis == batch || lengths.size() != value.dims[batch]) {
        throw Refusal(fmt::format("has {} lengths for {} rows", lengths.size(), value.dims[batch]));
    }
    std::vector<Value> rows;
    for (std::uint32_t i = 0; i < lengths.size(); ++i) {
        const Value row = graph::sliceAxis(call.emitter(), value, batch, i, 1);
        std::vector<std::int32_t> places(value.dims[axis]);
        std::iota(places.begin(), places.end(), 0);
        if (lengths[i] < 0 || lengths[i] > std::ssize(places)) {
            throw Refusal(fmt::format("reverses {} of {} elements", lengths[i], places.size()));
        }
        std::reverse(places.begin(), places.begin() + lengths[i]);
        rows.push_back(graph::gather(call.emitter(), row,
                                     graph::integerConstant({value.dims[axis]}, places), axis));
    }
    call.set(0, graph::concatenate(call.emitter(), rows, batch, value.form));
}

/// Writes rows at constant places of a tensor of zeros. Refuses two rows for one place, which would
/// be added.
void importScatterNd(Call& call) {
    call.requireInputs(3, 3);
    const std::vector<std::int64_t> indices = call.ints(0, "the tensor of indices");
    const Dims dims = call.shape(2);
    const Dims& indexDims = call.in(0).dims;
    const std::uint32_t depth = indexDims.empty() ? 0 : indexDims.back();
    if (depth == 0 || depth > dims.size()) {
        throw Refusal(fmt::format("indices are {} for {}", describeDimensions(indexDims),
                                  describeDimensions(dims)));
    }
    graph::requireSize(call.form(), dims);
    std::uint32_t places = 1, inner = 1;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        (i < depth ? places : inner) *= dims[i];
    }
    const auto count = static_cast<std::uint32_t>(indices.size() / depth);
    const Value update = call.inOutputForm(1);
    if (update.count() != std::uint64_t{count} * inner) {
        throw Refusal(fmt::format("updates are {}, expected {} rows of {}",
                                  describeDimensions(update.dims), count, inner));
    }
    // Row 0 is zeros, for the places without an update.
    std::vector<std::int32_t> source(places, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::int64_t place = 0;
        for (std::uint32_t k = 0; k < depth; ++k) {
            const std::int64_t index = indices[std::size_t{i} * depth + k];
            if (index < 0 || index >= dims[k]) {
                throw Refusal(fmt::format("index {} of {} elements", index, dims[k]));
            }
            place = place * dims[k] + index;
        }
        if (source[static_cast<std::size_t>(place)] != 0) {
            throw Refusal("adds several updates to one place");
        }
        source[static_cast<std::size_t>(place)] = static_cast<std::int32_t>(i + 1);
    }
    const Value rows = graph::concatenate(call.emitter(),
                                          {graph::filled(update.form, {1, inner}, 0.0),
                                           graph::reshape(call.emitter(), update, {count, inner})},
                                          0, update.form);
    const Value result =
            graph::gather(call.emitter(), rows, graph::integerConstant({places}, source), 0);
    call.set(0, graph::reshape(call.emitter(), result, dims));
}

/// Compares an index with each of the positions.
void importOneHot(Call& call) {
    call.requireInputs(4, 4);
    Emitter& emitter = call.emitter();
    const std::int64_t depth = call.oneInt(1, "the depth");
    if (depth < 1 || depth > 1 << 20) {
        throw Refusal(fmt::format("the depth is {}", depth));
    }
    const std::int32_t given = call.option(&schema::OneHotOptions::axis, -1);
    const std::uint32_t axis = graph::axisOf(given, call.in(0).rank() + 1);
    Dims indexDims = call.in(0).dims, positionDims(call.in(0).rank() + 1, 1);
    indexDims.insert(indexDims.begin() + axis, 1);
    positionDims[axis] = static_cast<std::uint32_t>(depth);
    std::vector<std::int32_t> positions(static_cast<std::size_t>(depth));
    std::iota(positions.begin(), positions.end(), 0);
    const Value isHot =
            graph::binary(emitter, Binary::kEqual, graph::reshape(emitter, call.in(0), indexDims),
                          graph::integerConstant(positionDims, positions), graph::kTruth);
    call.set(0, graph::select(emitter, isHot, call.in(2), call.in(3), call.form()));
}

/// Puts the vectors of the last dimension on diagonals; a mask selects the elements of the
/// diagonal.
void importMatrixDiag(Call& call) {
    call.requireInputs(1, 1);
    const Value& value = call.in(0);
    if (value.rank() == 0) {
        throw Refusal("a scalar has no diagonal");
    }
    const std::uint32_t size = value.dims.back();
    std::vector<std::uint8_t> unit(std::size_t{size} * size, 0);
    for (std::size_t i = 0; i < size; ++i) {
        unit[i * size + i] = 1;
    }
    Dims dims = value.dims;
    dims.push_back(1);
    call.set(0, graph::select(call.emitter(), graph::truthConstant({size, size}, unit),
                              graph::reshape(call.emitter(), value, dims),
                              graph::filled(value.form, {}, 0.0), call.form()));
}

void importMatrixSetDiag(Call& call) {
    call.requireInputs(2, 2);
    const Value &value = call.in(0), &diagonal = call.in(1);
    if (value.rank() < 2 || diagonal.rank() + 1 != value.rank()) {
        throw Refusal("the diagonal does not fit the matrix");
    }
    const std::uint32_t rows = value.dims[value.rank() - 2], columns = value.dims.back();
    if (diagonal.dims.back() != std::min(rows, columns)) {
        throw Refusal("the diagonal does not fit the matrix");
    }
    std::vector<std::uint8_t> isDiagonal(std::size_t{rows} * columns, 0);
    for (std::size_t i = 0; i < std::min(rows, columns); ++i) {
        isDiagonal[i * columns + i] = 1;
    }
    // Every column of row i has element i of the diagonal; the mask selects one of them.
    std::vector<std::int64_t> before(diagonal.rank(), 0), after(diagonal.rank(), 0);
    after.back() = std::int64_t{rows} - diagonal.dims.back();
    Value perRow = graph::pad(call.emitter(), diagonal, before, after, 0.0);
    Dims dims = perRow.dims;
    dims.push_back(1);
    perRow = graph::reshape(call.emitter(), perRow, dims);
    call.set(0, graph::select(call.emitter(), graph::truthConstant({rows, columns}, isDiagonal),
                              perRow, value, call.form()));
}

/// Writes values at constant places of a tensor that is filled with a default value.
void importSparseToDense(Call& call) {
    call.requireInputs(4, 4);
    const std::vector<std::int64_t> indices = call.ints(0, "the tensor of indices");
    const Dims dims = call.shape(1);
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

constexpr Row kIndexingRows[] = {
        {36, "GATHER", kImported, "GATHER", importGather},
        {68, "SPARSE_TO_DENSE", kComposed, "CONCATENATION, GATHER", importSparseToDense},
        {85, "ONE_HOT", kComposed, "EQUAL, TILE, SELECT", importOneHot},
        {105, "REVERSE_V2", kComposed, "GATHER", importReverse},
        {107, "GATHER_ND", kComposed, "MUL, ADD, GATHER", importGatherNd},
        {112, "REVERSE_SEQUENCE", kComposed, "SLICE, GATHER, CONCATENATION", importReverseSequence},
        {113, "MATRIX_DIAG", kComposed, "TILE, SELECT", importMatrixDiag},
        {115, "MATRIX_SET_DIAG", kComposed, "PAD, TILE, SELECT", importMatrixSetDiag},
        {122, "SCATTER_ND", kComposed, "CONCATENATION, GATHER", importScatterNd},
};

}  // namespace

std::span<const Row> indexingRows() {
    return kIndexingRows;
}

}  // namespace vnpu::sim::tflite
