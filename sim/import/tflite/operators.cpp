// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vnpu::sim::tflite {

namespace {

constexpr std::array kFamilies = {
        constantRows, controlRows, convolutionRows, elementwiseRows, indexingRows,  joiningRows,
        lookupRows,   lstmRows,    paddingRows,     poolingRows,     recurrentRows, reductionRows,
        refusedRows,  reshapeRows, sliceRows,       spectrumRows,    stablehloRows};

}  // namespace

const Row* findRow(std::int32_t code) {
    for (const auto family : kFamilies) {
        for (const Row& row : family()) {
            if (row.code == code) {
                return &row;
            }
        }
    }
    return nullptr;
}

std::vector<const Row*> allRows() {
    std::vector<const Row*> rows;
    for (const auto family : kFamilies) {
        for (const Row& row : family()) {
            rows.push_back(&row);
        }
    }
    std::sort(rows.begin(), rows.end(),
              [](const Row* a, const Row* b) { return a->code < b->code; });
    return rows;
}

std::string operatorName(std::int32_t code) {
    const Row* row = findRow(code);
    return row == nullptr ? fmt::format("operator code {}", code) : std::string(row->name);
}

}  // namespace vnpu::sim::tflite
