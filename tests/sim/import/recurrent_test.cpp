// SPDX-License-Identifier: Apache-2.0
// Layers with a state, against loops over their steps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::FusedActivation;
using schema::TensorType;
using Builder = flatbuffers::FlatBufferBuilder;

constexpr std::size_t kBatch = 2, kSteps = 3, kInput = 2, kUnits = 3;

double sigmoid(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

/// weights (rows x width) times a row.
Reals times(const Reals& weights, const double* row, std::size_t width) {
    Reals result(weights.size() / width, 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        result[i / width] += weights[i] * row[i % width];
    }
    return result;
}

/// The weights of one LSTM cell; gates in the order input, forget, cell, output.
struct Cell {
    Reals input[4], recurrent[4], bias[4];

    explicit Cell(std::uint64_t seed) {
        for (std::size_t gate = 0; gate < 4; ++gate) {
            input[gate] = noise(kUnits * kInput, seed + gate);
            recurrent[gate] = noise(kUnits * kUnits, seed + 10 + gate);
            bias[gate] = scaled(noise(kUnits, seed + 20 + gate), 0.5);
        }
    }

    void step(const double* x, Reals& output, Reals& state) const {
        Reals sums[4];
        for (std::size_t gate = 0; gate < 4; ++gate) {
            sums[gate] = times(input[gate], x, kInput);
            const Reals back = times(recurrent[gate], output.data(), kUnits);
            for (std::size_t i = 0; i < kUnits; ++i) {
                sums[gate][i] += back[i] + bias[gate][i];
            }
        }
        for (std::size_t i = 0; i < kUnits; ++i) {
            state[i] = sigmoid(sums[1][i]) * state[i] + sigmoid(sums[0][i]) * std::tanh(sums[2][i]);
            output[i] = sigmoid(sums[3][i]) * std::tanh(state[i]);
        }
    }

    /// Inputs 1 to 17 of the file's operator.
    void addTo(std::vector<CaseTensor>& inputs, std::vector<bool>& isConstant,
               std::vector<bool>& isLeftOut) const {
        const auto add = [&](CaseTensor tensor, bool leaveOut) {
            inputs.push_back(std::move(tensor));
            isConstant.push_back(true);
            isLeftOut.push_back(leaveOut);
        };
        for (const Reals& weights : input) {
            add(real({kUnits, kInput}, weights), false);
        }
        for (const Reals& weights : recurrent) {
            add(real({kUnits, kUnits}, weights), false);
        }
        for (int i = 0; i < 3; ++i) {
            add(real({kUnits}, Reals(kUnits)), true);
        }
        for (const Reals& offset : bias) {
            add(real({kUnits}, offset), false);
        }
        add(real({kUnits, kUnits}, Reals(kUnits * kUnits)), true);
        add(real({kUnits}, Reals(kUnits)), true);
    }
};

/// Batch x steps x units.
Reals sequence(const Cell& cell, const Reals& x, bool isBackward, int runs = 1) {
    Reals result(kBatch * kSteps * kUnits);
    for (std::size_t b = 0; b < kBatch; ++b) {
        Reals output(kUnits, 0.0), state(kUnits, 0.0);
        for (std::size_t k = 0; k < kSteps * static_cast<std::size_t>(runs); ++k) {
            const std::size_t t = isBackward ? kSteps - 1 - k % kSteps : k % kSteps;
            cell.step(&x[(b * kSteps + t) * kInput], output, state);
            std::copy(output.begin(), output.end(),
                      result.begin() + static_cast<std::ptrdiff_t>((b * kSteps + t) * kUnits));
        }
    }
    return result;
}

/// Leaves inputs out and makes the states variables.
void finishInputs(Case& test, const std::vector<bool>& isLeftOut,
                  const std::vector<std::size_t>& states) {
    TestOperator& op = test.file.operators[0];
    for (const std::size_t state : states) {
        TestTensor& tensor = test.file.tensors[static_cast<std::size_t>(op.inputs[state])];
        tensor.isVariable = true;
        tensor.data.clear();
    }
    for (std::size_t i = 0; i < isLeftOut.size(); ++i) {
        if (isLeftOut[i]) {
            op.inputs[i] = -1;
        }
    }
}

constexpr auto kI = [](std::size_t value) { return static_cast<std::int32_t>(value); };

Case lstmCase(int runs, bool isHybrid) {
    const Cell cell(1);
    const Reals x = noise(kBatch * kSteps * kInput, 77);
    std::vector<CaseTensor> inputs = {real({kI(kBatch), kI(kSteps), kI(kInput)}, x)};
    std::vector<bool> isConstant = {false}, isLeftOut = {false};
    cell.addTo(inputs, isConstant, isLeftOut);
    Cell used = cell;
    if (isHybrid) {
        for (std::size_t i = 1; i <= 8; ++i) {
            CaseTensor coarse = signed8(inputs[i].tensor.shape, 1.0F / 127, 0, inputs[i].values);
            (i <= 4 ? used.input[i - 1] : used.recurrent[i - 5]) = rounded(coarse);
            inputs[i] = coarse;
        }
    }
    for (int i = 0; i < 2; ++i) {
        inputs.push_back(real({kI(kBatch), kI(kUnits)}));
        isConstant.push_back(true);
        isLeftOut.push_back(false);
    }
    Case test = caseOf({.name = "UNIDIRECTIONAL_SEQUENCE_LSTM",
                        .code = 44,
                        .inputs = inputs,
                        .isConstant = isConstant,
                        .outputs = {real({kI(kBatch), kI(kSteps), kI(kUnits)},
                                         sequence(used, x, false, runs))},
                        .optionsType = BuiltinOptions::UnidirectionalSequenceLstmOptions,
                        .options =
                                [](Builder& builder) {
                                    return schema::CreateUnidirectionalSequenceLstmOptions(
                                                   builder, FusedActivation::TANH)
                                            .Union();
                                },
                        .tolerance = 3e-6});
    test.runs = runs;
    finishInputs(test, isLeftOut, {18, 19});
    return test;
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/recurrent");

TEST_CASE("UNIDIRECTIONAL_SEQUENCE_LSTM keeps its state over inferences; hybrid weights too") {
    runCases({lstmCase(1, false), lstmCase(2, false), lstmCase(1, true)});
}

TEST_CASE("BIDIRECTIONAL_SEQUENCE_LSTM runs both ways, merged and not") {
    const Cell forward(1), backward(100);
    const Reals x = noise(kBatch * kSteps * kInput, 77);
    const Reals ahead = sequence(forward, x, false), back = sequence(backward, x, true);
    std::vector<Case> cases;
    for (const bool isMerged : {false, true}) {
        std::vector<CaseTensor> inputs = {real({kI(kBatch), kI(kSteps), kI(kInput)}, x)};
        std::vector<bool> isConstant = {false}, isLeftOut = {false};
        forward.addTo(inputs, isConstant, isLeftOut);
        backward.addTo(inputs, isConstant, isLeftOut);
        for (int i = 0; i < 13; ++i) {
            inputs.push_back(real({kI(kBatch), kI(kUnits)}));
            isConstant.push_back(true);
            isLeftOut.push_back(i >= 4);
        }
        std::vector<CaseTensor> outputs;
        const std::int32_t width = kI(kUnits);
        if (isMerged) {
            Reals both;
            for (std::size_t row = 0; row < kBatch * kSteps; ++row) {
                for (const Reals* part : {&ahead, &back}) {
                    const auto begin = part->begin() + static_cast<std::ptrdiff_t>(row * kUnits);
                    both.insert(both.end(), begin, begin + kUnits);
                }
            }
            outputs = {real({kI(kBatch), kI(kSteps), 2 * width}, both)};
        } else {
            outputs = {real({kI(kBatch), kI(kSteps), width}, ahead),
                       real({kI(kBatch), kI(kSteps), width}, back)};
        }
        Case test = caseOf({.name = "BIDIRECTIONAL_SEQUENCE_LSTM",
                            .code = 52,
                            .inputs = inputs,
                            .isConstant = isConstant,
                            .outputs = outputs,
                            .optionsType = BuiltinOptions::BidirectionalSequenceLstmOptions,
                            .options =
                                    [=](Builder& builder) {
                                        return schema::CreateBidirectionalSequenceLstmOptions(
                                                       builder, FusedActivation::TANH, 0, 0,
                                                       isMerged, false)
                                                .Union();
                                    },
                            .tolerance = 3e-6});
        finishInputs(test, isLeftOut, {35, 36, 37, 38});
        cases.push_back(test);
    }
    runCases(cases);
}

TEST_CASE("LSTM does one step, as a full and as a basic cell") {
    const Cell cell(1);
    const Reals x = noise(kBatch * kInput, 77);
    Reals outputs, states, previous = scaled(noise(kBatch * kUnits, 5), 0.5),
                           state = scaled(noise(kBatch * kUnits, 6), 0.5);
    Reals fromZero;
    for (std::size_t b = 0; b < kBatch; ++b) {
        Reals output(kUnits, 0.0), memory(kUnits, 0.0);
        cell.step(&x[b * kInput], output, memory);
        fromZero.insert(fromZero.end(), output.begin(), output.end());
        const auto at = static_cast<std::ptrdiff_t>(b * kUnits);
        output.assign(previous.begin() + at, previous.begin() + at + kUnits);
        memory.assign(state.begin() + at, state.begin() + at + kUnits);
        cell.step(&x[b * kInput], output, memory);
        outputs.insert(outputs.end(), output.begin(), output.end());
        states.insert(states.end(), memory.begin(), memory.end());
    }
    std::vector<CaseTensor> inputs = {real({kI(kBatch), kI(kInput)}, x)};
    std::vector<bool> isConstant = {false}, isLeftOut = {false};
    cell.addTo(inputs, isConstant, isLeftOut);
    for (int i = 0; i < 2; ++i) {
        inputs.push_back(real({kI(kBatch), kI(kUnits)}));
        isConstant.push_back(true);
        isLeftOut.push_back(false);
    }
    Case full = caseOf(
            {.name = "LSTM",
             .code = 16,
             .inputs = inputs,
             .isConstant = isConstant,
             .outputs = {real({kI(kBatch), kI(kUnits)}, fromZero)},
             .optionsType = BuiltinOptions::LstmOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateLstmOptions(builder, FusedActivation::TANH).Union();
                     },
             .tolerance = 3e-6});
    finishInputs(full, isLeftOut, {18, 19});
    // The basic cell has one matrix; its gates are input, cell, forget, output.
    Reals matrix, bias;
    for (const std::size_t gate : {0U, 2U, 1U, 3U}) {
        for (std::size_t i = 0; i < kUnits; ++i) {
            const auto row = [&](const Reals& weights, std::size_t width) {
                const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(i * width);
                matrix.insert(matrix.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
            };
            row(cell.input[gate], kInput);
            row(cell.recurrent[gate], kUnits);
        }
        bias.insert(bias.end(), cell.bias[gate].begin(), cell.bias[gate].end());
    }
    Case basic = caseOf(
            {.name = "LSTM basic",
             .code = 16,
             .inputs = {real({kI(kBatch), kI(kInput)}, x), real({kI(kBatch), kI(kUnits)}, previous),
                        real({kI(4 * kUnits), kI(kInput + kUnits)}, matrix),
                        real({kI(4 * kUnits)}, bias), real({kI(kBatch), kI(kUnits)}, state)},
             .isConstant = {false, false, true, true, false},
             .outputs = {real({kI(kBatch), kI(kUnits)}, outputs),
                         real({kI(kBatch), kI(kUnits)}, states)},
             .optionsType = BuiltinOptions::LstmOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateLstmOptions(builder, FusedActivation::TANH, 0, 0,
                                                          schema::LstmKernelType::BASIC)
                                 .Union();
                     },
             .tolerance = 3e-6});
    runCases({full, basic});
}

TEST_CASE("RNN, UNIDIRECTIONAL_ and BIDIRECTIONAL_SEQUENCE_RNN") {
    const Reals x = noise(kBatch * kSteps * kInput, 77);
    const auto steps = [&](std::uint64_t seed, bool isBackward, std::size_t count) {
        const Reals input = noise(kUnits * kInput, seed),
                    recurrent = noise(kUnits * kUnits, seed + 1), bias = noise(kUnits, seed + 2);
        Reals result(kBatch * count * kUnits);
        for (std::size_t b = 0; b < kBatch; ++b) {
            Reals hidden(kUnits, 0.0);
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t t = isBackward ? count - 1 - k : k;
                const Reals fresh = times(input, &x[(b * count + t) * kInput], kInput);
                const Reals back = times(recurrent, hidden.data(), kUnits);
                for (std::size_t i = 0; i < kUnits; ++i) {
                    hidden[i] = std::tanh(fresh[i] + back[i] + bias[i]);
                    result[(b * count + t) * kUnits + i] = hidden[i];
                }
            }
        }
        return result;
    };
    const auto weights = [&](std::uint64_t seed) {
        return std::vector<CaseTensor>{
                real({kI(kUnits), kI(kInput)}, noise(kUnits * kInput, seed)),
                real({kI(kUnits), kI(kUnits)}, noise(kUnits * kUnits, seed + 1)),
                real({kI(kUnits)}, noise(kUnits, seed + 2)), real({kI(kBatch), kI(kUnits)})};
    };
    const Reals oneStep(x.begin(), x.begin() + kBatch * kInput);
    std::vector<CaseTensor> inputs = {real({kI(kBatch), kI(kInput)}, oneStep)};
    const std::vector<CaseTensor> forward = weights(30), backward = weights(60);
    inputs.insert(inputs.end(), forward.begin(), forward.end());
    const std::vector<bool> isConstant = {false, true, true, true, true, true, true, true, true};
    Case one = caseOf(
            {.name = "RNN",
             .code = 24,
             .inputs = inputs,
             .isConstant = isConstant,
             .outputs = {real({kI(kBatch), kI(kUnits)}, steps(30, false, 1))},
             .optionsType = BuiltinOptions::RnnOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateRnnOptions(builder, FusedActivation::TANH).Union();
                     },
             .tolerance = 3e-6});
    finishInputs(one, {}, {4});
    inputs[0] = real({kI(kBatch), kI(kSteps), kI(kInput)}, x);
    Case sequenceCase = caseOf(
            {.name = "UNIDIRECTIONAL_SEQUENCE_RNN",
             .code = 35,
             .inputs = inputs,
             .isConstant = isConstant,
             .outputs = {real({kI(kBatch), kI(kSteps), kI(kUnits)}, steps(30, false, kSteps))},
             .optionsType = BuiltinOptions::SequenceRnnOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateSequenceRnnOptions(builder, false,
                                                                 FusedActivation::TANH)
                                 .Union();
                     },
             .tolerance = 3e-6});
    finishInputs(sequenceCase, {}, {4});
    inputs.insert(inputs.end(), backward.begin(), backward.end());
    Case both = caseOf(
            {.name = "BIDIRECTIONAL_SEQUENCE_RNN",
             .code = 46,
             .inputs = inputs,
             .isConstant = isConstant,
             .outputs = {real({kI(kBatch), kI(kSteps), kI(kUnits)}, steps(30, false, kSteps)),
                         real({kI(kBatch), kI(kSteps), kI(kUnits)}, steps(60, true, kSteps))},
             .optionsType = BuiltinOptions::BidirectionalSequenceRnnOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateBidirectionalSequenceRnnOptions(
                                        builder, false, FusedActivation::TANH, false)
                                 .Union();
                     },
             .tolerance = 3e-6});
    finishInputs(both, {}, {4, 8});
    runCases({one, sequenceCase, both});
}

TEST_CASE("SVDF weighs the memory of its filters") {
    constexpr std::size_t kRank = 2, kFilters = kUnits * kRank, kMemory = 4;
    const Reals x = noise(kBatch * kInput, 77), feature = noise(kFilters * kInput, 1),
                time = noise(kFilters * kMemory, 2), bias = noise(kUnits, 3);
    // The same input twice: the older result is one place further back.
    Reals expected;
    for (std::size_t b = 0; b < kBatch; ++b) {
        const Reals now = times(feature, &x[b * kInput], kInput);
        for (std::size_t unit = 0; unit < kUnits; ++unit) {
            double sum = bias[unit];
            for (std::size_t f = unit * kRank; f < (unit + 1) * kRank; ++f) {
                sum += now[f] * (time[f * kMemory + 3] + time[f * kMemory + 2]);
            }
            expected.push_back(std::max(sum, 0.0));
        }
    }
    Case test = caseOf(
            {.name = "SVDF",
             .code = 27,
             .inputs = {real({kI(kBatch), kI(kInput)}, x),
                        real({kI(kFilters), kI(kInput)}, feature),
                        real({kI(kFilters), kI(kMemory)}, time), real({kI(kUnits)}, bias),
                        real({kI(kBatch), kI(kFilters * kMemory)})},
             .isConstant = {false, true, true, true, true},
             .outputs = {real({kI(kBatch), kI(kUnits)}, expected)},
             .optionsType = BuiltinOptions::SvdfOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateSvdfOptions(builder, kRank, FusedActivation::RELU)
                                 .Union();
                     },
             .tolerance = 3e-6});
    test.runs = 2;
    finishInputs(test, {}, {4});
    runCases({test});
}

TEST_SUITE_END();
