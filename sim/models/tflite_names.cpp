// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tflite_generated.h>

#include <array>

#include "sim/models/tflite_file.h"

namespace vnpu::sim::tflite {

namespace {

// Builtin operators in the numbering of the file format. source: TensorFlow Lite schema
constexpr std::array kOperatorNames = {"ADD",
                                       "AVERAGE_POOL_2D",
                                       "CONCATENATION",
                                       "CONV_2D",
                                       "DEPTHWISE_CONV_2D",
                                       "DEPTH_TO_SPACE",
                                       "DEQUANTIZE",
                                       "EMBEDDING_LOOKUP",
                                       "FLOOR",
                                       "FULLY_CONNECTED",
                                       "HASHTABLE_LOOKUP",
                                       "L2_NORMALIZATION",
                                       "L2_POOL_2D",
                                       "LOCAL_RESPONSE_NORMALIZATION",
                                       "LOGISTIC",
                                       "LSH_PROJECTION",
                                       "LSTM",
                                       "MAX_POOL_2D",
                                       "MUL",
                                       "RELU",
                                       "RELU_N1_TO_1",
                                       "RELU6",
                                       "RESHAPE",
                                       "RESIZE_BILINEAR",
                                       "RNN",
                                       "SOFTMAX",
                                       "SPACE_TO_DEPTH",
                                       "SVDF",
                                       "TANH",
                                       "CONCAT_EMBEDDINGS",
                                       "SKIP_GRAM",
                                       "CALL",
                                       "CUSTOM",
                                       "EMBEDDING_LOOKUP_SPARSE",
                                       "PAD",
                                       "UNIDIRECTIONAL_SEQUENCE_RNN",
                                       "GATHER",
                                       "BATCH_TO_SPACE_ND",
                                       "SPACE_TO_BATCH_ND",
                                       "TRANSPOSE",
                                       "MEAN",
                                       "SUB",
                                       "DIV",
                                       "SQUEEZE",
                                       "UNIDIRECTIONAL_SEQUENCE_LSTM",
                                       "STRIDED_SLICE",
                                       "BIDIRECTIONAL_SEQUENCE_RNN",
                                       "EXP",
                                       "TOPK_V2",
                                       "SPLIT",
                                       "LOG_SOFTMAX",
                                       "DELEGATE",
                                       "BIDIRECTIONAL_SEQUENCE_LSTM",
                                       "CAST",
                                       "PRELU",
                                       "MAXIMUM",
                                       "ARG_MAX",
                                       "MINIMUM",
                                       "LESS",
                                       "NEG",
                                       "PADV2",
                                       "GREATER",
                                       "GREATER_EQUAL",
                                       "LESS_EQUAL",
                                       "SELECT",
                                       "SLICE",
                                       "SIN",
                                       "TRANSPOSE_CONV",
                                       "SPARSE_TO_DENSE",
                                       "TILE",
                                       "EXPAND_DIMS",
                                       "EQUAL",
                                       "NOT_EQUAL",
                                       "LOG",
                                       "SUM",
                                       "SQRT",
                                       "RSQRT",
                                       "SHAPE",
                                       "POW",
                                       "ARG_MIN",
                                       "FAKE_QUANT",
                                       "REDUCE_PROD",
                                       "REDUCE_MAX",
                                       "PACK",
                                       "LOGICAL_OR",
                                       "ONE_HOT",
                                       "LOGICAL_AND",
                                       "LOGICAL_NOT",
                                       "UNPACK",
                                       "REDUCE_MIN",
                                       "FLOOR_DIV",
                                       "REDUCE_ANY",
                                       "SQUARE",
                                       "ZEROS_LIKE",
                                       "FILL",
                                       "FLOOR_MOD",
                                       "RANGE",
                                       "RESIZE_NEAREST_NEIGHBOR",
                                       "LEAKY_RELU",
                                       "SQUARED_DIFFERENCE",
                                       "MIRROR_PAD",
                                       "ABS",
                                       "SPLIT_V",
                                       "UNIQUE",
                                       "CEIL",
                                       "REVERSE_V2",
                                       "ADD_N",
                                       "GATHER_ND",
                                       "COS",
                                       "WHERE",
                                       "RANK",
                                       "ELU",
                                       "REVERSE_SEQUENCE",
                                       "MATRIX_DIAG",
                                       "QUANTIZE",
                                       "MATRIX_SET_DIAG",
                                       "ROUND",
                                       "HARD_SWISH",
                                       "IF",
                                       "WHILE",
                                       "NON_MAX_SUPPRESSION_V4",
                                       "NON_MAX_SUPPRESSION_V5",
                                       "SCATTER_ND",
                                       "SELECT_V2",
                                       "DENSIFY",
                                       "SEGMENT_SUM",
                                       "BATCH_MATMUL"};

}  // namespace

std::string operatorName(std::int32_t code) {
    if (code >= 0 && static_cast<std::size_t>(code) < kOperatorNames.size()) {
        return kOperatorNames[static_cast<std::size_t>(code)];
    }
    return fmt::format("operator code {}", code);
}

std::string typeName(TensorType type) {
    const char* name = schema::EnumNameTensorType(type);
    return *name != '\0' ? name : fmt::format("type {}", static_cast<int>(type));
}

std::uint32_t typeBytes(TensorType type) {
    switch (type) {
        case TensorType::INT8:
        case TensorType::UINT8:
        case TensorType::BOOL:
            return 1;
        case TensorType::INT16:
        case TensorType::UINT16:
        case TensorType::FLOAT16:
            return 2;
        case TensorType::FLOAT32:
        case TensorType::INT32:
        case TensorType::UINT32:
            return 4;
        case TensorType::FLOAT64:
        case TensorType::INT64:
        case TensorType::UINT64:
        case TensorType::COMPLEX64:
            return 8;
        case TensorType::COMPLEX128:
            return 16;
        default:
            return 0;
    }
}

}  // namespace vnpu::sim::tflite
