// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element.
#include "sim/import/tflite/operators/elementwise.h"

#include <algorithm>
#include <cmath>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

/// With a fused activation in its options.
template <Binary kOp, typename Options>
void importActivated(Call& call) {
    call.requireInputs(2, 2);
    const Clamp clamp = clampOf(call.option(&Options::fused_activation));
    call.set(0, graph::binary(call.emitter(), kOp, call.in(0), call.in(1), call.form(), clamp));
}

void importAddN(Call& call) {
    call.requireInputs(1, call.inputCount());
    Value sum = call.in(0);
    for (std::size_t i = 1; i < call.inputCount(); ++i) {
        sum = graph::binary(call.emitter(), Binary::kAdd, sum, call.in(i), call.form());
    }
    call.set(0, sum);
}

void importGelu(Call& call) {
    call.requireInputs(1, 1);
    const bool isApproximate = call.option(&schema::GeluOptions::approximate);
    call.set(0, graph::unary(call.emitter(), isApproximate ? Unary::kGeluTanh : Unary::kGelu,
                             call.in(0), call.form()));
}

/// As PRELU with one factor.
void importLeakyRelu(Call& call) {
    call.requireInputs(1, 1);
    const float alpha = call.option(&schema::LeakyReluOptions::alpha);
    const Value real = graph::toReal(call.emitter(), call.in(0));
    Value result =
            graph::prelu(call.emitter(), real, graph::realConstant({1}, {alpha}), graph::kReal);
    result.dims = call.in(0).dims;
    call.set(0, result);
}

void importPrelu(Call& call) {
    call.requireInputs(2, 2);
    call.set(0, graph::prelu(call.emitter(), call.in(0), call.in(1), call.form()));
}

/// The first version's condition may be a vector that chooses whole rows.
void importSelect(Call& call) {
    call.requireInputs(3, 3);
    Value condition = call.in(0);
    if (condition.rank() == 1 && call.in(1).rank() > 1 && condition.dims[0] == call.in(1).dims[0]) {
        Dims rows(call.in(1).rank(), 1);
        rows[0] = condition.dims[0];
        condition = graph::reshape(call.emitter(), condition, rows);
    }
    call.set(0, graph::select(call.emitter(), condition, call.in(1), call.in(2), call.form()));
}

/// QUANTIZE and DEQUANTIZE: the same values in another form.
void importConversion(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, graph::convert(call.emitter(), call.in(0), call.form()));
}

void importFakeQuant(Call& call) {
    call.requireInputs(1, 1);
    const auto& options = call.options<schema::FakeQuantOptions>();
    const int bits = options.num_bits();
    const double least = options.min(), most = options.max();
    if (bits < 2 || bits > 16 || !(least < most) || least > 0.0 || most < 0.0) {
        throw Refusal(fmt::format("quantizes {} to {} in {} bits", least, most, bits));
    }
    // The range is shifted so that one of its steps is 0.
    const double lowest = options.narrow_range() ? 1.0 : 0.0;
    const double highest = std::exp2(bits) - 1.0;
    const double scale = (most - least) / (highest - lowest);
    const double zero = std::clamp(std::round(lowest - least / scale), lowest, highest);
    const double first = (lowest - zero) * scale, last = (highest - zero) * scale;
    Emitter& emitter = call.emitter();
    const auto apply = [&](Binary op, const Value& value, double number) {
        return graph::binary(emitter, op, value, graph::filled(graph::kReal, {1}, number),
                             graph::kReal);
    };
    Value value = graph::clipTo(emitter, call.in(0), first, last, graph::kReal);
    value = apply(Binary::kMul, apply(Binary::kSub, value, first), 1.0 / scale);
    value = graph::unary(emitter, Unary::kFloor, apply(Binary::kAdd, value, 0.5), graph::kReal);
    value = apply(Binary::kAdd, apply(Binary::kMul, value, scale), first);
    value.dims = call.in(0).dims;
    call.set(0, value);
}

/// Counts the boundaries that are not above the value.
void importBucketize(Call& call) {
    call.requireInputs(1, 1);
    const auto* boundaries = call.options<schema::BucketizeOptions>().boundaries();
    Emitter& emitter = call.emitter();
    Value count = graph::filled(graph::kInteger, call.in(0).dims, 0.0);
    const Value value = graph::toReal(emitter, call.in(0));
    for (std::size_t i = 0; boundaries != nullptr && i < boundaries->size(); ++i) {
        const float boundary = boundaries->Get(static_cast<flatbuffers::uoffset_t>(i));
        const Value isReached = graph::binary(emitter, Binary::kGreaterEqual, value,
                                              graph::realConstant({}, {boundary}), graph::kTruth);
        count = graph::binary(emitter, Binary::kAdd, count,
                              graph::cast(emitter, isReached, graph::kInteger), graph::kInteger);
    }
    call.set(0, count);
}

/// Constants only: NNAPI has no operation on bits.
void importRightShift(Call& call) {
    call.requireInputs(2, 2);
    if (!call.in(0).isConstant() || !call.in(1).isConstant()) {
        throw Refusal("shifts bits of values known only at run time, which NNAPI does not have");
    }
    const Value powers =
            graph::binary(call.emitter(), Binary::kPow, graph::filled(graph::kReal, {}, 2.0),
                          call.in(1), graph::kReal);
    call.set(0, graph::binary(call.emitter(), Binary::kFloorDiv, call.in(0), powers, call.form()));
}

constexpr Row kElementwiseRows[] = {
        {0, "ADD", kImported, "ADD", importActivated<Binary::kAdd, schema::AddOptions>},
        {6, "DEQUANTIZE", kImported, "DEQUANTIZE", importConversion},
        {8, "FLOOR", kImported, "FLOOR", importUnary<Unary::kFloor>},
        {14, "LOGISTIC", kImported, "LOGISTIC", importUnary<Unary::kLogistic>},
        {18, "MUL", kImported, "MUL", importActivated<Binary::kMul, schema::MulOptions>},
        {19, "RELU", kImported, "RELU", importUnary<Unary::kRelu>},
        {20, "RELU_N1_TO_1", kImported, "RELU1", importUnary<Unary::kRelu1>},
        {21, "RELU6", kImported, "RELU6", importUnary<Unary::kRelu6>},
        {28, "TANH", kImported, "TANH", importUnary<Unary::kTanh>},
        {41, "SUB", kImported, "SUB", importActivated<Binary::kSub, schema::SubOptions>},
        {42, "DIV", kImported, "DIV", importActivated<Binary::kDiv, schema::DivOptions>},
        {47, "EXP", kImported, "EXP", importUnary<Unary::kExp>},
        {53, "CAST", kImported, "CAST", importCast},
        {54, "PRELU", kImported, "PRELU", importPrelu},
        {55, "MAXIMUM", kImported, "MAXIMUM", importBinary<Binary::kMaximum>},
        {57, "MINIMUM", kImported, "MINIMUM", importBinary<Binary::kMinimum>},
        {58, "LESS", kImported, "LESS", importBinary<Binary::kLess>},
        {59, "NEG", kImported, "NEG", importUnary<Unary::kNeg>},
        {61, "GREATER", kImported, "GREATER", importBinary<Binary::kGreater>},
        {62, "GREATER_EQUAL", kImported, "GREATER_EQUAL", importBinary<Binary::kGreaterEqual>},
        {63, "LESS_EQUAL", kImported, "LESS_EQUAL", importBinary<Binary::kLessEqual>},
        {64, "SELECT", kImported, "SELECT", importSelect},
        {66, "SIN", kImported, "SIN", importUnary<Unary::kSin>},
        {71, "EQUAL", kImported, "EQUAL", importBinary<Binary::kEqual>},
        {72, "NOT_EQUAL", kImported, "NOT_EQUAL", importBinary<Binary::kNotEqual>},
        {73, "LOG", kImported, "LOG", importUnary<Unary::kLog>},
        {75, "SQRT", kImported, "SQRT", importUnary<Unary::kSqrt>},
        {76, "RSQRT", kImported, "RSQRT", importUnary<Unary::kRsqrt>},
        {78, "POW", kImported, "POW", importBinary<Binary::kPow>},
        {80, "FAKE_QUANT", kComposed, "MAXIMUM, MINIMUM, SUB, MUL, FLOOR", importFakeQuant},
        {84, "LOGICAL_OR", kImported, "LOGICAL_OR", importBinary<Binary::kOr>},
        {86, "LOGICAL_AND", kImported, "LOGICAL_AND", importBinary<Binary::kAnd>},
        {87, "LOGICAL_NOT", kImported, "LOGICAL_NOT", importUnary<Unary::kNot>},
        {90, "FLOOR_DIV", kComposed, "DIV, FLOOR", importBinary<Binary::kFloorDiv>},
        {92, "SQUARE", kComposed, "MUL", importUnary<Unary::kSquare>},
        {95, "FLOOR_MOD", kComposed, "DIV, FLOOR, MUL, SUB", importBinary<Binary::kFloorMod>},
        {98, "LEAKY_RELU", kComposed, "PRELU", importLeakyRelu},
        {99, "SQUARED_DIFFERENCE", kComposed, "SUB, MUL", importBinary<Binary::kSquaredDifference>},
        {101, "ABS", kImported, "ABS", importUnary<Unary::kAbs>},
        {104, "CEIL", kComposed, "NEG, FLOOR, NEG", importUnary<Unary::kCeil>},
        {106, "ADD_N", kComposed, "ADD", importAddN},
        {108, "COS", kComposed, "ADD, SIN", importUnary<Unary::kCos>},
        {111, "ELU", kImported, "ELU", importUnary<Unary::kElu>},
        {114, "QUANTIZE", kImported, "QUANTIZE", importConversion},
        {116, "ROUND", kComposed, "FLOOR, EQUAL, GREATER, MAXIMUM, ADD",
         importUnary<Unary::kRound>},
        {117, "HARD_SWISH", kImported, "HARD_SWISH", importUnary<Unary::kHardSwish>},
        {123, "SELECT_V2", kComposed, "TILE, SELECT", importSelectV2},
        {147, "BUCKETIZE", kComposed, "GREATER_EQUAL, SELECT, ADD", importBucketize},
        {150, "GELU", kComposed, "MUL, EXP, DIV or TANH", importGelu},
        {152, "RELU_0_TO_1", kComposed, "MAXIMUM, MINIMUM", importUnary<Unary::kRelu01>},
        {156, "ATAN2", kComposed, "DIV, MUL, ADD, comparisons", importBinary<Binary::kAtan2>},
        {158, "SIGN", kComposed, "GREATER, LESS, SELECT, SUB", importUnary<Unary::kSign>},
        {160, "BITWISE_XOR", kComposed, "NOT_EQUAL of truths", importBinary<Binary::kXor>},
        {161, "RIGHT_SHIFT", kFolded, "of constants", importRightShift},
};

}  // namespace

std::span<const Row> elementwiseRows() {
    return kElementwiseRows;
}

}  // namespace vnpu::sim::tflite
