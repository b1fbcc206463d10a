// SPDX-License-Identifier: Apache-2.0
// Layers with a state. Gates, peepholes, projections and normalizations may be left out.
#include "driver/validation/gate_relations.h"
#include "driver/validation/operation_types.h"
#include "driver/validation/quantization_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

// The weights of a cell, input by input: from the input, from the state, peepholes, biases,
// projection. Then its two states.
constexpr SignatureForm kLstmForms[] = {{"T2"
                                         "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
                                         "T2T2iff",
                                         "T2T2T2T2"},
                                        {"T2"
                                         "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
                                         "T2T2iffT1?T1?T1?T1?",
                                         "T2T2T2T2", k12}};

constexpr std::string_view kSequenceLstmInputs =
        "T3"
        "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
        "T2T2iffbT1?T1?T1?T1?";
constexpr SignatureForm kSequenceLstmForms[] = {{kSequenceLstmInputs, "T3"},
                                                {kSequenceLstmInputs, "T3T2T2", k13}};

// Forward cell, backward cell, their states, the auxiliary input with its weights, scalars, and
// normalizations.
constexpr std::string_view kBidirectionalLstmInputs =
        "T3"
        "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
        "T2?T2T2T2T2?T2T2T2T1?T1?T1?T1?T1T1T1T2?T1?"
        "T2T2T2T2"
        "T3?T2?T2?T2?T2?T2?T2?T2?T2?"
        "iffbb"
        "T1?T1?T1?T1?T1?T1?T1?T1?";
constexpr SignatureForm kBidirectionalLstmForms[] = {
        {kBidirectionalLstmInputs, "T3"},
        {kBidirectionalLstmInputs, "T3T3"},
        {kBidirectionalLstmInputs, "T3T2T2T2T2", k13},
        {kBidirectionalLstmInputs, "T3T3T2T2T2T2", k13}};

constexpr SignatureForm kRnnForms[] = {{"T2T2T2T1T2i", "T2T2"}};
constexpr SignatureForm kSequenceRnnForms[] = {{"T3T2T2T1T2ii", "T3"},
                                               {"T3T2T2T1T2ii", "T3T2", k13}};
constexpr std::string_view kBidirectionalRnnInputs = "T3T2T2T1T2T2T2T1T2T3?T2?T2?ibb";
constexpr SignatureForm kBidirectionalRnnForms[] = {{kBidirectionalRnnInputs, "T3"},
                                                    {kBidirectionalRnnInputs, "T3T3"},
                                                    {kBidirectionalRnnInputs, "T3T2T2", k13},
                                                    {kBidirectionalRnnInputs, "T3T3T2T2", k13}};
constexpr SignatureForm kSvdfForms[] = {{"T2T2T2T1?T2ii", "T2T2"}};

constexpr SignatureForm kQuantized16Forms[] = {{"h2h2h2h2h2h2h2h2h2v1v1v1v1z2h2", "z2h2"}};
constexpr SignatureForm kQuantizedForms[] = {
        {"g2"
         "y2?y2y2y2y2?y2y2y2z1?z1?z1?v1?v1v1v1y2?v1?"
         "g2z2z1?z1?z1?z1?ssssssis",
         "g2z2g2"}};

constexpr OperandRelation kLstmRelations[] = {gatesFit<0>, normalizationsFit<0, 23>};
constexpr OperandRelation kSequenceLstmRelations[] = {gatesFit<0>, normalizationsFit<0, 24>};
constexpr OperandRelation kBidirectionalLstmRelations[] = {
        gatesFit<0>, gatesFit<17>, normalizationsFit<0, 53>, normalizationsFit<17, 57>};
constexpr OperandRelation kQuantized16Relations[] = {quantized16BitLstmHasItsScales};
constexpr OperandRelation kQuantizedRelations[] = {gatesFit<0>, normalizationsFit<0, 20>};

constexpr OperationSignature kRecurrentSignatures[] = {
        {Op::LSTM, k10, kFloats, {}, kLstmForms, kLstmRelations},
        {Op::UNIDIRECTIONAL_SEQUENCE_LSTM,
         k12,
         kFloats,
         {},
         kSequenceLstmForms,
         kSequenceLstmRelations},
        {Op::BIDIRECTIONAL_SEQUENCE_LSTM,
         k12,
         kFloats,
         {},
         kBidirectionalLstmForms,
         kBidirectionalLstmRelations},
        {Op::RNN, k10, kFloats, {}, kRnnForms, {}},
        {Op::UNIDIRECTIONAL_SEQUENCE_RNN, k12, kFloats, {}, kSequenceRnnForms, {}},
        {Op::BIDIRECTIONAL_SEQUENCE_RNN, k12, kFloats, {}, kBidirectionalRnnForms, {}},
        {Op::SVDF, k10, kFloats, {}, kSvdfForms, {}},
        {Op::QUANTIZED_16BIT_LSTM, k12, {}, {}, kQuantized16Forms, kQuantized16Relations},
        {Op::QUANTIZED_LSTM, k13, {}, {}, kQuantizedForms, kQuantizedRelations},
};

}  // namespace

constinit const OperationFamily kRecurrentFamily{kRecurrentSignatures};

}  // namespace vnpu::driver
