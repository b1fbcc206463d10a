// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/operators/operator_table.h"

#include <array>

#include "hw_model/kernels/operators/operator_entry.h"

namespace vnpu::hw::kernels {
namespace {

using Table = std::array<const OperatorEntry*, kOperatorCount>;

Table makeTable() {
    Table table{};
    for (const auto entries : {activationOperators(),    arithmeticOperators(),
                               comparisonOperators(),    conversionOperators(),
                               randomOperators(),        selectionOperators(),
                               normalizationOperators(), reductionOperators(),
                               softmaxOperators(),       blockOperators(),
                               concatenationOperators(), lookupOperators(),
                               lshOperators(),           paddingOperators(),
                               rearrangementOperators(), resizeOperators(),
                               shapeOperators(),         sliceOperators(),
                               topKOperators(),          convolutionOperators(),
                               poolOperators(),          recurrentOperators(),
                               svdfOperators(),          quantized16BitLstmOperators(),
                               quantizedLstmOperators(), boxTransformOperators(),
                               nmsOperators(),           postprocessingOperators(),
                               proposalOperators(),      keypointOperators(),
                               regionOperators()}) {
        for (const OperatorEntry& entry : entries) {
            table[static_cast<std::size_t>(entry.op)] = &entry;
        }
    }
    return table;
}

}  // namespace

JobStatus runOperator(Operator op, OperatorCall& call) {
    static const Table table = makeTable();
    const auto code = static_cast<std::size_t>(op);
    const OperatorEntry* const entry = code < table.size() ? table[code] : nullptr;
    if (entry == nullptr) {
        return JobStatus::kBadOpcode;
    }
    VNPU_TRY(requireSignature(call, entry->signature));
    return entry->kernel(call);
}

}  // namespace vnpu::hw::kernels
