// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vnpu::sim::tflite {

class Call;

enum class Status { kImported, kComposed, kFolded, kRefused };
inline constexpr Status kImported = Status::kImported, kComposed = Status::kComposed,
                        kFolded = Status::kFolded, kRefused = Status::kRefused;

/// One builtin operator.
struct Row {
    std::int32_t code = 0;
    std::string_view name;
    Status status = Status::kRefused;
    std::string_view how;  // NNAPI operations; what is folded; why it is refused
    void (*import)(Call&) = nullptr;
};

// The rows of each family.
std::span<const Row> elementwiseRows();
std::span<const Row> movementRows();
std::span<const Row> reductionRows();
std::span<const Row> windowRows();
std::span<const Row> recurrentRows();
std::span<const Row> controlRows();
std::span<const Row> constantRows();
std::span<const Row> stablehloRows();
std::span<const Row> refusedRows();

/// Null for a code that the format does not have.
const Row* findRow(std::int32_t code);
/// All rows in the order of their codes.
std::vector<const Row*> allRows();
std::string operatorName(std::int32_t code);
std::string_view nameOf(Status status);

}  // namespace vnpu::sim::tflite
