// SPDX-License-Identifier: Apache-2.0
#pragma once

// The C structures that an interpreter of TensorFlow Lite (or LiteRT, its later name) shares with a
// delegate, for 64-bit platforms. Names and values are the interface's own. The layout holds for
// TensorFlow Lite 2.9 and later and for LiteRT 1 and 2: since 2.9 fields were only added at the
// ends of these structures. A field that came after 2.9 must not be read from a structure that the
// interpreter made, unless something tells that it is there; such fields are marked "later".

#include <cstddef>
#include <cstdint>

namespace vnpu::sim::tflite_abi {

// NOLINTBEGIN(readability-identifier-naming): the names of the interface

enum TfLiteStatus : int { kTfLiteOk = 0, kTfLiteError = 1, kTfLiteDelegateError = 2 };

enum TfLiteType : int {
    kTfLiteNoType = 0,
    kTfLiteFloat32 = 1,
    kTfLiteInt32 = 2,
    kTfLiteUInt8 = 3,
    kTfLiteInt64 = 4,
    kTfLiteString = 5,
    kTfLiteBool = 6,
    kTfLiteInt16 = 7,
    kTfLiteComplex64 = 8,
    kTfLiteInt8 = 9,
    kTfLiteFloat16 = 10,
    kTfLiteFloat64 = 11,
    kTfLiteComplex128 = 12,
    kTfLiteUInt64 = 13,
    kTfLiteResource = 14,
    kTfLiteVariant = 15,
    kTfLiteUInt32 = 16,
    kTfLiteUInt16 = 17,
    kTfLiteInt4 = 18,
    kTfLiteBFloat16 = 19
};

enum TfLiteAllocationType : int {
    kTfLiteMemNone = 0,
    kTfLiteMmapRo = 1,  // constants of the model
    kTfLiteArenaRw = 2,
    kTfLiteArenaRwPersistent = 3,  // variables
    kTfLiteDynamic = 4,            // the shape is known when the tensor's node has run
    kTfLitePersistentRo = 5,       // computed when the graph was prepared, then constant
    kTfLiteCustom = 6
};

enum TfLiteQuantizationType : int { kTfLiteNoQuantization = 0, kTfLiteAffineQuantization = 1 };

inline constexpr std::int64_t kTfLiteDelegateFlagsNone = 0;
inline constexpr std::int64_t kTfLiteDelegateFlagsAllowDynamicTensors = 1;

/// `size` integers follow the header. Made by malloc() where it is handed over.
struct TfLiteIntArray {
    int size;
    const int* begin() const { return reinterpret_cast<const int*>(this + 1); }
    const int* end() const { return begin() + size; }
    int* values() { return reinterpret_cast<int*>(this + 1); }
};

struct TfLiteFloatArray {
    int size;
    const float* begin() const { return reinterpret_cast<const float*>(this + 1); }
    const float* end() const { return begin() + size; }
    float* values() { return reinterpret_cast<float*>(this + 1); }
};

struct TfLiteQuantizationParams {
    float scale;
    std::int32_t zero_point;
};

struct TfLiteAffineQuantization {
    TfLiteFloatArray* scale;
    TfLiteIntArray* zero_point;
    std::int32_t quantized_dimension;
};

struct TfLiteQuantization {
    TfLiteQuantizationType type;
    void* params;  // TfLiteAffineQuantization
};

struct TfLiteDimensionMetadata {
    int format;  // 0: dense, 1: compressed rows
    int dense_size;
    TfLiteIntArray* array_segments;
    TfLiteIntArray* array_indices;
};

struct TfLiteSparsity {
    TfLiteIntArray* traversal_order;
    TfLiteIntArray* block_map;
    TfLiteDimensionMetadata* dim_metadata;
    int dim_metadata_size;
};

struct TfLiteDelegate;

struct TfLiteTensor {
    TfLiteType type;
    void* data;
    TfLiteIntArray* dims;
    TfLiteQuantizationParams params;
    TfLiteAllocationType allocation_type;
    std::size_t bytes;
    const void* allocation;
    const char* name;
    TfLiteDelegate* delegate;
    int buffer_handle;
    bool data_is_stale;
    bool is_variable;
    TfLiteQuantization quantization;
    TfLiteSparsity* sparsity;              // null for a dense tensor
    const TfLiteIntArray* dims_signature;  // -1 where a dimension is open; may be null or empty
};

struct TfLiteNode {
    TfLiteIntArray* inputs;  // indexes of tensors, -1 for one that is left out
    TfLiteIntArray* outputs;
    TfLiteIntArray* intermediates;
    TfLiteIntArray* temporaries;
    void* user_data;
    void* builtin_data;  // builtin_params.h
    const void* custom_initial_data;
    int custom_initial_data_size;
    TfLiteDelegate* delegate;
    bool might_have_side_effect;
};

struct TfLiteContext;

struct TfLiteRegistration {
    void* (*init)(TfLiteContext* context, const char* buffer, std::size_t length);
    void (*free)(TfLiteContext* context, void* buffer);
    TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
    TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
    const char* (*profiling_string)(const TfLiteContext* context, const TfLiteNode* node);
    std::int32_t builtin_code;
    const char* custom_name;
    int version;
    // Later. A delegate hands its registration over by value. With them, the copy is at least as
    // long as what any interpreter reads.
    void* registration_external;
    void* async_kernel;
    std::uint64_t inplace_operator;
    std::uint64_t reserved[5];  // of this project: zeros for what interpreters may yet add
};

/// The nodes that one kernel of a delegate replaces; its `init` gets this.
struct TfLiteDelegateParams {
    TfLiteDelegate* delegate;
    TfLiteIntArray* nodes_to_replace;
    TfLiteIntArray* input_tensors;
    TfLiteIntArray* output_tensors;
};

/// The interpreter's view of one graph. The functions about nodes may be called while a delegate
/// prepares only.
struct TfLiteContext {
    std::size_t tensors_size;
    /// The next call makes the former plan invalid.
    TfLiteStatus (*GetExecutionPlan)(TfLiteContext*, TfLiteIntArray** plan);
    TfLiteTensor* tensors;
    void* impl_;
    /// Takes over `size`, which is made by malloc().
    TfLiteStatus (*ResizeTensor)(TfLiteContext*, TfLiteTensor*, TfLiteIntArray* size);
    void (*ReportError)(TfLiteContext*, const char* format, ...);
    TfLiteStatus (*AddTensors)(TfLiteContext*, int count, int* first);
    TfLiteStatus (*GetNodeAndRegistration)(TfLiteContext*, int node, TfLiteNode**,
                                           TfLiteRegistration**);
    TfLiteStatus (*ReplaceNodeSubsetsWithDelegateKernels)(TfLiteContext*, TfLiteRegistration,
                                                          const TfLiteIntArray* nodes,
                                                          TfLiteDelegate*);
    int recommended_num_threads;
    void* GetExternalContext;
    void* SetExternalContext;
    bool allow_fp32_relax_to_fp16;
    void* profiler;
    void* AllocatePersistentBuffer;
    void* AllocateBufferForEval;
    void* RequestScratchBufferInArena;
    void* GetScratchBuffer;
    void* ResizeTensorExplicit;  // null in some interpreters
    /// How ReplaceNodeSubsetsWithDelegateKernels would divide the nodes. The interpreter keeps the
    /// parameters until the next call.
    TfLiteStatus (*PreviewDelegatePartitioning)(TfLiteContext*, const TfLiteIntArray* nodes,
                                                TfLiteDelegateParams** partitions, int* count);
    void* GetTensor;
    void* GetEvalTensor;
    void* GetModelMetadata;
};

struct TfLiteDelegate {
    void* data_;
    TfLiteStatus (*Prepare)(TfLiteContext*, TfLiteDelegate*);
    void* CopyFromBufferHandle;
    void* CopyToBufferHandle;
    void* FreeBufferHandle;
    std::int64_t flags;
    void* opaque_delegate_builder;  // later
    std::uint64_t reserved[4];      // of this project, as in TfLiteRegistration
};

// NOLINTEND(readability-identifier-naming)

// source: the structures' declarations, laid out by the rules of the LP64 data model
static_assert(sizeof(void*) == 8 && sizeof(int) == 4 && sizeof(bool) == 1);
static_assert(sizeof(TfLiteTensor) == 112 && offsetof(TfLiteTensor, bytes) == 40 &&
              offsetof(TfLiteTensor, is_variable) == 77 &&
              offsetof(TfLiteTensor, quantization) == 80 &&
              offsetof(TfLiteTensor, dims_signature) == 104);
static_assert(sizeof(TfLiteNode) == 80 && offsetof(TfLiteNode, builtin_data) == 40 &&
              offsetof(TfLiteNode, delegate) == 64);
static_assert(offsetof(TfLiteRegistration, builtin_code) == 40 &&
              offsetof(TfLiteRegistration, version) == 56 &&
              offsetof(TfLiteRegistration, reserved) == 88);
static_assert(sizeof(TfLiteContext) == 184 && offsetof(TfLiteContext, tensors) == 16 &&
              offsetof(TfLiteContext, ReplaceNodeSubsetsWithDelegateKernels) == 64 &&
              offsetof(TfLiteContext, allow_fp32_relax_to_fp16) == 96 &&
              offsetof(TfLiteContext, PreviewDelegatePartitioning) == 152);
static_assert(offsetof(TfLiteDelegate, flags) == 40 && offsetof(TfLiteDelegate, reserved) == 56);
static_assert(sizeof(TfLiteDelegateParams) == 32 && sizeof(TfLiteAffineQuantization) == 24 &&
              sizeof(TfLiteSparsity) == 32 && sizeof(TfLiteDimensionMetadata) == 24);

}  // namespace vnpu::sim::tflite_abi
