// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/recurrent/packed_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/kernels/operators/real_values.h"
#include "hw_model/kernels/support/parallel_tasks.h"

namespace vnpu::hw::kernels {
namespace {

constexpr std::uint64_t panelCount(std::uint64_t rows) {
    return (rows + kPanelColumns - 1) / kPanelColumns;
}

constexpr std::size_t kTaskPanels = 8;  // chosen: enough tasks for a few threads

}  // namespace

PackedWeights::PackedWeights(std::span<const float* const> matrices, std::size_t rowsEach,
                             std::size_t columns)
    : rows_(matrices.size() * rowsEach), columns_(columns) {
    if (isEmpty()) {
        return;
    }
    const auto panels = static_cast<std::size_t>(panelCount(rows_));
    panels_.resize(panels * kPanelColumns * columns_);
    forEachTask(panels, panels_.size(),
                [&](std::size_t panel) { packPanel(matrices, rowsEach, panel); });
}

PackedWeights::PackedWeights(const OperatorCall& call, std::size_t i, std::size_t rows,
                             std::size_t columns) {
    const RealValues values(call, i);
    const float* const matrix = values.data();
    *this = PackedWeights({&matrix, 1}, rows, columns);
}

JobStatus requirePackable(OperatorCall& call, std::uint64_t rows, std::uint64_t columns) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // chosen: beyond any real layer
    const std::uint64_t size = panelCount(rows) * kPanelColumns * columns * sizeof(float);
    return size <= kMost
                   ? JobStatus::kOk
                   : call.refuse(fmt::format("weights [{}, {}] take {} bytes, expected at most {}",
                                             rows, columns, size, kMost));
}

void PackedWeights::packPanel(std::span<const float* const> matrices, std::size_t rowsEach,
                              std::size_t panel) {
    // The rows of a panel may belong to several matrices, and some rows may be missing.
    std::vector<float> rows(kPanelColumns * columns_);
    const std::size_t first = panel * kPanelColumns;
    for (std::size_t r = first; r < std::min(first + kPanelColumns, rows_); ++r) {
        std::memcpy(&rows[(r - first) * columns_], matrices[r / rowsEach] + r % rowsEach * columns_,
                    columns_ * sizeof(float));
    }
    macBackend().packPanel(std::as_bytes(std::span(rows)).data(), columns_ * sizeof(float),
                           columns_, &panels_[first * columns_]);
}

void PackedWeights::accumulate(VectorRows vectors, std::size_t count, float* sums) const {
    if (isEmpty() || count == 0) {
        return;
    }
    constexpr std::size_t kTaskRows = kTaskPanels * kPanelColumns;
    const std::size_t tasks = (rows_ + kTaskRows - 1) / kTaskRows;
    const std::uint64_t operations = std::uint64_t{rows_} * columns_ * count;
    forEachTask(tasks, operations, [&](std::size_t task) {
        const std::size_t row = task * kTaskRows;
        macBackend().gemmFloat({.left = reinterpret_cast<const std::byte*>(vectors.data),
                                .leftStride = vectors.stride * sizeof(float),
                                .panels = &panels_[row * columns_],
                                .panelStride = kPanelColumns * columns_,
                                .words = columns_,
                                .accumulators = reinterpret_cast<std::byte*>(sums + row),
                                .accumulatorStride = rows_,
                                .rows = count,
                                .columns = std::min(kTaskRows, rows_ - row),
                                .accumulate = true});
    });
}

}  // namespace vnpu::hw::kernels
