// SPDX-License-Identifier: Apache-2.0
#include "hw_model/timing/operator_timing.h"

#include <algorithm>
#include <cstddef>

#include "hw_model/timing/operator_work.h"

namespace vnpu::hw {
namespace {

struct Row {
    Operator op;
    OperatorWork (*work)(const work::Operands& operands);
    std::string_view formula;
    std::size_t data = 0;  // the data operand
};

constexpr std::string_view kStep = "m/L";
constexpr std::string_view kTable = "m/L*(1 + E); 8 bit: m/L";
constexpr std::string_view kLongTable = "m/L*(1 + 2E); 8 bit: m/L";
constexpr std::string_view kProducts = "m*filter_h*filter_w*depth/M + m/L; depth: of one group";
constexpr std::string_view kLstmFormula =
        "steps*batches*(weights' elements)/M + steps*batches*units/L*(8 + 10E), normalised gates: "
        "4 "
        "more each; per direction";
constexpr std::string_view kRnnFormula =
        "steps*batches*(weights' elements)/M + steps*batches*units/L*(1 + 2E); per direction";

using enum Operator;

constexpr Row kRows[] = {
        {kAdd, work::perOutput, kStep},
        {kAveragePool2d, work::averagePool, "m*window/L + m/L*E"},
        {kConcatenation, work::perOutput, kStep},
        {kConv2d, work::convolution, kProducts},
        {kDepthwiseConv2d, work::depthwise, "m*filter_h*filter_w/M + m/L"},
        {kDepthToSpace, work::perOutput, kStep},
        {kDequantize, work::perOutput, kStep},
        {kEmbeddingLookup, work::embeddingLookup, "m/L + lookups*S", 1},
        {kFloor, work::perOutput, kStep},
        {kFullyConnected, work::fullyConnected, "m*depth/M + m/L"},
        {kHashtableLookup, work::hashtableLookup, "m/L + lookups*log2(keys)*S", 2},
        {kL2Normalization, work::l2Normalization, "n/L*2 + n/axis/L*2E"},
        {kL2Pool2d, work::l2Pool, "m*window/L + m/L*2E"},
        {kLocalResponseNormalization, work::localResponse, "n*(2*radius + 1)/L + n/L*(1 + 2E)"},
        {kLogistic, work::twoExponentials, kLongTable},
        {kLshProjection, work::lshProjection, "hashes*n*S", 1},
        {kLstm, work::lstm, kLstmFormula},
        {kMaxPool2d, work::maxPool, "m*window/L"},
        {kMul, work::perOutput, kStep},
        {kRelu, work::perOutput, kStep},
        {kRelu1, work::perOutput, kStep},
        {kRelu6, work::perOutput, kStep},
        {kReshape, work::perOutput, kStep},
        {kResizeBilinear, work::bilinear, "m/L*4"},
        {kRnn, work::rnn, kRnnFormula},
        {kSoftmax, work::softmax, "n/L*(3 + E) + n/axis/L*E"},
        {kSpaceToDepth, work::perOutput, kStep},
        {kSvdf, work::svdf, "batches*(both weights' elements)/M + m/L"},
        {kTanh, work::twoExponentials, kLongTable},
        {kBatchToSpaceNd, work::perOutput, kStep},
        {kDiv, work::divided, "m/L*(1 + E)"},
        {kMean, work::mean, "n/L + m/L*E"},
        {kPad, work::perOutput, kStep},
        {kSpaceToBatchNd, work::perOutput, kStep},
        {kSqueeze, work::perOutput, kStep},
        {kStridedSlice, work::perOutput, kStep},
        {kSub, work::perOutput, kStep},
        {kTranspose, work::perOutput, kStep},
        {kAbs, work::perOutput, kStep},
        {kArgmax, work::perInput, "n/L"},
        {kArgmin, work::perInput, "n/L"},
        {kAxisAlignedBboxTransform, work::boxTransform, "m/L*(4 + E)"},
        {kBidirectionalSequenceLstm, work::bidirectionalLstm, kLstmFormula},
        {kBidirectionalSequenceRnn, work::bidirectionalRnn, kRnnFormula},
        {kBoxWithNmsLimit, work::boxWithNms,
         "n/L + classes*boxes^2/L*(8 + E) + classes*boxes*log2(boxes)*S"},
        {kCast, work::perOutput, kStep},
        {kChannelShuffle, work::perOutput, kStep},
        {kDetectionPostprocessing, work::detectionPostprocessing,
         "4*batches*boxes/L*(4 + E) + n/L + lists*boxes^2/L*(8 + E) + lists*boxes*log2(boxes)*S; "
         "lists: batches, regular: batches*classes"},
        {kEqual, work::perOutput, kStep},
        {kExp, work::oneExponential, kTable},
        {kExpandDims, work::perOutput, kStep},
        {kGather, work::perOutput, kStep},
        {kGenerateProposals, work::generateProposals,
         "deltas/L*(4 + E) + batches*kept^2/L*(8 + E) + batches*boxes*log2(boxes)*S"},
        {kGreater, work::perOutput, kStep},
        {kGreaterEqual, work::perOutput, kStep},
        {kGroupedConv2d, work::convolution, kProducts},
        {kHeatmapMaxKeypoint, work::heatmapKeypoint, "n/L + keypoints/L*(40 + 2E)"},
        {kInstanceNormalization, work::instanceNormalization, "n/L*4 + batches*channels/L*2E"},
        {kLess, work::perOutput, kStep},
        {kLessEqual, work::perOutput, kStep},
        {kLog, work::oneExponential, kTable},
        {kLogicalAnd, work::perOutput, kStep},
        {kLogicalNot, work::perOutput, kStep},
        {kLogicalOr, work::perOutput, kStep},
        {kLogSoftmax, work::softmax, "n/L*(3 + E) + n/axis/L*E"},
        {kMaximum, work::perOutput, kStep},
        {kMinimum, work::perOutput, kStep},
        {kNeg, work::perOutput, kStep},
        {kNotEqual, work::perOutput, kStep},
        {kPadV2, work::perOutput, kStep},
        {kPow, work::power, "m/L*(1 + 2E)"},
        {kPrelu, work::twoSteps, "m/L*2"},
        {kQuantize, work::perOutput, kStep},
        {kQuantized16BitLstm, work::quantized16BitLstm, kLstmFormula},
        {kRandomMultinomial, work::multinomial, "n/L*(1 + E) + m*(10 + log2(classes))*S"},
        {kReduceAll, work::perInput, "n/L"},
        {kReduceAny, work::perInput, "n/L"},
        {kReduceMax, work::perInput, "n/L"},
        {kReduceMin, work::perInput, "n/L"},
        {kReduceProd, work::perInput, "n/L"},
        {kReduceSum, work::perInput, "n/L"},
        {kRoiAlign, work::roiAlign, "m*samples/L*4 + m/L*E"},
        {kRoiPooling, work::roiPooling, "regions*(a batch's elements)/L"},
        {kRsqrt, work::twoExponentials, kLongTable},
        {kSelect, work::perOutput, kStep, 1},
        {kSin, work::oneExponential, kTable},
        {kSlice, work::perOutput, kStep},
        {kSplit, work::perOutput, kStep},
        {kSqrt, work::oneExponential, kTable},
        {kTile, work::perOutput, kStep},
        {kTopkV2, work::topK, "n*log2(axis)*S"},
        {kTransposeConv2d, work::transposedConvolution, "n*filter_h*filter_w*channels/M + m/L"},
        {kUnidirectionalSequenceLstm, work::sequenceLstm, kLstmFormula},
        {kUnidirectionalSequenceRnn, work::rnn, kRnnFormula},
        {kResizeNearestNeighbor, work::perOutput, kStep},
        {kQuantizedLstm, work::quantizedLstm, kLstmFormula},
        {kElu, work::oneExponential, kTable},
        {kHardSwish, work::hardSwish, "m/L*3; 8 bit: m/L"},
        {kFill, work::perOutput, kStep},
        {kRank, work::nothing, "0"},
};

static_assert(std::is_sorted(std::begin(kRows), std::end(kRows),
                             [](const Row& a, const Row& b) { return a.op < b.op; }),
              "findRow() halves the table");

const Row* findRow(Operator op) {
    const Row* row =
            std::lower_bound(std::begin(kRows), std::end(kRows), op,
                             [](const Row& entry, Operator wanted) { return entry.op < wanted; });
    return row != std::end(kRows) && row->op == op ? row : nullptr;
}

std::uint64_t lanesOf(std::uint32_t lanes8, std::uint32_t lanes32, TensorType type) {
    switch (elementBytes(type)) {
        case 1:
            return lanes8;
        case 2:
            return std::max(1U, lanes8 / 2);
        default:
            return lanes32;
    }
}

std::uint64_t productsOf(const DspConfig& config, TensorType type) {
    return isFloat(type) ? config.macsFloat : std::max(1U, config.macs8 / elementBytes(type));
}

std::uint64_t passCycles(const OperatorWork& work, std::uint64_t lanes,
                         std::uint64_t exponentialCycles) {
    std::uint64_t cycles = 0;
    for (const LanePass& pass : work.passes) {
        const std::uint64_t each = pass.steps + pass.exponentials * exponentialCycles;
        cycles = work::plus(cycles, work::times(divideUp(pass.elements, lanes), each));
    }
    return cycles;
}

OperandShape shapeOf(const VecOperand& operand) {
    OperandShape shape;
    shape.type = operand.type;
    shape.isOmitted = (operand.flags & kOperandOmitted) != 0;
    const bool isImmediate = (operand.flags & kOperandImmediate) != 0;
    if (isImmediate && operand.rank == 1) {
        shape.dimensions.append(operand.count);
    } else if (!isImmediate) {
        for (std::size_t d = 0; d < operand.rank && d < std::size(operand.words); ++d) {
            shape.dimensions.append(operand.words[d]);
        }
    }
    shape.isValueKnown = isImmediate && operand.rank == 0 && !isFloat(operand.type);
    shape.value = shape.isValueKnown ? static_cast<std::int32_t>(operand.words[0]) : 0;
    return shape;
}

}  // namespace

bool isFloat(TensorType type) {
    return type == TensorType::kFloat32 || type == TensorType::kFloat16 ||
           type == TensorType::kFloat32Scalar || type == TensorType::kFloat16Scalar;
}

OperatorWork operatorWork(Operator op, std::span<const OperandShape> inputs,
                          std::span<const OperandShape> outputs) {
    const Row* row = findRow(op);
    if (row == nullptr) {
        return {};
    }
    const work::Operands operands(inputs, outputs, row->data);
    OperatorWork work = row->work(operands);
    work.type = operands.type(row->data);
    if (work.macs == 0 && elementBytes(operands.outputType()) > elementBytes(work.type)) {
        work.type = operands.outputType();
    }
    return work;
}

std::uint64_t dspCycles(const DspConfig& config, const OperatorWork& work) {
    std::uint64_t cycles =
            work::plus(config.startupCycles,
                       passCycles(work, lanesOf(config.lanes8, config.lanes32, work.type),
                                  config.exponentialCycles));
    cycles = work::plus(cycles, divideUp(work.macs, productsOf(config, work.type)));
    return work::plus(cycles, work::times(work.serialSteps, config.scalarCycles));
}

std::uint64_t vectorCycles(const VectorConfig& config, const OperatorWork& work) {
    const std::uint64_t lanes = lanesOf(config.lanes8, config.lanes32, work.type);
    std::uint64_t cycles =
            work::plus(config.startupCycles, passCycles(work, lanes, config.exponentialCycles));
    cycles = work::plus(cycles, divideUp(work.macs, lanes));
    return work::plus(cycles, work.serialSteps);
}

OperatorWork vectorWork(const VecOperator& command) {
    std::array<OperandShape, kMaxVecOperands> shapes;
    const std::size_t inputs = std::min<std::size_t>(command.inputCount, kMaxVecOperands);
    const std::size_t outputs =
            std::min<std::size_t>(command.outputCount, kMaxVecOperands - inputs);
    for (std::size_t i = 0; i < inputs + outputs; ++i) {
        shapes[i] = shapeOf(command.operands[i]);
    }
    const std::span<const OperandShape> all(shapes);
    return operatorWork(command.op, all.first(inputs), all.subspan(inputs, outputs));
}

std::uint64_t vectorCycles(const VectorConfig& config, const VecOperator& command) {
    return vectorCycles(config, vectorWork(command));
}

std::string_view operatorCostFormula(Operator op) {
    const Row* row = findRow(op);
    return row == nullptr ? "?" : row->formula;
}

}  // namespace vnpu::hw
