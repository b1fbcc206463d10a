// SPDX-License-Identifier: Apache-2.0
// Operators that pad a tensor, and those that move blocks of it to the batch and back.
#include <algorithm>

#include "sim/import/graph/gathering.h"
#include "sim/import/graph/image.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

struct Paddings {
    std::vector<std::int64_t> before, after;
};

/// Paddings before and after each dimension, from a table with two columns.
Paddings paddingsOf(Call& call, std::size_t input, std::size_t rows) {
    const std::vector<std::int64_t> table = call.ints(input, "the table of paddings");
    if (table.size() != 2 * rows) {
        throw Refusal(fmt::format("has {} paddings, expected {}", table.size(), 2 * rows));
    }
    Paddings paddings;
    for (std::size_t i = 0; i < table.size(); i += 2) {
        if (table[i] < 0 || table[i + 1] < 0) {
            throw Refusal(fmt::format("paddings of dimension {} are {} and {}, expected 0 or more",
                                      i / 2, table[i], table[i + 1]));
        }
        paddings.before.push_back(table[i]);
        paddings.after.push_back(table[i + 1]);
    }
    return paddings;
}

void importPad(Call& call) {
    call.requireInputs(2, 2);
    const Value value = call.inOutputForm();
    const Paddings paddings = paddingsOf(call, 1, value.rank());
    call.set(0, graph::pad(call.emitter(), value, paddings.before, paddings.after, 0.0));
}

void importPadV2(Call& call) {
    call.requireInputs(3, 3);
    const Value value = call.inOutputForm();
    const Paddings paddings = paddingsOf(call, 1, value.rank());
    if (!call.in(2).isConstant() || call.in(2).count() != 1) {
        throw Refusal("the value of the padding is known only at run time");
    }
    call.set(0, graph::pad(call.emitter(), value, paddings.before, paddings.after,
                           graph::realsOf(call.in(2))[0]));
}

void importMirrorPad(Call& call) {
    call.requireInputs(2, 2);
    const Value value = call.inOutputForm();
    const Paddings paddings = paddingsOf(call, 1, value.rank());
    const bool withBorder =
            call.option(&schema::MirrorPadOptions::mode) == schema::MirrorPadMode::SYMMETRIC;
    call.set(0,
             graph::mirrorPad(call.emitter(), value, paddings.before, paddings.after, withBorder));
}

template <bool kToBatch>
void importBatches(Call& call) {
    call.requireInputs(3, 3);
    const std::vector<std::int64_t> blocks = call.ints(1, "the tensor of block sizes");
    const Paddings paddings = paddingsOf(call, 2, blocks.size());
    const Value value = call.inOutputForm();
    call.set(0, (kToBatch ? graph::spaceToBatch : graph::batchToSpace)(
                        call.emitter(), value, blocks, paddings.before, paddings.after));
}

/// Fills the space between the elements: each element is padded on its own.
void importDilate(Call& call) {
    call.requireInputs(3, 3);
    const std::vector<std::int64_t> factors = call.ints(1, "the tensor of dilations");
    Value value = call.inOutputForm();
    if (factors.size() != value.rank() || !call.in(2).isConstant() || call.in(2).count() != 1) {
        throw Refusal("dilations do not fit the operand");
    }
    const double fill = graph::realsOf(call.in(2))[0];
    for (std::uint32_t i = 0; i < value.rank(); ++i) {
        if (factors[i] < 1 || factors[i] > INT16_MAX) {
            throw Refusal(fmt::format("a dilation is {}", factors[i]));
        }
        if (factors[i] == 1 || value.dims[i] == 0) {
            continue;
        }
        const Dims dims = value.dims;
        const Dims parts = graph::aroundAxis(dims, i);
        const Dims around = {parts[0], parts[1], 1, parts[2]};
        const std::int64_t before[] = {0, 0, 0, 0}, after[] = {0, 0, factors[i] - 1, 0};
        value = graph::pad(call.emitter(), graph::reshape(call.emitter(), value, around), before,
                           after, fill);
        Dims wide = dims;
        wide[i] = dims[i] * static_cast<std::uint32_t>(factors[i]);
        value = graph::reshape(call.emitter(), value, wide);
        value = graph::sliceAxis(call.emitter(), value, i, 0,
                                 wide[i] - static_cast<std::uint32_t>(factors[i]) + 1);
    }
    call.set(0, value);
}

constexpr Row kPaddingRows[] = {
        {34, "PAD", kImported, "PAD", importPad},
        {37, "BATCH_TO_SPACE_ND", kImported, "BATCH_TO_SPACE_ND, SLICE", importBatches<false>},
        {38, "SPACE_TO_BATCH_ND", kImported, "SPACE_TO_BATCH_ND", importBatches<true>},
        {60, "PADV2", kImported, "PAD_V2", importPadV2},
        {100, "MIRROR_PAD", kComposed, "GATHER", importMirrorPad},
        {203, "DILATE", kComposed, "RESHAPE, PAD, SLICE", importDilate},
};

}  // namespace

std::span<const Row> paddingRows() {
    return kPaddingRows;
}

}  // namespace vnpu::sim::tflite
