// SPDX-License-Identifier: Apache-2.0
// Operations along an axis or several: normalizations and reductions.
#include "driver/validation/operation_types.h"
#include "driver/validation/shared_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

constexpr SignatureForm kSoftmaxForms[] = {
        {"T2f", "T2"}, {"T4f", "T4"}, {"T<f", "T<", k12}, {"T<fi", "T<", k12}};
constexpr SignatureForm kLogSoftmaxForms[] = {{"Tfi", "T"}};
constexpr SignatureForm kL2NormalizationForms[] = {
        {"T4", "T4"}, {"T<", "T<", k12}, {"T<i", "T<", k12}};
constexpr SignatureForm kLocalResponseForms[] = {
        {"T4ifff", "T4"}, {"T<ifff", "T<", k12}, {"T<ifffi", "T<", k12}};
constexpr SignatureForm kInstanceForms[] = {{"T4fffb", "T4"}};
constexpr SignatureForm kMeanForms[] = {{"T<v1i", "T<"}};
constexpr SignatureForm kReduceForms[] = {{"T<v1b", "T<"}};
constexpr SignatureForm kArgForms[] = {{"Ti", "v"}};
constexpr SignatureForm kTopForms[] = {{"Ti", "Tv"}};

constexpr OperationSignature kReductionSignatures[] = {
        {Op::SOFTMAX, k10, kUsual, {}, kSoftmaxForms, kProbability},
        {Op::LOG_SOFTMAX, k12, kFloats, {}, kLogSoftmaxForms, kSameShape},
        {Op::L2_NORMALIZATION, k10, kLaterQuantized, {}, kL2NormalizationForms, kUnitRange},
        {Op::LOCAL_RESPONSE_NORMALIZATION, k10, kFloats, {}, kLocalResponseForms, kSameShape},
        {Op::INSTANCE_NORMALIZATION, k12, kFloats, {}, kInstanceForms, kSameShape},
        {Op::MEAN, k11, kUsual, {}, kMeanForms, kSameQuantization},
        {Op::REDUCE_ALL, k12, kBooleans, {}, kReduceForms, {}},
        {Op::REDUCE_ANY, k12, kBooleans, {}, kReduceForms, {}},
        {Op::REDUCE_MAX, k12, kUsual, {}, kReduceForms, kSameQuantization},
        {Op::REDUCE_MIN, k12, kUsual, {}, kReduceForms, kSameQuantization},
        {Op::REDUCE_PROD, k12, kFloats, {}, kReduceForms, {}},
        {Op::REDUCE_SUM, k12, kFloats, {}, kReduceForms, {}},
        {Op::ARGMAX, k12, kArrays, {}, kArgForms, {}},
        {Op::ARGMIN, k12, kArrays, {}, kArgForms, {}},
        {Op::TOPK_V2, k12, kArrays, {}, kTopForms, kSameQuantization},
};

}  // namespace

constinit const OperationFamily kReductionFamily{kReductionSignatures};

}  // namespace vnpu::driver
