// SPDX-License-Identifier: Apache-2.0
#pragma once

// The types of NNAPI's C interface, levels 27 to 30 (Android 8.1 to 11). C99 and C++.
// Names and values: Android 11.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The type of an operand. Scalars have no dimensions and are read by the operations directly;
/// names with TENSOR are arrays of any rank. MODEL is a model within a model, for IF and WHILE.
typedef enum {
    ANEURALNETWORKS_FLOAT32 = 0,
    ANEURALNETWORKS_INT32 = 1,
    ANEURALNETWORKS_UINT32 = 2,
    ANEURALNETWORKS_TENSOR_FLOAT32 = 3,
    ANEURALNETWORKS_TENSOR_INT32 = 4,         ///< scale 0, or input scale * filter scale for a bias
    ANEURALNETWORKS_TENSOR_QUANT8_ASYMM = 5,  ///< uint8: (value - zeroPoint) * scale
    ANEURALNETWORKS_BOOL = 6,                 ///< one byte, 0 or 1
    ANEURALNETWORKS_TENSOR_QUANT16_SYMM = 7,  ///< int16: value * scale
    ANEURALNETWORKS_TENSOR_FLOAT16 = 8,
    ANEURALNETWORKS_TENSOR_BOOL8 = 9,  ///< one byte for each element
    ANEURALNETWORKS_FLOAT16 = 10,
    ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL = 11,  ///< int8, a scale for each channel
    ANEURALNETWORKS_TENSOR_QUANT16_ASYMM = 12,            ///< uint16: (value - zeroPoint) * scale
    ANEURALNETWORKS_TENSOR_QUANT8_SYMM = 13,              ///< int8: value * scale
    ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED = 14,      ///< int8: (value - zeroPoint) * scale
    ANEURALNETWORKS_MODEL = 15,
} OperandCode;

/// The operations, with the numbers, orders of operands and meanings of NNAPI's reference. 0 to 28
/// came with level 27, 29 to 37 with 28, 38 to 94 with 29, 95 to 101 with 30.
typedef enum {
    ANEURALNETWORKS_ADD = 0,
    ANEURALNETWORKS_AVERAGE_POOL_2D = 1,
    ANEURALNETWORKS_CONCATENATION = 2,
    ANEURALNETWORKS_CONV_2D = 3,
    ANEURALNETWORKS_DEPTHWISE_CONV_2D = 4,
    ANEURALNETWORKS_DEPTH_TO_SPACE = 5,
    ANEURALNETWORKS_DEQUANTIZE = 6,
    ANEURALNETWORKS_EMBEDDING_LOOKUP = 7,
    ANEURALNETWORKS_FLOOR = 8,
    ANEURALNETWORKS_FULLY_CONNECTED = 9,
    ANEURALNETWORKS_HASHTABLE_LOOKUP = 10,
    ANEURALNETWORKS_L2_NORMALIZATION = 11,
    ANEURALNETWORKS_L2_POOL_2D = 12,
    ANEURALNETWORKS_LOCAL_RESPONSE_NORMALIZATION = 13,
    ANEURALNETWORKS_LOGISTIC = 14,
    ANEURALNETWORKS_LSH_PROJECTION = 15,
    ANEURALNETWORKS_LSTM = 16,
    ANEURALNETWORKS_MAX_POOL_2D = 17,
    ANEURALNETWORKS_MUL = 18,
    ANEURALNETWORKS_RELU = 19,
    ANEURALNETWORKS_RELU1 = 20,
    ANEURALNETWORKS_RELU6 = 21,
    ANEURALNETWORKS_RESHAPE = 22,
    ANEURALNETWORKS_RESIZE_BILINEAR = 23,
    ANEURALNETWORKS_RNN = 24,
    ANEURALNETWORKS_SOFTMAX = 25,
    ANEURALNETWORKS_SPACE_TO_DEPTH = 26,
    ANEURALNETWORKS_SVDF = 27,
    ANEURALNETWORKS_TANH = 28,
    ANEURALNETWORKS_BATCH_TO_SPACE_ND = 29,
    ANEURALNETWORKS_DIV = 30,
    ANEURALNETWORKS_MEAN = 31,
    ANEURALNETWORKS_PAD = 32,
    ANEURALNETWORKS_SPACE_TO_BATCH_ND = 33,
    ANEURALNETWORKS_SQUEEZE = 34,
    ANEURALNETWORKS_STRIDED_SLICE = 35,
    ANEURALNETWORKS_SUB = 36,
    ANEURALNETWORKS_TRANSPOSE = 37,
    ANEURALNETWORKS_ABS = 38,
    ANEURALNETWORKS_ARGMAX = 39,
    ANEURALNETWORKS_ARGMIN = 40,
    ANEURALNETWORKS_AXIS_ALIGNED_BBOX_TRANSFORM = 41,
    ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_LSTM = 42,
    ANEURALNETWORKS_BIDIRECTIONAL_SEQUENCE_RNN = 43,
    ANEURALNETWORKS_BOX_WITH_NMS_LIMIT = 44,
    ANEURALNETWORKS_CAST = 45,
    ANEURALNETWORKS_CHANNEL_SHUFFLE = 46,
    ANEURALNETWORKS_DETECTION_POSTPROCESSING = 47,
    ANEURALNETWORKS_EQUAL = 48,
    ANEURALNETWORKS_EXP = 49,
    ANEURALNETWORKS_EXPAND_DIMS = 50,
    ANEURALNETWORKS_GATHER = 51,
    ANEURALNETWORKS_GENERATE_PROPOSALS = 52,
    ANEURALNETWORKS_GREATER = 53,
    ANEURALNETWORKS_GREATER_EQUAL = 54,
    ANEURALNETWORKS_GROUPED_CONV_2D = 55,
    ANEURALNETWORKS_HEATMAP_MAX_KEYPOINT = 56,
    ANEURALNETWORKS_INSTANCE_NORMALIZATION = 57,
    ANEURALNETWORKS_LESS = 58,
    ANEURALNETWORKS_LESS_EQUAL = 59,
    ANEURALNETWORKS_LOG = 60,
    ANEURALNETWORKS_LOGICAL_AND = 61,
    ANEURALNETWORKS_LOGICAL_NOT = 62,
    ANEURALNETWORKS_LOGICAL_OR = 63,
    ANEURALNETWORKS_LOG_SOFTMAX = 64,
    ANEURALNETWORKS_MAXIMUM = 65,
    ANEURALNETWORKS_MINIMUM = 66,
    ANEURALNETWORKS_NEG = 67,
    ANEURALNETWORKS_NOT_EQUAL = 68,
    ANEURALNETWORKS_PAD_V2 = 69,
    ANEURALNETWORKS_POW = 70,
    ANEURALNETWORKS_PRELU = 71,
    ANEURALNETWORKS_QUANTIZE = 72,
    ANEURALNETWORKS_QUANTIZED_16BIT_LSTM = 73,
    ANEURALNETWORKS_RANDOM_MULTINOMIAL = 74,
    ANEURALNETWORKS_REDUCE_ALL = 75,
    ANEURALNETWORKS_REDUCE_ANY = 76,
    ANEURALNETWORKS_REDUCE_MAX = 77,
    ANEURALNETWORKS_REDUCE_MIN = 78,
    ANEURALNETWORKS_REDUCE_PROD = 79,
    ANEURALNETWORKS_REDUCE_SUM = 80,
    ANEURALNETWORKS_ROI_ALIGN = 81,
    ANEURALNETWORKS_ROI_POOLING = 82,
    ANEURALNETWORKS_RSQRT = 83,
    ANEURALNETWORKS_SELECT = 84,
    ANEURALNETWORKS_SIN = 85,
    ANEURALNETWORKS_SLICE = 86,
    ANEURALNETWORKS_SPLIT = 87,
    ANEURALNETWORKS_SQRT = 88,
    ANEURALNETWORKS_TILE = 89,
    ANEURALNETWORKS_TOPK_V2 = 90,
    ANEURALNETWORKS_TRANSPOSE_CONV_2D = 91,
    ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_LSTM = 92,
    ANEURALNETWORKS_UNIDIRECTIONAL_SEQUENCE_RNN = 93,
    ANEURALNETWORKS_RESIZE_NEAREST_NEIGHBOR = 94,
    ANEURALNETWORKS_QUANTIZED_LSTM = 95,
    ANEURALNETWORKS_IF = 96,
    ANEURALNETWORKS_WHILE = 97,
    ANEURALNETWORKS_ELU = 98,
    ANEURALNETWORKS_HARD_SWISH = 99,
    ANEURALNETWORKS_FILL = 100,
    ANEURALNETWORKS_RANK = 101,
} OperationCode;

/// An activation that an operation applies to its result: none, or a clamp to [0, inf), [-1, 1] or
/// [0, 6].
typedef enum {
    ANEURALNETWORKS_FUSED_NONE = 0,
    ANEURALNETWORKS_FUSED_RELU = 1,
    ANEURALNETWORKS_FUSED_RELU1 = 2,
    ANEURALNETWORKS_FUSED_RELU6 = 3,
} FuseCode;

/// Implicit padding of convolutions and pooling: SAME pads so that the output has ceil(input /
/// stride) positions, VALID does not pad.
typedef enum {
    ANEURALNETWORKS_PADDING_SAME = 1,
    ANEURALNETWORKS_PADDING_VALID = 2,
} PaddingCode;

/// What a compilation is for: the lowest energy, the shortest time of a single execution (the
/// default), or the highest rate of executions that follow each other.
typedef enum {
    ANEURALNETWORKS_PREFER_LOW_POWER = 0,
    ANEURALNETWORKS_PREFER_FAST_SINGLE_ANSWER = 1,
    ANEURALNETWORKS_PREFER_SUSTAINED_SPEED = 2,
} PreferenceCode;

/// The kind of a device.
typedef enum {
    ANEURALNETWORKS_DEVICE_UNKNOWN = 0,
    ANEURALNETWORKS_DEVICE_OTHER = 1,
    ANEURALNETWORKS_DEVICE_CPU = 2,
    ANEURALNETWORKS_DEVICE_GPU = 3,
    ANEURALNETWORKS_DEVICE_ACCELERATOR = 4,
} DeviceTypeCode;

/// What functions return. See NeuralNetworks.h for what each of them means.
typedef enum {
    ANEURALNETWORKS_NO_ERROR = 0,                    ///< success
    ANEURALNETWORKS_OUT_OF_MEMORY = 1,               ///< the host has no memory left
    ANEURALNETWORKS_INCOMPLETE = 2,                  ///< not returned by this library
    ANEURALNETWORKS_UNEXPECTED_NULL = 3,             ///< an argument is null that must not be
    ANEURALNETWORKS_BAD_DATA = 4,                    ///< an argument has a wrong value
    ANEURALNETWORKS_OP_FAILED = 5,                   ///< the computation or the device failed
    ANEURALNETWORKS_BAD_STATE = 6,                   ///< the object does not allow this call now
    ANEURALNETWORKS_UNMAPPABLE = 7,                  ///< a memory cannot be mapped into the process
    ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE = 8,    ///< an output was given too few bytes
    ANEURALNETWORKS_UNAVAILABLE_DEVICE = 9,          ///< the device is out of service
    ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT = 10,  ///< too late now, a later try may be in time
    ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT = 11,    ///< too late, and so would be any other try
    ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT = 12,  ///< the device lacks resources now
    ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT = 13,  ///< more than the device ever has
    ANEURALNETWORKS_DEAD_OBJECT = 14,  ///< the process that had the device has ended
} ResultCode;

/// Which time ANeuralNetworksExecution_getDuration() returns: on the device alone, or in driver and
/// device together. FENCED times begin when the last dependency has been signaled; the others begin
/// with the start of the computation.
typedef enum {
    ANEURALNETWORKS_DURATION_ON_HARDWARE = 0,
    ANEURALNETWORKS_DURATION_IN_DRIVER = 1,
    ANEURALNETWORKS_FENCED_DURATION_ON_HARDWARE = 2,
    ANEURALNETWORKS_FENCED_DURATION_IN_DRIVER = 3,
} DurationCode;

/// The order of executions of one app that compete for a device.
typedef enum {
    ANEURALNETWORKS_PRIORITY_LOW = 90,
    ANEURALNETWORKS_PRIORITY_MEDIUM = 100,
    ANEURALNETWORKS_PRIORITY_HIGH = 110,
    ANEURALNETWORKS_PRIORITY_DEFAULT = ANEURALNETWORKS_PRIORITY_MEDIUM,
} PriorityCode;
enum {
    /// Values of operands up to this many bytes are copied; longer ones must stay in place.
    ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES = 128,
};

enum {
    /// Bytes of the token that names a compilation in a cache.
    ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN = 32,
};

/// Of android/hardware_buffer.h.
struct AHardwareBuffer;

/// Bytes that models and executions use in place: a file, a hardware buffer, or a device's memory.
typedef struct ANeuralNetworksMemory ANeuralNetworksMemory;

/// A graph of operands and operations. Changed by one thread until it is finished, constant then.
typedef struct ANeuralNetworksModel ANeuralNetworksModel;

/// A model prepared for devices. Changed by one thread until it is finished, constant then.
typedef struct ANeuralNetworksCompilation ANeuralNetworksCompilation;

/// Inputs and outputs for a compilation, and their computation. Used by one thread at a time; any
/// number of executions of a compilation may be computed at once.
typedef struct ANeuralNetworksExecution ANeuralNetworksExecution;

/// Executions of one compilation that follow each other closely, so that the device stays ready.
typedef struct ANeuralNetworksBurst ANeuralNetworksBurst;

/// The end of an asynchronous computation, or a sync fence. Any thread.
typedef struct ANeuralNetworksEvent ANeuralNetworksEvent;

/// A device. Exists until the process ends. Any thread.
typedef struct ANeuralNetworksDevice ANeuralNetworksDevice;

/// What a memory is for, so that a device can choose its place.
typedef struct ANeuralNetworksMemoryDesc ANeuralNetworksMemoryDesc;

/// One of OperationCode, or the code of an extension's operation.
typedef int32_t ANeuralNetworksOperationType;

/// The type, shape and quantization of an operand.
typedef struct ANeuralNetworksOperandType {
    int32_t type;                ///< one of OperandCode, or the code of an extension's operand
    uint32_t dimensionCount;     ///< the rank; 0 for scalars and for tensors of unknown rank
    const uint32_t* dimensions;  ///< dimensionCount elements, 0: unknown; null if the rank is 0
    float scale;                 ///< of quantized types, else 0
    int32_t zeroPoint;           ///< of asymmetric quantized types, else 0
} ANeuralNetworksOperandType;

/// The scales of a TENSOR_QUANT8_SYMM_PER_CHANNEL.
typedef struct ANeuralNetworksSymmPerChannelQuantParams {
    uint32_t channelDim;  ///< the dimension that has the channels
    uint32_t scaleCount;  ///< the size of that dimension
    const float* scales;  ///< scaleCount elements, each above 0
} ANeuralNetworksSymmPerChannelQuantParams;

#ifdef __cplusplus
}
#endif
