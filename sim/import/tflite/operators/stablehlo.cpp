// SPDX-License-Identifier: Apache-2.0
// Operators of StableHLO that newer converters leave in a file.
#include <algorithm>
#include <numeric>

#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/operators.h"
#include "sim/import/tflite/operators/elementwise.h"
#include "sim/import/tflite/schema_access.h"

namespace vnpu::sim::tflite {

namespace stablehlo {

namespace {

void importReshape(Call& call) {
    call.requireInputs(1, 1);
    const TensorView output = call.outputTensor(0);
    if (output.isOpen || elementCount(output.dimensions) != call.in(0).count()) {
        throw Refusal("the shape of the result is open");
    }
    call.set(0, graph::reshape(call.emitter(), call.in(0), output.dimensions));
}

void importClamp(Call& call) {
    call.requireInputs(3, 3);
    Emitter& emitter = call.emitter();
    const Value raised =
            graph::binary(emitter, Binary::kMaximum, call.in(1), call.in(0), call.form());
    call.set(0, graph::binary(emitter, Binary::kMinimum, raised, call.in(2), call.form()));
}

void importConcatenate(Call& call) {
    call.requireInputs(1, call.inputCount());
    const auto axis = call.options2<schema::StablehloConcatenateOptions>().dimension();
    call.set(0, graph::concatenate(call.emitter(), call.inputs(),
                                   graph::axisOf(axis, call.in(0).rank()), call.form()));
}

void importBroadcast(Call& call) {
    call.requireInputs(1, 1);
    const auto places =
            copyOf(call.options2<schema::StablehloBroadcastInDimOptions>().broadcast_dimensions());
    const TensorView output = call.outputTensor(0);
    const Value& value = call.in(0);
    Dims dims(output.dimensions.size(), 1);
    if (output.isOpen || places.size() != value.rank() ||
        !std::is_sorted(places.begin(), places.end())) {
        throw Refusal("the shape of the result is open, or dimensions change their order");
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        dims[graph::axisOf(places[i], dims.size())] = value.dims[i];
    }
    call.set(0, graph::broadcastTo(call.emitter(), graph::reshape(call.emitter(), value, dims),
                                   output.dimensions));
}

void importSlice(Call& call) {
    call.requireInputs(1, 1);
    const auto& options = call.options2<schema::StablehloSliceOptions>();
    graph::SliceSpec spec{copyOf(options.start_indices()), copyOf(options.strides()), {}};
    const auto limit = copyOf(options.limit_indices());
    const Value& value = call.in(0);
    if (spec.begin.size() != value.rank() || limit.size() != value.rank() ||
        spec.step.size() != value.rank()) {
        throw Refusal("limits do not fit the operand");
    }
    for (std::size_t i = 0; i < limit.size(); ++i) {
        if (spec.step[i] < 1 || spec.begin[i] < 0 || limit[i] < spec.begin[i] ||
            limit[i] > value.dims[i]) {
            throw Refusal(fmt::format("takes {} to {} of {} elements", spec.begin[i], limit[i],
                                      value.dims[i]));
        }
        spec.count.push_back(static_cast<std::uint32_t>(
                (limit[i] - spec.begin[i] + spec.step[i] - 1) / spec.step[i]));
        spec.begin[i] = spec.count[i] == 0 ? 0 : spec.begin[i];
        spec.step[i] = spec.count[i] <= 1 ? 1 : spec.step[i];
    }
    call.set(0, graph::slice(call.emitter(), value, spec));
}

/// The first elements must be constants.
void importDynamicSlice(Call& call) {
    call.requireInputs(1, call.inputCount());
    const auto sizes = copyOf(call.options2<schema::StablehloDynamicSliceOptions>().slice_sizes());
    const Value& value = call.in(0);
    if (sizes.size() != value.rank() || call.inputCount() != value.rank() + 1) {
        throw Refusal("sizes do not fit the operand");
    }
    graph::SliceSpec spec;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0 || sizes[i] > value.dims[i]) {
            throw Refusal(fmt::format("takes {} of {} elements", sizes[i], value.dims[i]));
        }
        spec.begin.push_back(std::clamp<std::int64_t>(call.oneInt(i + 1, "the first element"), 0,
                                                      value.dims[i] - sizes[i]));
        spec.step.push_back(1);
        spec.count.push_back(static_cast<std::uint32_t>(sizes[i]));
    }
    call.set(0, graph::slice(call.emitter(), value, spec));
}

void importPad(Call& call) {
    call.requireInputs(2, 2);
    const auto& options = call.options2<schema::StablehloPadOptions>();
    const auto before = copyOf(options.edge_padding_low());
    const auto after = copyOf(options.edge_padding_high());
    const auto inside = copyOf(options.interior_padding());
    const Value& value = call.in(0);
    const bool isPlain =
            std::all_of(inside.begin(), inside.end(), [](std::int64_t size) { return size == 0; });
    if (!isPlain || before.size() != value.rank() || after.size() != value.rank() ||
        !call.in(1).isConstant() || call.in(1).count() != 1) {
        throw Refusal("pads between elements, or with a value known only at run time");
    }
    call.set(0, graph::pad(call.emitter(), value, before, after, graph::realsOf(call.in(1))[0]));
}

void importTranspose(Call& call) {
    call.requireInputs(1, 1);
    const Value& value = call.in(0);
    std::vector<std::uint32_t> order;
    for (const std::int64_t axis :
         copyOf(call.options2<schema::StablehloTransposeOptions>().permutation())) {
        order.push_back(graph::axisOf(axis, value.rank()));
    }
    call.set(0, graph::transpose(call.emitter(), value, order));
}

void importIota(Call& call) {
    const TensorView output = call.outputTensor(0);
    const std::uint32_t axis =
            graph::axisOf(call.options2<schema::StablehloIotaOptions>().iota_dimension(),
                          output.dimensions.size());
    if (output.isOpen) {
        throw Refusal("the shape of the result is open");
    }
    Dims dims(output.dimensions.size(), 1);
    dims[axis] = output.dimensions[axis];
    graph::requireSize(graph::kInteger, dims);
    std::vector<std::int32_t> numbers(dims[axis]);
    std::iota(numbers.begin(), numbers.end(), 0);
    const Value row = graph::integerConstant(dims, numbers);
    call.set(0, graph::broadcastTo(call.emitter(), row, output.dimensions));
}

void importCompare(Call& call) {
    call.requireInputs(2, 2);
    // source: the file format's enumeration: EQ, NE, GE, GT, LE, LT
    constexpr Binary kDirections[] = {Binary::kEqual,   Binary::kNotEqual,  Binary::kGreaterEqual,
                                      Binary::kGreater, Binary::kLessEqual, Binary::kLess};
    const auto direction = static_cast<std::uint32_t>(
            call.options2<schema::StablehloCompareOptions>().comparison_direction());
    if (direction >= std::size(kDirections)) {
        throw Refusal(fmt::format("comparison is number {}", direction));
    }
    call.set(0, graph::binary(call.emitter(), kDirections[direction], call.in(0), call.in(1),
                              call.form()));
}

constexpr Row kStablehloRows[] = {
        {162, "STABLEHLO_LOGISTIC", kImported, "LOGISTIC", importUnary<Unary::kLogistic>},
        {163, "STABLEHLO_ADD", kImported, "ADD", importBinary<Binary::kAdd>},
        {164, "STABLEHLO_DIVIDE", kImported, "DIV", importBinary<Binary::kDiv>},
        {165, "STABLEHLO_MULTIPLY", kImported, "MUL", importBinary<Binary::kMul>},
        {166, "STABLEHLO_MAXIMUM", kImported, "MAXIMUM", importBinary<Binary::kMaximum>},
        {167, "STABLEHLO_RESHAPE", kImported, "RESHAPE", importReshape},
        {168, "STABLEHLO_CLAMP", kComposed, "MAXIMUM, MINIMUM", importClamp},
        {169, "STABLEHLO_CONCATENATE", kImported, "CONCATENATION", importConcatenate},
        {170, "STABLEHLO_BROADCAST_IN_DIM", kComposed, "RESHAPE, TILE", importBroadcast},
        {172, "STABLEHLO_SLICE", kImported, "SLICE or STRIDED_SLICE", importSlice},
        {175, "STABLEHLO_ABS", kImported, "ABS", importUnary<Unary::kAbs>},
        {176, "STABLEHLO_AND", kImported, "LOGICAL_AND of truths", importBinary<Binary::kAnd>},
        {177, "STABLEHLO_COSINE", kComposed, "ADD, SIN", importUnary<Unary::kCos>},
        {178, "STABLEHLO_EXPONENTIAL", kImported, "EXP", importUnary<Unary::kExp>},
        {179, "STABLEHLO_FLOOR", kImported, "FLOOR", importUnary<Unary::kFloor>},
        {180, "STABLEHLO_LOG", kImported, "LOG", importUnary<Unary::kLog>},
        {181, "STABLEHLO_MINIMUM", kImported, "MINIMUM", importBinary<Binary::kMinimum>},
        {182, "STABLEHLO_NEGATE", kImported, "NEG", importUnary<Unary::kNeg>},
        {183, "STABLEHLO_OR", kImported, "LOGICAL_OR of truths", importBinary<Binary::kOr>},
        {184, "STABLEHLO_POWER", kImported, "POW", importBinary<Binary::kPow>},
        {185, "STABLEHLO_REMAINDER", kComposed, "DIV, FLOOR, MUL, SUB",
         importBinary<Binary::kTruncatedMod>},
        {186, "STABLEHLO_RSQRT", kImported, "RSQRT", importUnary<Unary::kRsqrt>},
        {187, "STABLEHLO_SELECT", kImported, "SELECT", importSelectV2},
        {188, "STABLEHLO_SUBTRACT", kImported, "SUB", importBinary<Binary::kSub>},
        {189, "STABLEHLO_TANH", kImported, "TANH", importUnary<Unary::kTanh>},
        {191, "STABLEHLO_COMPARE", kImported, "EQUAL, LESS and the like", importCompare},
        {192, "STABLEHLO_CONVERT", kImported, "CAST", importCast},
        {193, "STABLEHLO_DYNAMIC_SLICE", kImported, "SLICE", importDynamicSlice},
        {195, "STABLEHLO_PAD", kImported, "PAD_V2", importPad},
        {196, "STABLEHLO_IOTA", kFolded, "the shape is known", importIota},
        {202, "STABLEHLO_TRANSPOSE", kImported, "TRANSPOSE", importTranspose},
        {208, "STABLEHLO_CBRT", kComposed, "LOG, MUL, EXP, SIGN", importUnary<Unary::kCbrt>},
};

}  // namespace

}  // namespace stablehlo

std::span<const Row> stablehloRows() {
    return stablehlo::kStablehloRows;
}

}  // namespace vnpu::sim::tflite
