// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/import/graph/report.h"

namespace vnpu::sim::tflite {

class Call;

using graph::nameOf;
using graph::Status;
inline constexpr Status kImported = Status::kImported, kComposed = Status::kComposed,
                        kFolded = Status::kFolded, kRefused = Status::kRefused;

/// How a builtin operator is imported.
struct Row {
    std::int32_t code = 0;
    std::string_view name;
    Status status = Status::kRefused;
    std::string_view how;  // NNAPI operations; what is folded; why it is refused
    void (*import)(Call&) = nullptr;
};

// The rows of each family, which are in the file of the same name in operators/.
std::span<const Row> constantRows();
std::span<const Row> controlRows();
std::span<const Row> convolutionRows();
std::span<const Row> elementwiseRows();
std::span<const Row> indexingRows();
std::span<const Row> joiningRows();
std::span<const Row> lookupRows();
std::span<const Row> lstmRows();
std::span<const Row> paddingRows();
std::span<const Row> poolingRows();
std::span<const Row> recurrentRows();
std::span<const Row> reductionRows();
std::span<const Row> refusedRows();
std::span<const Row> reshapeRows();
std::span<const Row> sliceRows();
std::span<const Row> spectrumRows();
std::span<const Row> stablehloRows();

/// Null for a code that the format does not have.
const Row* findRow(std::int32_t code);
/// All rows in the order of their codes.
std::vector<const Row*> allRows();
std::string operatorName(std::int32_t code);

}  // namespace vnpu::sim::tflite
