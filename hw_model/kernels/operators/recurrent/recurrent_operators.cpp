// SPDX-License-Identifier: Apache-2.0
// RNN and LSTM layers in floating point. Inputs are numbered as in NNAPI 1.3.
#include <fmt/format.h>

#include "hw_model/kernels/operators/operator_entry.h"
#include "hw_model/kernels/operators/recurrent/lstm_cell.h"
#include "hw_model/kernels/operators/recurrent/recurrent_layers.h"
#include "hw_model/kernels/operators/recurrent/rnn_cell.h"

namespace vnpu::hw::kernels {
namespace {

JobStatus rnn(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto activation, readCellActivation(call, 5));
    return runStep<RnnCell>(call, {.weights = 1}, activation);
}

JobStatus unidirectionalSequenceRnn(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto activation, readCellActivation(call, 5));
    const std::int32_t timeMajor = call.int32(6);
    if (timeMajor != 0 && timeMajor != 1) {
        return call.refuse(fmt::format("time major is {}, expected 0 or 1", timeMajor));
    }
    return runSequence<RnnCell>(call, {.weights = 1}, activation, timeMajor == 1);
}

JobStatus bidirectionalSequenceRnn(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto activation, readCellActivation(call, 12));
    return runBidirectional<RnnCell>(call,
                                     {.forward = {.weights = 1, .auxiliary = 10},
                                      .backward = {.weights = 5, .auxiliary = 11},
                                      .auxiliary = 9,
                                      .isTimeMajor = call.flag(13),
                                      .isMerged = call.flag(14)},
                                     activation);
}

/// The activation and the two limits, which are consecutive inputs.
std::optional<LstmParameters> readParameters(OperatorCall& call, std::size_t first) {
    VNPU_TRY_ASSIGN(const auto activation, readCellActivation(call, first));
    return LstmParameters{.activation = activation,
                          .cellClip = call.real(first + 1),
                          .projectionClip = call.real(first + 2)};
}

JobStatus lstm(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto parameters, readParameters(call, 20));
    return runStep<LstmCell>(call, {.weights = 1, .states = 18, .normalization = 23}, parameters);
}

JobStatus unidirectionalSequenceLstm(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto parameters, readParameters(call, 20));
    return runSequence<LstmCell>(call, {.weights = 1, .states = 18, .normalization = 24},
                                 parameters, call.flag(23));
}

JobStatus bidirectionalSequenceLstm(OperatorCall& call) {
    VNPU_TRY_ASSIGN(const auto parameters, readParameters(call, 48));
    return runBidirectional<LstmCell>(
            call,
            {.forward = {.weights = 1, .states = 35, .normalization = 53, .auxiliary = 40},
             .backward = {.weights = 18, .states = 37, .normalization = 57, .auxiliary = 44},
             .auxiliary = 39,
             .isTimeMajor = call.flag(52),
             .isMerged = call.flag(51)},
            parameters);
}

constexpr OperatorEntry kRecurrentEntries[] = {
        {Operator::kRnn, {"T2T2T2T1T2i", "TT", kFloatTypes}, rnn},
        {Operator::kUnidirectionalSequenceRnn,
         {"T3T2T2T1T2ii", "TT?", kFloatTypes},
         unidirectionalSequenceRnn},
        {Operator::kBidirectionalSequenceRnn,
         {"T3T2T2T1T2T2T2T1T2T3?T2?T2?ibb", "TT?T?T?", kFloatTypes},
         bidirectionalSequenceRnn},
        // The inputs of an LSTM cell: input and recurrent weights, peepholes, biases, projection
        // and its bias.
        {Operator::kLstm,
         {"T2"
          "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
          "T2T2iffT1?T1?T1?T1?",
          "TTTT", kFloatTypes},
         lstm},
        {Operator::kUnidirectionalSequenceLstm,
         {"T3"
          "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
          "T2T2iffbT1?T1?T1?T1?",
          "TT?T?", kFloatTypes},
         unidirectionalSequenceLstm},
        {Operator::kBidirectionalSequenceLstm,
         {"T3"
          "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
          "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
          "T2T2T2T2T3?T2?T2?T2?T2?T2?T2?T2?T2?iffbbT1?T1?T1?T1?T1?T1?T1?T1?",
          "TT?T?T?T?T?", kFloatTypes},
         bidirectionalSequenceLstm}};

}  // namespace

std::span<const OperatorEntry> recurrentOperators() {
    return kRecurrentEntries;
}

}  // namespace vnpu::hw::kernels
