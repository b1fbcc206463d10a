// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/hw_model/operators/recurrent_reference.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

struct RnnCell {
    RealTensor weights, recurrent, bias, state, auxiliary;

    static RnnCell random(Random& random, TensorType type, std::uint32_t batch, std::uint32_t units,
                          std::uint32_t input, std::uint32_t auxiliary) {
        const OperandKind kind{type};
        return {randomReals(random, kind, {units, input}),
                randomReals(random, kind, {units, units}, -0.6, 0.6),
                randomReals(random, kind, {units}), randomReals(random, kind, {batch, units}),
                auxiliary == 0 ? omittedTensor(kind)
                               : randomReals(random, kind, {units, auxiliary})};
    }
    void addTo(OperatorCase& call) const {
        weights.addTo(call);
        recurrent.addTo(call);
        bias.addTo(call);
        state.addTo(call);
    }
    std::uint32_t units() const { return bias.dimensions[0]; }

    // The new state of a sequence.
    std::vector<double> step(const std::vector<double>& x, const std::vector<double>& aux,
                             const std::vector<double>& last, std::int32_t activation) const {
        std::vector<double> next;
        for (std::size_t u = 0; u < units(); ++u) {
            double sum = bias[u] + rowProduct(weights, u, x) + rowProduct(recurrent, u, last);
            if (auxiliary.isThere) {
                sum += rowProduct(auxiliary, u, aux);
            }
            next.push_back(activated(activation, sum));
        }
        return next;
    }
};

struct RnnResult {
    std::vector<double> output;  // [vector][units] in the input's order of vectors
    std::vector<double> state;
};

RnnResult reference(const RnnCell& cell, const RealTensor& input, const RealTensor& auxiliary,
                    const SequenceSizes& sizes, std::int32_t activation, bool isBackward) {
    const std::size_t units = cell.units();
    RnnResult result{std::vector<double>(std::size_t{sizes.steps} * sizes.batch * units), {}};
    for (std::size_t b = 0; b < sizes.batch; ++b) {
        std::vector<double> state = slice(cell.state, b, units);
        for (std::size_t i = 0; i < sizes.steps; ++i) {
            const std::size_t t = isBackward ? sizes.steps - 1 - i : i;
            const std::size_t at = vectorAt(sizes.with(1), sizes.timeMajor, t, b);
            const std::vector<double> aux = auxiliary.isThere
                                                    ? slice(auxiliary, at, auxiliary.dimensions[2])
                                                    : std::vector<double>();
            state = cell.step(slice(input, at, input.dimensions[2]), aux, state, activation);
            for (std::size_t u = 0; u < units; ++u) {
                result.output[at * units + u] = state[u];
            }
        }
        result.state.insert(result.state.end(), state.begin(), state.end());
    }
    return result;
}

TensorType randomFloat(Random& random) {
    return random.oneIn(3) ? TensorType::kFloat16 : TensorType::kFloat32;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("RNN computes the recurrence of its definition [E-8]") {
    Random random(11);
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        const TensorType type = randomFloat(random);
        const auto batch = random.pick<std::uint32_t>(0, 4),
                   units = random.pick<std::uint32_t>(1, 40),
                   depth = random.pick<std::uint32_t>(1, 20);
        const std::int32_t activation = kActivations[random.between(0, 5)];
        const RealTensor input = randomReals(random, {type}, {batch, depth});
        const RnnCell cell = RnnCell::random(random, type, batch, units, depth, 0);
        OperatorCase call(Operator::kRnn);
        input.addTo(call);
        cell.addTo(call);
        call.int32(activation).output({type}).output({type});
        REQUIRE(call.run() == JobStatus::kOk);
        CHECK(call.dimensions(0) == Dimensions{batch, units});
        std::vector<double> expected;
        for (std::size_t b = 0; b < batch; ++b) {
            const auto next =
                    cell.step(slice(input, b, depth), {}, slice(cell.state, b, units), activation);
            expected.insert(expected.end(), next.begin(), next.end());
        }
        checkReals(call, 0, type, expected);
        checkReals(call, 1, type, expected);
    }
}

TEST_CASE("UNIDIRECTIONAL_SEQUENCE_RNN repeats RNN over the steps [E-8]") {
    Random random(12);
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        const TensorType type = randomFloat(random);
        const SequenceSizes sizes{random.pick<std::uint32_t>(0, 5),
                                  random.pick<std::uint32_t>(0, 3), random.oneIn(2)};
        const auto units = random.pick<std::uint32_t>(1, 20),
                   depth = random.pick<std::uint32_t>(1, 9);
        const std::int32_t activation = kActivations[random.between(0, 5)];
        const bool hasState = random.oneIn(2);
        const RealTensor input = randomReals(random, {type}, sizes.with(depth));
        const RnnCell cell = RnnCell::random(random, type, sizes.batch, units, depth, 0);
        OperatorCase call(Operator::kUnidirectionalSequenceRnn);
        input.addTo(call);
        cell.addTo(call);
        call.int32(activation).int32(sizes.timeMajor ? 1 : 0).output({type});
        if (hasState) {
            call.output({type});
        }
        REQUIRE(call.run() == JobStatus::kOk);
        CHECK(call.dimensions(0) == sizes.with(units));
        const RnnResult expected =
                reference(cell, input, omittedTensor({type}), sizes, activation, false);
        checkReals(call, 0, type, expected.output);
        if (hasState) {
            CHECK(call.dimensions(1) == Dimensions{sizes.batch, units});
            checkReals(call, 1, type, expected.state);
        }
    }
}

namespace {

// The vectors of two outputs, concatenated.
std::vector<double> merged(const RnnResult& a, std::size_t aUnits, const RnnResult& b,
                           std::size_t bUnits) {
    std::vector<double> both;
    for (std::size_t v = 0; v * aUnits < a.output.size(); ++v) {
        for (std::size_t u = 0; u < aUnits; ++u) {
            both.push_back(a.output[v * aUnits + u]);
        }
        for (std::size_t u = 0; u < bUnits; ++u) {
            both.push_back(b.output[v * bUnits + u]);
        }
    }
    return both;
}

void checkBidirectionalRnn(Random& random) {
    const TensorType type = randomFloat(random);
    const SequenceSizes sizes{random.pick<std::uint32_t>(0, 4), random.pick<std::uint32_t>(0, 3),
                              random.oneIn(2)};
    const auto forwardUnits = random.pick<std::uint32_t>(1, 9),
               backwardUnits = random.pick<std::uint32_t>(1, 9),
               depth = random.pick<std::uint32_t>(1, 6),
               auxDepth = random.pick<std::uint32_t>(1, 6);
    const auto linking = random.between(0, 2);  // none, parallel, cross
    const std::int32_t activation = kActivations[random.between(0, 5)];
    const bool isMerged = random.oneIn(2), hasStates = random.oneIn(2);
    const RealTensor input = randomReals(random, {type}, sizes.with(depth));
    const RealTensor aux = linking == 0 ? omittedTensor({type})
                                        : randomReals(random, {type}, sizes.with(auxDepth));
    const std::uint32_t weightedAux = linking == 2 ? auxDepth : 0;
    const RnnCell forward =
            RnnCell::random(random, type, sizes.batch, forwardUnits, depth, weightedAux);
    const RnnCell backward = RnnCell::random(random, type, sizes.batch, backwardUnits,
                                             linking == 1 ? auxDepth : depth, weightedAux);
    OperatorCase call(Operator::kBidirectionalSequenceRnn);
    input.addTo(call);
    forward.addTo(call);
    backward.addTo(call);
    aux.addTo(call);
    forward.auxiliary.addTo(call);
    backward.auxiliary.addTo(call);
    call.int32(activation).flag(sizes.timeMajor).flag(isMerged);
    for (int o = 0; o < (isMerged ? 1 : 2) + (hasStates ? 2 : 0); ++o) {
        call.output({type});
    }
    CAPTURE(linking);
    REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
    const RnnResult one = reference(forward, input, aux, sizes, activation, false);
    const RnnResult other =
            reference(backward, linking == 1 ? aux : input, aux, sizes, activation, true);
    std::size_t states = 1;
    if (isMerged) {
        CHECK(call.dimensions(0) == sizes.with(forwardUnits + backwardUnits));
        checkReals(call, 0, type, merged(one, forwardUnits, other, backwardUnits));
    } else {
        CHECK(call.dimensions(1) == sizes.with(backwardUnits));
        checkReals(call, 0, type, one.output);
        checkReals(call, 1, type, other.output);
        states = 2;
    }
    if (hasStates) {
        checkReals(call, states, type, one.state);
        checkReals(call, states + 1, type, other.state);
    }
}

}  // namespace

TEST_CASE("BIDIRECTIONAL_SEQUENCE_RNN runs two cells in opposite directions [E-8]") {
    Random random(13);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        checkBidirectionalRnn(random);
    }
}

TEST_CASE("SVDF filters features and time [E-8]") {
    Random random(14);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const TensorType type = randomFloat(random);
        const OperandKind kind{type};
        const auto batch = random.pick<std::uint32_t>(0, 3),
                   depth = random.pick<std::uint32_t>(1, 9),
                   units = random.pick<std::uint32_t>(1, 12),
                   rank = random.pick<std::uint32_t>(1, 3),
                   memory = random.pick<std::uint32_t>(1, 8), filters = units * rank;
        const std::int32_t activation = kActivations[random.between(0, 5)];
        const RealTensor input = randomReals(random, kind, {batch, depth});
        const RealTensor features = randomReals(random, kind, {filters, depth});
        const RealTensor times = randomReals(random, kind, {filters, memory});
        const RealTensor bias =
                random.oneIn(2) ? omittedTensor(kind) : randomReals(random, kind, {units});
        const RealTensor state = randomReals(random, kind, {batch, filters * memory});
        OperatorCase call(Operator::kSvdf);
        for (const RealTensor* tensor : {&input, &features, &times, &bias, &state}) {
            tensor->addTo(call);
        }
        call.int32(static_cast<std::int32_t>(rank)).int32(activation).output(kind).output(kind);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        CHECK(call.dimensions(0) == Dimensions{batch, filters * memory});
        CHECK(call.dimensions(1) == Dimensions{batch, units});
        std::vector<double> output, next;
        for (std::size_t b = 0; b < batch; ++b) {
            for (std::size_t u = 0; u < units; ++u) {
                double sum = bias.isThere ? bias[u] : 0;
                for (std::size_t f = u * rank; f < (u + 1) * rank; ++f) {
                    std::vector<double> places = slice(state, b * filters + f, memory);
                    places.back() = rowProduct(features, f, slice(input, b, depth));
                    sum += rowProduct(times, f, places);
                    places.erase(places.begin());
                    places.push_back(0);
                    next.insert(next.end(), places.begin(), places.end());
                }
                output.push_back(activated(activation, sum));
            }
        }
        checkReals(call, 0, type, next);
        checkReals(call, 1, type, output);
    }
}

TEST_CASE("recurrent layers refuse incompatible operands [E-8]") {
    // Dimensions [units, input], [units, units], [units], [batch, units], and the message when one
    // is changed.
    struct Wrong {
        Dimensions input, weights, recurrent, bias, state;
        std::int32_t activation = 0;
        const char* reason = nullptr;
    };
    for (const Wrong& wrong :
         {Wrong{{2, 3},
                {4, 2},
                {4, 4},
                {4},
                {2, 4},
                0,
                "input 1 has dimensions [4, 2], expected [4, 3]"},
          Wrong{{2, 3},
                {4, 3},
                {4, 3},
                {4},
                {2, 4},
                0,
                "input 2 has dimensions [4, 3], expected [4, 4]"},
          Wrong{{2, 3}, {4, 3}, {4, 4}, {3}, {2, 4}, 0, "input 3 has dimensions [3], expected [4]"},
          Wrong{{2, 3},
                {4, 3},
                {4, 4},
                {4},
                {1, 4},
                0,
                "input 4 has dimensions [1, 4], expected [2, 4]"},
          Wrong{{2, 3, 1}, {4, 3}, {4, 4}, {4}, {2, 4}, 0, "input 0 has rank 3, expected 2"},
          Wrong{{2, 3}, {4}, {4, 4}, {4}, {2, 4}, 0, "input 1 has rank 1, expected 2"},
          Wrong{{2, 0},
                {4, 0},
                {4, 4},
                {4},
                {2, 4},
                0,
                "0 inputs and 4 units, expected at least 1 each"},
          Wrong{{2, 3},
                {4, 3},
                {4, 4},
                {4},
                {2, 4},
                5,
                "activation is 5, expected 0, 1, 2, 3, 4 or 6"}}) {
        Random random(1);
        OperatorCase call(Operator::kRnn);
        for (const Dimensions& dimensions :
             {wrong.input, wrong.weights, wrong.recurrent, wrong.bias, wrong.state}) {
            randomReals(random, {TensorType::kFloat32}, dimensions).addTo(call);
        }
        call.int32(wrong.activation).output({TensorType::kFloat32}).output({TensorType::kFloat32});
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK(call.reason() == wrong.reason);
    }
}

TEST_CASE("SVDF refuses a rank that does not divide the filters [E-8]") {
    for (const std::int32_t rank : {0, -1, 4, INT32_MIN}) {
        Random random(1);
        OperatorCase call(Operator::kSvdf);
        for (const Dimensions& dimensions : {Dimensions{1, 2}, Dimensions{6, 2}, Dimensions{6, 3},
                                             Dimensions{3}, Dimensions{1, 18}}) {
            randomReals(random, {TensorType::kFloat32}, dimensions).addTo(call);
        }
        call.int32(rank).int32(0).output({TensorType::kFloat32}).output({TensorType::kFloat32});
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK(call.reason().find("expected a divisor of 6 filters") != std::string::npos);
    }
}

TEST_SUITE_END();
