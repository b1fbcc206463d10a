// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "tests/hw_model/operators/recurrent_reference.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

struct LstmVariant {
    TensorType type = TensorType::kFloat32;
    std::uint32_t batch = 1, input = 1, auxiliary = 0, units = 1, output = 1;
    bool hasInputGate = true, hasPeepholes = false, hasNormalization = false, hasProjection = false,
         hasProjectionBias = false;

    static LstmVariant random(Random& random) {
        LstmVariant v;
        v.batch = random.pick<std::uint32_t>(0, 3);
        v.input = random.pick<std::uint32_t>(1, 8);
        v.units = random.pick<std::uint32_t>(1, 20);
        v.type = random.oneIn(3) ? TensorType::kFloat16 : TensorType::kFloat32;
        v.randomizeParts(random);
        return v;
    }
    void randomizeParts(Random& random) {
        hasInputGate = random.oneIn(2);
        hasPeepholes = random.oneIn(2);
        // The normalized value of a single unit is always 0, so rounding decides it.
        hasNormalization = units > 1 && random.oneIn(2);
        hasProjection = random.oneIn(2);
        hasProjectionBias = hasProjection && random.oneIn(2);
        output = hasProjection ? random.pick<std::uint32_t>(1, 9) : units;
    }
};

struct Parameters {
    std::int32_t activation = 4;
    double cellClip = 0, projectionClip = 0;

    static Parameters random(Random& random, TensorType type) {
        Parameters p;
        p.activation = kActivations[random.between(0, 5)];
        p.cellClip = random.oneIn(2) ? roundedReal(type, 0.3) : 0;
        p.projectionClip = random.oneIn(2) ? roundedReal(type, 0.2) : 0;
        return p;
    }
    void addTo(OperatorCase& call, TensorType type) const {
        call.int32(activation);
        addReal(call, type, cellClip);
        addReal(call, type, projectionClip);
    }
};

double limited(double x, double limit) {
    return limit > 0 ? std::min(std::max(x, -limit), limit) : x;
}

struct LstmCell {
    LstmVariant variant;
    Gates input, recurrent, peephole, bias, normalization, auxiliary;
    RealTensor projection, projectionBias, outputState, cellState;

    LstmCell(Random& random, const LstmVariant& v) : variant(v) {
        const OperandKind kind{v.type};
        const auto make = [&](bool isThere, const Dimensions& dimensions) {
            return isThere ? randomReals(random, kind, dimensions, -0.7, 0.7) : omittedTensor(kind);
        };
        for (std::size_t g = 0; g < 4; ++g) {
            const bool isThere = g != kInput || v.hasInputGate;
            input[g] = make(isThere, {v.units, v.input});
            recurrent[g] = make(isThere, {v.units, v.output});
            bias[g] = make(isThere, {v.units});
            peephole[g] = make(isThere && v.hasPeepholes && g != kCell, {v.units});
            normalization[g] = make(isThere && v.hasNormalization, {v.units});
            auxiliary[g] = make(isThere && v.auxiliary != 0, {v.units, v.auxiliary});
        }
        projection = make(v.hasProjection, {v.output, v.units});
        projectionBias = make(v.hasProjectionBias, {v.output});
        outputState = make(true, {v.batch, v.output});
        cellState = make(true, {v.batch, v.units});
    }

    void addWeightsTo(OperatorCase& call) const {
        for (const Gates* part : {&input, &recurrent}) {
            add(call, *part);
        }
        for (const std::size_t g : {kInput, kForget, kOutput}) {
            peephole[g].addTo(call);
        }
        add(call, bias);
        projection.addTo(call);
        projectionBias.addTo(call);
    }
    void addStatesTo(OperatorCase& call) const {
        outputState.addTo(call);
        cellState.addTo(call);
    }
    static void add(OperatorCase& call, const Gates& gates) {
        for (const RealTensor& tensor : gates) {
            tensor.addTo(call);
        }
    }
    // Or omits all inputs after the others.
    void addNormalizationTo(OperatorCase& call, bool mayBeAbsent) const {
        if (variant.hasNormalization || !mayBeAbsent) {
            add(call, normalization);
        }
    }

    Vector gate(std::size_t g, const Vector& x, const Vector& aux, const Vector& output,
                const Vector& cell) const {
        Vector sums(variant.units);
        for (std::size_t u = 0; u < variant.units; ++u) {
            sums[u] = rowProduct(input[g], u, x) + rowProduct(recurrent[g], u, output);
            if (auxiliary[g].isThere) {
                sums[u] += rowProduct(auxiliary[g], u, aux);
            }
            if (peephole[g].isThere) {
                sums[u] += peephole[g][u] * cell[u];
            }
        }
        if (normalization[g].isThere) {
            normalize(sums);
        }
        for (std::size_t u = 0; u < variant.units; ++u) {
            const double weight = normalization[g].isThere ? normalization[g][u] : 1;
            sums[u] = sums[u] * weight + bias[g][u];
        }
        return sums;
    }

    static void normalize(Vector& values) {
        const auto count = static_cast<double>(values.size());
        double mean = 0, variance = 0;
        for (const double value : values) {
            mean += value / count;
        }
        for (const double value : values) {
            variance += (value - mean) * (value - mean) / count;
        }
        for (double& value : values) {
            value = (value - mean) / std::sqrt(variance + 1e-8);
        }
    }

    // One sequence, one step: the states in place.
    void step(const Vector& x, const Vector& aux, const Parameters& parameters, Vector& output,
              Vector& cell) const {
        const Vector forget = gate(kForget, x, aux, output, cell);
        const Vector modulation = gate(kCell, x, aux, output, cell);
        const Vector in = variant.hasInputGate ? gate(kInput, x, aux, output, cell) : Vector();
        for (std::size_t u = 0; u < variant.units; ++u) {
            const double f = activated(6, forget[u]);
            const double i = variant.hasInputGate ? activated(6, in[u]) : 1 - f;
            cell[u] = limited(f * cell[u] + i * activated(parameters.activation, modulation[u]),
                              parameters.cellClip);
        }
        Vector hidden = gate(kOutput, x, aux, output, cell);
        for (std::size_t u = 0; u < variant.units; ++u) {
            hidden[u] = activated(6, hidden[u]) * activated(parameters.activation, cell[u]);
        }
        if (!variant.hasProjection) {
            output = hidden;
            return;
        }
        for (std::size_t o = 0; o < variant.output; ++o) {
            const double start = variant.hasProjectionBias ? projectionBias[o] : 0;
            output[o] =
                    limited(start + rowProduct(projection, o, hidden), parameters.projectionClip);
        }
    }
};

struct LstmResult {
    Vector output, outputState, cellState;
};

LstmResult reference(const LstmCell& cell, const RealTensor& input, const RealTensor& auxiliary,
                     const SequenceSizes& sizes, const Parameters& parameters, bool isBackward) {
    const LstmVariant& v = cell.variant;
    LstmResult result{Vector(std::size_t{sizes.steps} * sizes.batch * v.output), {}, {}};
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        Vector output = slice(cell.outputState, b, v.output);
        Vector state = slice(cell.cellState, b, v.units);
        for (std::size_t i = 0; i < sizes.steps; ++i) {
            const std::size_t t = isBackward ? sizes.steps - 1 - i : i;
            const std::size_t at = vectorAt(sizes.with(1), sizes.timeMajor, t, b);
            cell.step(slice(input, at, v.input), slice(auxiliary, at, v.auxiliary), parameters,
                      output, state);
            for (std::size_t o = 0; o < v.output; ++o) {
                result.output[at * v.output + o] = output[o];
            }
        }
        result.outputState.insert(result.outputState.end(), output.begin(), output.end());
        result.cellState.insert(result.cellState.end(), state.begin(), state.end());
    }
    return result;
}

// Normalizing values that are close to each other amplifies earlier rounding errors.
constexpr double kSlack = 5;

void addOutputs(OperatorCase& call, TensorType type, int count) {
    for (int o = 0; o < count; ++o) {
        call.output({type});
    }
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("LSTM computes a step in all its variants [E-8]") {
    Random random(21);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const LstmVariant v = LstmVariant::random(random);
        const Parameters parameters = Parameters::random(random, v.type);
        const RealTensor input = randomReals(random, {v.type}, {v.batch, v.input});
        const LstmCell cell(random, v);
        OperatorCase call(Operator::kLstm);
        input.addTo(call);
        cell.addWeightsTo(call);
        cell.addStatesTo(call);
        parameters.addTo(call, v.type);
        cell.addNormalizationTo(call, random.oneIn(2));
        addOutputs(call, v.type, 4);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        const LstmResult expected = reference(cell, input, omittedTensor({v.type}),
                                              {1, v.batch, true}, parameters, false);
        CHECK(call.dimensions(0) == Dimensions{v.batch, v.units * (v.hasInputGate ? 4 : 3)});
        CHECK(call.dimensions(1) == Dimensions{v.batch, v.output});
        CHECK(call.dimensions(2) == Dimensions{v.batch, v.units});
        checkReals(call, 1, v.type, expected.outputState, kSlack);
        checkReals(call, 2, v.type, expected.cellState, kSlack);
        checkReals(call, 3, v.type, expected.output, kSlack);
    }
}

TEST_CASE("UNIDIRECTIONAL_SEQUENCE_LSTM repeats LSTM over the steps [E-8]") {
    Random random(22);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const LstmVariant v = LstmVariant::random(random);
        const SequenceSizes sizes{random.pick<std::uint32_t>(0, 4), v.batch, random.oneIn(2)};
        const Parameters parameters = Parameters::random(random, v.type);
        const bool hasStates = random.oneIn(2);
        const RealTensor input = randomReals(random, {v.type}, sizes.with(v.input));
        const LstmCell cell(random, v);
        OperatorCase call(Operator::kUnidirectionalSequenceLstm);
        input.addTo(call);
        cell.addWeightsTo(call);
        cell.addStatesTo(call);
        parameters.addTo(call, v.type);
        call.flag(sizes.timeMajor);
        cell.addNormalizationTo(call, random.oneIn(2));
        addOutputs(call, v.type, hasStates ? 3 : 1);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        const LstmResult expected =
                reference(cell, input, omittedTensor({v.type}), sizes, parameters, false);
        CHECK(call.dimensions(0) == sizes.with(v.output));
        checkReals(call, 0, v.type, expected.output, kSlack);
        if (hasStates) {
            checkReals(call, 1, v.type, expected.outputState, kSlack);
            checkReals(call, 2, v.type, expected.cellState, kSlack);
        }
    }
}

namespace {

enum class Linking { kNone, kParallel, kCross };

struct Bidirectional {
    LstmVariant forward, backward;
    SequenceSizes sizes;
    std::uint32_t auxiliary;
    Linking linking;
    bool isMerged, hasStates;

    static Bidirectional random(Random& random) {
        Bidirectional b{};
        b.forward = LstmVariant::random(random);
        b.sizes = {random.pick<std::uint32_t>(0, 4), b.forward.batch, random.oneIn(2)};
        b.auxiliary = random.pick<std::uint32_t>(1, 5);
        b.linking = static_cast<Linking>(random.between(0, 2));
        b.isMerged = random.oneIn(2);
        b.hasStates = random.oneIn(2);
        b.backward = b.forward;
        b.backward.units = random.pick<std::uint32_t>(1, 20);
        b.backward.randomizeParts(random);
        if (b.linking == Linking::kCross) {
            b.forward.auxiliary = b.backward.auxiliary = b.auxiliary;
        }
        if (b.linking == Linking::kParallel) {
            b.backward.input = b.auxiliary;
        }
        return b;
    }
    int outputs() const { return (isMerged ? 1 : 2) + (hasStates ? 4 : 0); }
};

Vector merged(const Vector& a, std::size_t aDepth, const Vector& b, std::size_t bDepth) {
    Vector both;
    for (std::size_t v = 0; v * aDepth < a.size(); ++v) {
        both.insert(both.end(), &a[v * aDepth], &a[v * aDepth] + aDepth);
        both.insert(both.end(), &b[v * bDepth], &b[v * bDepth] + bDepth);
    }
    return both;
}

void checkOutputs(const OperatorCase& call, const Bidirectional& b, const LstmResult& forward,
                  const LstmResult& backward) {
    const TensorType type = b.forward.type;
    std::size_t states = 1;
    if (b.isMerged) {
        CHECK(call.dimensions(0) == b.sizes.with(b.forward.output + b.backward.output));
        checkReals(call, 0, type,
                   merged(forward.output, b.forward.output, backward.output, b.backward.output),
                   kSlack);
    } else {
        states = 2;
        CHECK(call.dimensions(1) == b.sizes.with(b.backward.output));
        checkReals(call, 0, type, forward.output, kSlack);
        checkReals(call, 1, type, backward.output, kSlack);
    }
    if (b.hasStates) {
        checkReals(call, states, type, forward.outputState, kSlack);
        checkReals(call, states + 1, type, forward.cellState, kSlack);
        checkReals(call, states + 2, type, backward.outputState, kSlack);
        checkReals(call, states + 3, type, backward.cellState, kSlack);
    }
}

void checkBidirectionalLstm(Random& random) {
    const Bidirectional b = Bidirectional::random(random);
    const TensorType type = b.forward.type;
    const Parameters parameters = Parameters::random(random, type);
    const RealTensor input = randomReals(random, {type}, b.sizes.with(b.forward.input));
    const RealTensor aux = b.linking == Linking::kNone
                                   ? omittedTensor({type})
                                   : randomReals(random, {type}, b.sizes.with(b.auxiliary));
    const LstmCell forward(random, b.forward), backward(random, b.backward);
    OperatorCase call(Operator::kBidirectionalSequenceLstm);
    input.addTo(call);
    forward.addWeightsTo(call);
    backward.addWeightsTo(call);
    forward.addStatesTo(call);
    backward.addStatesTo(call);
    aux.addTo(call);
    LstmCell::add(call, forward.auxiliary);
    LstmCell::add(call, backward.auxiliary);
    parameters.addTo(call, type);
    call.flag(b.isMerged).flag(b.sizes.timeMajor);
    if (b.forward.hasNormalization || b.backward.hasNormalization || random.oneIn(2)) {
        LstmCell::add(call, forward.normalization);
        LstmCell::add(call, backward.normalization);
    }
    addOutputs(call, type, b.outputs());
    REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
    checkOutputs(call, b, reference(forward, input, aux, b.sizes, parameters, false),
                 reference(backward, b.linking == Linking::kParallel ? aux : input, aux, b.sizes,
                           parameters, true));
}

}  // namespace

TEST_CASE("BIDIRECTIONAL_SEQUENCE_LSTM runs two cells in opposite directions [E-8]") {
    Random random(23);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        checkBidirectionalLstm(random);
    }
}

TEST_CASE("a large LSTM gives the same bits on one thread and on workers [E-8]") {
    // 4 * 96 * (200 + 96) * 64 products a step are shared out; each sequence alone is not.
    Random random(24);
    LstmVariant v;
    v.batch = 64;
    v.input = 200;
    v.units = v.output = 96;
    const LstmCell cell(random, v);
    const RealTensor input = randomReals(random, {v.type}, {v.batch, v.input});
    const auto run = [&](std::uint32_t first, std::uint32_t count) {
        OperatorCase call(Operator::kLstm);
        const auto rows = [&](const RealTensor& tensor, std::uint32_t depth) {
            const Vector some(
                    &tensor.reals[std::size_t{first} * depth],
                    &tensor.reals[std::size_t{first} * depth] + std::size_t{count} * depth);
            tensorOf(tensor.kind, {count, depth}, some).addTo(call);
        };
        rows(input, v.input);
        cell.addWeightsTo(call);
        rows(cell.outputState, v.output);
        rows(cell.cellState, v.units);
        Parameters().addTo(call, v.type);
        addOutputs(call, v.type, 4);
        REQUIRE(call.run() == JobStatus::kOk);
        return call.values<float>(3);
    };
    const std::vector<float> all = run(0, v.batch);
    for (const std::uint32_t b : {0U, 17U, 63U}) {
        const std::vector<float> alone = run(b, 1);
        CHECK(std::equal(alone.begin(), alone.end(), &all[std::size_t{b} * v.output]));
    }
}

namespace {

// The reason for which LSTM refuses a changed cell.
template <typename Change>
std::string refusal(Change change) {
    Random random(25);
    LstmVariant v;
    v.batch = 2;
    v.input = 3;
    v.units = 4;
    v.output = 2;
    v.hasPeepholes = v.hasNormalization = v.hasProjection = v.hasProjectionBias = true;
    LstmCell cell(random, v);
    RealTensor input = randomReals(random, {v.type}, {v.batch, v.input});
    change(cell, input);
    OperatorCase call(Operator::kLstm);
    input.addTo(call);
    cell.addWeightsTo(call);
    cell.addStatesTo(call);
    Parameters().addTo(call, v.type);
    cell.addNormalizationTo(call, false);
    addOutputs(call, v.type, 4);
    return call.run() == JobStatus::kBadOperand ? call.reason() : "nothing";
}

}  // namespace

TEST_CASE("LSTM refuses incompatible operands [E-8]") {
    const RealTensor none = omittedTensor({TensorType::kFloat32});
    const RealTensor odd = tensorOf({TensorType::kFloat32}, {3, 3}, Vector(9));
    CHECK(refusal([](LstmCell&, RealTensor&) {}) == "nothing");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.input[kCell] = odd; }) ==
          "input 3 has dimensions [3, 3], expected [4, 3]");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.recurrent[kInput] = none; }) ==
          "input 5 is left out");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.input[kInput] = none; }) ==
          "input 5 is there, expected it left out with its companions");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.peephole[kForget] = none; }) ==
          "input 10 is left out");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.projection = none; }) ==
          "input 17 is there, but input 16 is left out");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) {
              cell.projection = cell.projectionBias = none;
          }) == "4 units and an output of 2 without projection, expected as many");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.outputState = odd; }) ==
          "input 18 has dimensions [3, 3], expected [2, 2]");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) { cell.normalization[kCell] = none; }) ==
          "input 25 is left out");
    CHECK(refusal([&](LstmCell&, RealTensor& input) { input = none; }) == "input 0 is left out");
    CHECK(refusal([&](LstmCell& cell, RealTensor&) {
              cell.cellState.kind.type = TensorType::kFloat16;
          }) == "input 19 is float16, expected float32");
}

TEST_SUITE_END();
