// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/operators.h"

#include <algorithm>
#include <array>
#include <functional>

namespace vnpu::hw {
namespace {

enum class OperatorForm : std::uint8_t { kNone, kTiled, kWhole };

struct OperatorRow {
    std::string_view name = "?";
    OperatorForm form = OperatorForm::kNone;
    OperatorExample example{};
};

using OperatorRows = std::array<OperatorRow, kOperatorCount>;

constexpr OperatorRows kOperatorRows = [] {
    OperatorRows rows{};
#define VNPU_OPERATOR(op, code, name, form, inputs, outputs) \
    rows[code] = {name, OperatorForm::form, {inputs, outputs}};
#include "hw_model/regs/operators.def"
    return rows;
}();

static_assert(std::adjacent_find(std::begin(kOperators), std::end(kOperators),
                                 std::greater_equal<>()) == std::end(kOperators),
              "the rows of operators.def ascend by code");

const OperatorRow& operatorRow(std::size_t code) {
    static constexpr OperatorRow kUnknown;
    return code < kOperatorRows.size() ? kOperatorRows[code] : kUnknown;
}

const OperatorRow& operatorRow(Operator op) {
    return operatorRow(static_cast<std::size_t>(op));
}

}  // namespace

bool isVectorOperator(Operator op) {
    return operatorRow(op).form == OperatorForm::kTiled;
}

bool isOperator(std::uint32_t code) {
    return operatorRow(code).form != OperatorForm::kNone;
}

std::string_view operatorName(Operator op) {
    return operatorRow(op).name;
}

OperatorExample operatorExample(Operator op) {
    return operatorRow(op).example;
}

}  // namespace vnpu::hw
