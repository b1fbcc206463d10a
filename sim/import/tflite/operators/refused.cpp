// SPDX-License-Identifier: Apache-2.0
// The operators that are not imported, and why.
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

constexpr std::string_view kStrings = "works on strings or 64-bit keys, which NNAPI does not have";
constexpr std::string_view kRandom = "makes random numbers, for which NNAPI has no operation";
constexpr std::string_view kOpenSize = "the number of results is known only at run time";
constexpr std::string_view kStablehlo =
        "calls a computation of StableHLO, which no converter writes for the interpreter";

constexpr Row kRefusedRows[] = {
        {29, "CONCAT_EMBEDDINGS", kRefused, "has no kernel in TensorFlow Lite either"},
        {30, "SKIP_GRAM", kRefused, kStrings},
        {33, "EMBEDDING_LOOKUP_SPARSE", kRefused, "sums as many rows as only the run time knows"},
        {51, "DELEGATE", kRefused, "is made by an interpreter, not part of files"},
        {120, "NON_MAX_SUPPRESSION_V4", kRefused, kOpenSize},
        {121, "NON_MAX_SUPPRESSION_V5", kRefused, kOpenSize},
        {127, "PLACEHOLDER_FOR_GREATER_OP_CODES", kRefused, "is no operator"},
        {136, "HASHTABLE", kRefused, kStrings},
        {137, "HASHTABLE_FIND", kRefused, kStrings},
        {138, "HASHTABLE_IMPORT", kRefused, kStrings},
        {139, "HASHTABLE_SIZE", kRefused, kStrings},
        {141, "CONV_3D_TRANSPOSE", kRefused,
         "NNAPI has transposed convolutions of two dimensions only"},
        {146, "RANDOM_STANDARD_NORMAL", kRefused, kRandom},
        {148, "RANDOM_UNIFORM", kRefused, kRandom},
        {159, "BITCAST", kRefused, "NNAPI has no view of the bits of a value"},
        {171, "STABLEHLO_CONVOLUTION", kRefused, kStablehlo},
        {173, "STABLEHLO_CUSTOM_CALL", kRefused, kStablehlo},
        {174, "STABLEHLO_REDUCE", kRefused, kStablehlo},
        {190, "STABLEHLO_SCATTER", kRefused, kStablehlo},
        {194, "STABLEHLO_DYNAMIC_UPDATE_SLICE", kRefused, kStablehlo},
        {197, "STABLEHLO_DOT_GENERAL", kRefused, kStablehlo},
        {198, "STABLEHLO_REDUCE_WINDOW", kRefused, kStablehlo},
        {199, "STABLEHLO_SORT", kRefused, kStablehlo},
        {200, "STABLEHLO_WHILE", kRefused, kStablehlo},
        {201, "STABLEHLO_GATHER", kRefused, kStablehlo},
        {204, "STABLEHLO_RNG_BIT_GENERATOR", kRefused, kRandom},
        {205, "REDUCE_WINDOW", kRefused,
         "reduces by a computation of its own, with windows in all dimensions"},
        {206, "STABLEHLO_COMPOSITE", kRefused, kStablehlo},
        {207, "STABLEHLO_SHIFT_LEFT", kRefused, "NNAPI has no operation on bits"},
        {209, "STABLEHLO_CASE", kRefused, kStablehlo},
};

}  // namespace

std::span<const Row> refusedRows() {
    return kRefusedRows;
}

}  // namespace vnpu::sim::tflite
