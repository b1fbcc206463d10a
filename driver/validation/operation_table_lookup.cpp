// SPDX-License-Identifier: Apache-2.0
// Lookups, hashes, random numbers, and tensors made from nothing but their shape.
#include "driver/validation/operation_types.h"
#include "driver/validation/quantization_relations.h"

namespace vnpu::driver {

namespace {

using Op = OperationType;
using enum HalVersion;

constexpr SignatureForm kEmbeddingForms[] = {{"v1T>", "T>"}};
constexpr SignatureForm kHashtableForms[] = {{"v1v1T>", "T>h1"}};
constexpr SignatureForm kGatherForms[] = {{"Tiv", "T"}};
constexpr SignatureForm kProjectionForms[] = {{"U2TU1?i", "v1"}};
constexpr SignatureForm kMultinomialForms[] = {{"T2iv1", "v2"}};
constexpr SignatureForm kFillForms[] = {{"v1e", "T"}};
constexpr SignatureForm kRankForms[] = {{"T", "i"}};

constexpr TypesSince kEmbedded[] = {
        {k10, kFloat32}, {k12, kInt32 | kUnsigned8}, {k13, kFloat16 | kSigned8}};
constexpr TypesSince kHashed[] = {{k10, kFloat32 | kInt32 | kUnsigned8}};
constexpr TypesSince kProjected[] = {{k10, kFloat32 | kInt32 | kUnsigned8}, {k12, kFloat16}};
constexpr TypesSince kFilled[] = {{k13, kFloat32 | kFloat16 | kInt32}};
constexpr TypesSince kRanked[] = {{k13, kFloat32 | kFloat16 | kInt32 | kBool8 | kUnsigned8 |
                                                kSigned8 | kSymmetric8 | kPerChannel8 |
                                                kSymmetric16 | kAsymmetric16}};

constexpr OperandRelation kEmbeddingRelations[] = {outputIsQuantizedAs<1>};
constexpr OperandRelation kHashtableRelations[] = {outputIsQuantizedAs<2>, hitsAreCounted};
constexpr OperandRelation kGatherRelations[] = {outputIsQuantizedAs<0>};

constexpr OperationSignature kLookupSignatures[] = {
        {Op::EMBEDDING_LOOKUP, k10, kEmbedded, {}, kEmbeddingForms, kEmbeddingRelations},
        {Op::HASHTABLE_LOOKUP, k10, kHashed, {}, kHashtableForms, kHashtableRelations},
        {Op::GATHER, k12, kArrays, {}, kGatherForms, kGatherRelations},
        {Op::LSH_PROJECTION, k10, kProjected, kFloats, kProjectionForms, {}},
        {Op::RANDOM_MULTINOMIAL, k12, kFloats, {}, kMultinomialForms, {}},
        {Op::FILL, k13, kFilled, {}, kFillForms, {}},
        {Op::RANK, k13, kRanked, {}, kRankForms, {}},
};

}  // namespace

constinit const OperationFamily kLookupFamily{kLookupSignatures};

}  // namespace vnpu::driver
