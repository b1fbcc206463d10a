// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operator_table.h"

#include <array>

namespace vnpu::hw::kernels {
namespace {

using Table = std::array<OperatorKernel, kOperatorCount>;

Table makeTable() {
    Table table{};
    for (const auto entries :
         {convolutionOperators(), poolOperators(), elementwiseOperators(), activationOperators(),
          conversionOperators(), reductionOperators(), normalizationOperators(),
          rearrangementOperators(), sliceOperators(), lookupOperators(), resizeOperators(),
          regionOperators(), randomOperators(), recurrentOperators(), lstmOperators(),
          detectionOperators()}) {
        for (const OperatorEntry& entry : entries) {
            table[static_cast<std::size_t>(entry.op)] = entry.kernel;
        }
    }
    return table;
}

}  // namespace

OperatorKernel operatorKernel(Operator op) {
    static const Table table = makeTable();
    const auto code = static_cast<std::size_t>(op);
    return code < table.size() ? table[code] : nullptr;
}

JobStatus runOperator(Operator op, OperatorCall& call) {
    const OperatorKernel kernel = operatorKernel(op);
    return kernel == nullptr ? JobStatus::kBadOpcode : kernel(call);
}

}  // namespace vnpu::hw::kernels
