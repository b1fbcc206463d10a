// SPDX-License-Identifier: Apache-2.0
// Convolutions, matrix products and recurrent cells.
#include <initializer_list>

#include "hw_model/timing/operator_work.h"

namespace vnpu::hw::work {
namespace {

/// The products, and one step per element for the output stage.
OperatorWork product(std::uint64_t macs, std::uint64_t outputs) {
    OperatorWork work;
    work.macs = macs;
    work.passes[0] = {outputs, 1, 0};
    return work;
}

/// Elements of inputs [first, last), the weights that each time step of each batch uses once.
std::uint64_t elementsOf(const Operands& operands, std::size_t first, std::size_t last) {
    std::uint64_t sum = 0;
    for (std::size_t i = first; i < last; ++i) {
        sum = plus(sum, operands.elements(i));
    }
    return sum;
}

/// Time steps of all batches: the number of vectors in input 0, each as long as a row of weights
/// `i`.
std::uint64_t vectorsOf(const Operands& operands, std::size_t weights) {
    const std::uint64_t depth = operands.extent(weights, 1);
    return depth == 0 ? 0 : operands.n() / depth;
}

/// Positions of an LSTM's operands; 0 for operands that it lacks.
struct LstmOperands {
    /// Input and recurrent weights of four gates each, the input gate's first.
    std::size_t weights = 0;
    std::size_t peephole = 0;       // three vectors
    std::size_t projection = 0;     // one matrix
    std::size_t normalization = 0;  // four vectors
    std::size_t auxiliary = 0;      // four matrices
};

/// Adds one direction. Per unit: sums of the gates, state and output (8 steps), and five logistic
/// functions or hyperbolic tangents with two exponentials (E) each; for normalized gates mean,
/// deviation and scaling.
void addLstm(const Operands& operands, const LstmOperands& at, OperatorWork& work,
             std::size_t pass) {
    constexpr std::uint64_t kCellSteps = 8;
    constexpr std::uint64_t kFunctions = 5;
    constexpr std::uint64_t kNormalizationSteps = 4;
    const std::size_t forget = at.weights + 1;
    const std::uint64_t vectors = vectorsOf(operands, forget);
    std::uint64_t weights = elementsOf(operands, at.weights, at.weights + 8);
    if (at.peephole != 0) {
        weights = plus(weights, elementsOf(operands, at.peephole, at.peephole + 3));
    }
    if (at.projection != 0) {
        weights = plus(weights, operands.elements(at.projection));
    }
    if (at.auxiliary != 0) {
        weights = plus(weights, elementsOf(operands, at.auxiliary, at.auxiliary + 4));
    }
    std::uint64_t normalized = 0;
    for (std::size_t gate = 0; at.normalization != 0 && gate < 4; ++gate) {
        normalized += operands.isThere(at.normalization + gate) ? 1 : 0;
    }
    work.macs = plus(work.macs, times(vectors, weights));
    work.passes[pass] = {times(vectors, operands.extent(forget, 0)),
                         kCellSteps + kNormalizationSteps * normalized, 2 * kFunctions};
}

OperatorWork oneLstm(const Operands& operands, const LstmOperands& at) {
    OperatorWork work;
    addLstm(operands, at, work, 0);
    return work;
}

/// Adds one direction of a plain cell: a hyperbolic tangent per unit.
void addRnn(const Operands& operands, std::size_t weights, std::uint64_t auxiliary,
            OperatorWork& work, std::size_t pass) {
    const std::uint64_t vectors = vectorsOf(operands, weights);
    const std::uint64_t products = plus(elementsOf(operands, weights, weights + 2), auxiliary);
    work.macs = plus(work.macs, times(vectors, products));
    work.passes[pass] = {times(vectors, operands.extent(weights, 0)), 1, 2};
}

OperatorWork convolution(const Operands& operands) {
    const std::uint64_t products =
            times(times(operands.extent(1, 1), operands.extent(1, 2)), operands.extent(1, 3));
    return product(times(operands.m(), products), operands.m());
}

OperatorWork depthwise(const Operands& operands) {
    const std::uint64_t taps = times(operands.extent(1, 1), operands.extent(1, 2));
    return product(times(operands.m(), taps), operands.m());
}

OperatorWork transposedConvolution(const Operands& operands) {
    const std::uint64_t products =
            times(times(operands.extent(1, 0), operands.extent(1, 1)), operands.extent(1, 2));
    return product(times(operands.n(), products), operands.m());
}

OperatorWork fullyConnected(const Operands& operands) {
    return product(times(operands.m(), operands.extent(1, 1)), operands.m());
}

OperatorWork svdf(const Operands& operands) {
    return product(times(operands.n(0), elementsOf(operands, 1, 3)), operands.m());
}

OperatorWork rnn(const Operands& operands) {
    OperatorWork work;
    addRnn(operands, 1, 0, work, 0);
    return work;
}

OperatorWork bidirectionalRnn(const Operands& operands) {
    constexpr std::size_t kForward = 1, kBackward = 5, kForwardAux = 10, kBackwardAux = 11;
    OperatorWork work;
    addRnn(operands, kForward, operands.elements(kForwardAux), work, 0);
    addRnn(operands, kBackward, operands.elements(kBackwardAux), work, 1);
    return work;
}

OperatorWork lstm(const Operands& operands) {
    return oneLstm(operands, {.weights = 1, .peephole = 9, .projection = 16, .normalization = 23});
}

OperatorWork sequenceLstm(const Operands& operands) {
    return oneLstm(operands, {.weights = 1, .peephole = 9, .projection = 16, .normalization = 24});
}

OperatorWork bidirectionalLstm(const Operands& operands) {
    OperatorWork work;
    addLstm(operands,
            {.weights = 1, .peephole = 9, .projection = 16, .normalization = 53, .auxiliary = 40},
            work, 0);
    addLstm(operands,
            {.weights = 18, .peephole = 26, .projection = 33, .normalization = 57, .auxiliary = 44},
            work, 1);
    return work;
}

OperatorWork quantized16BitLstm(const Operands& operands) {
    return oneLstm(operands, {.weights = 1});
}

OperatorWork quantizedLstm(const Operands& operands) {
    return oneLstm(operands, {.weights = 1, .peephole = 9, .projection = 16, .normalization = 20});
}

constexpr std::string_view kProducts = "m*filter_h*filter_w*depth/M + m/L; depth: of one group";
constexpr std::string_view kLstmFormula =
        "steps*batches*(weights' elements)/M + steps*batches*units/L*(8 + 10E), normalized gates: "
        "4 "
        "more each; per direction";
constexpr std::string_view kRnnFormula =
        "steps*batches*(weights' elements)/M + steps*batches*units/L*(1 + 2E); per direction";

using enum Operator;

constexpr OperatorCost kProductCosts[] = {
        {kConv2d, convolution, kProducts},
        {kDepthwiseConv2d, depthwise, "m*filter_h*filter_w/M + m/L"},
        {kFullyConnected, fullyConnected, "m*depth/M + m/L"},
        {kLstm, lstm, kLstmFormula},
        {kRnn, rnn, kRnnFormula},
        {kSvdf, svdf, "batches*(both weights' elements)/M + m/L"},
        {kBidirectionalSequenceLstm, bidirectionalLstm, kLstmFormula},
        {kBidirectionalSequenceRnn, bidirectionalRnn, kRnnFormula},
        {kGroupedConv2d, convolution, kProducts},
        {kQuantized16BitLstm, quantized16BitLstm, kLstmFormula},
        {kTransposeConv2d, transposedConvolution, "n*filter_h*filter_w*channels/M + m/L"},
        {kUnidirectionalSequenceLstm, sequenceLstm, kLstmFormula},
        {kUnidirectionalSequenceRnn, rnn, kRnnFormula},
        {kQuantizedLstm, quantizedLstm, kLstmFormula},
};

}  // namespace

std::span<const OperatorCost> productCosts() {
    return kProductCosts;
}

}  // namespace vnpu::hw::work
