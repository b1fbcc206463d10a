// SPDX-License-Identifier: Apache-2.0
// Operators that look up rows of tables, hash, or draw random numbers.
#include "sim/import/graph/conversion.h"
#include "sim/import/graph/gathering.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

void importEmbeddingLookup(Call& call) {
    call.requireInputs(2, 2);
    const Value table = call.inOutputForm(1);
    if (table.rank() == 0) {
        throw Refusal("the table is a scalar");
    }
    call.set(0, graph::gather(call.emitter(), table, call.in(0), 0));
}

void importHashtableLookup(Call& call) {
    call.requireInputs(3, 3);
    Emitter& emitter = call.emitter();
    const Value table = call.inOutputForm(2);
    if (table.rank() < 2 || call.in(0).rank() != 1) {
        throw Refusal("the table has one dimension, which NNAPI does not have");
    }
    Dims dims = table.dims;
    dims[0] = call.in(0).dims[0];
    const Form hits = {nn::OperandType::TENSOR_QUANT8_ASYMM, 1.0F, 0};
    const std::vector<Value> results = emitter.emit(
            nn::OperationType::HASHTABLE_LOOKUP,
            {emitter.operand(call.in(0)), emitter.operand(call.in(1)), emitter.operand(table)},
            std::vector<Emitter::Result>{{table.form, dims}, {hits, {dims[0]}}});
    call.set(0, results[0]);
    if (call.hasOutput(1)) {
        call.set(1, results[1]);
    }
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

constexpr Row kLookupRows[] = {
        {7, "EMBEDDING_LOOKUP", kImported, "GATHER", importEmbeddingLookup},
        {10, "HASHTABLE_LOOKUP", kImported, "HASHTABLE_LOOKUP", importHashtableLookup},
        {15, "LSH_PROJECTION", kImported, "LSH_PROJECTION", importLshProjection},
        {149, "MULTINOMIAL", kImported, "RANDOM_MULTINOMIAL", importMultinomial},
};

}  // namespace

std::span<const Row> lookupRows() {
    return kLookupRows;
}

}  // namespace vnpu::sim::tflite
