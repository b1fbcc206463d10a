// SPDX-License-Identifier: Apache-2.0
#pragma once

// The compiler's own form of a model: tensors, where their bytes lie, and nodes that each become a
// run of commands.

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"
#include "driver/compiler/ir/copy_axes.h"
#include "driver/compiler/ir/quantization.h"
#include "driver/compiler/ir/shape.h"
#include "driver/compiler/ir/window_reach.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

using TensorId = std::uint32_t;
using StorageId = std::uint32_t;
inline constexpr TensorId kNoTensor = std::numeric_limits<TensorId>::max();
inline constexpr StorageId kNoStorage = std::numeric_limits<StorageId>::max();

/// The size of a filter's code over the size of the filter, times kPlainShare.
inline constexpr std::uint32_t kPlainShare = 1024;

enum class StorageKind : std::uint8_t {
    kConstants,  // offset into CompiledModel::constants
    kPool,       // index: pool of the model
    kInput,      // index: model input
    kOutput,     // index: model output
    kScratch,    // offset set by the scratch planner
    kSramCopy,   // a copy of `original`, which its readers take if the SRAM has no room
};

/// Bytes in device-visible memory that one tensor, or several aliases, occupy.
struct Storage {
    StorageKind kind = StorageKind::kScratch;
    std::uint32_t index = 0;
    std::uint64_t offset = 0;
    std::uint64_t sizeBytes = 0;
    TensorId original = kNoTensor;  // kSramCopy
    bool isPiece = false;           // kScratch: of a tensor within a group of stripes
    /// kInput: bytes of a pixel if loads take a row for each pixel (pixel_reads.h); 0: long rows.
    std::uint32_t pixelBytes = 0;
    bool isImage = false;  // kInput, kOutput: an image with gaps, of sizeBytes (image_rows.h)
};

struct Tensor {
    android::hardware::neuralnetworks::V1_3::OperandType type{};
    Shape shape;
    float scale = 0.0F;
    std::int32_t zeroPoint = 0;
    std::vector<float> channelScales;  // TENSOR_QUANT8_SYMM_PER_CHANNEL
    std::uint32_t channelDimension = 0;
    std::optional<StorageId> channelScaleStorage;  // where the DSP reads the scales
    StorageId storage = kNoStorage;
    std::uint64_t byteOffset = 0;            // within the storage
    bool isOmitted = false;                  // an input that the request leaves out
    std::uint32_t codedShare = kPlainShare;  // of a filter: as ConvNode's
    /// Index of the job's hw::DspShape, for a tensor whose dimensions only the device determines.
    /// `shape` is then the declared one, and the storage has a size of its own.
    std::optional<std::uint32_t> shapeIndex;

    bool isDynamic() const { return shapeIndex.has_value(); }

    /// The engines' type for it; kInt32 for every type that the engines cannot take.
    hw::ElementType elementType() const;
    std::uint32_t elementBytes() const;
    /// Of any NNAPI type, including those that the engines cannot take.
    std::uint64_t sizeBytes() const;
};

/// Windows over a batch of NHWC tensors.
struct WindowGeometry {
    std::uint32_t batches = 1;
    std::uint32_t inputHeight = 1, inputWidth = 1, inputChannels = 1;
    std::uint32_t outputHeight = 1, outputWidth = 1, outputChannels = 1;
    std::uint32_t filterHeight = 1, filterWidth = 1;
    std::uint32_t strideHeight = 1, strideWidth = 1;
    std::uint32_t dilationHeight = 1, dilationWidth = 1;
    std::int32_t padTop = 0, padLeft = 0;  // negative: the first windows begin inside

    WindowWalk rows() const {
        return {inputHeight, strideHeight, filterHeight, dilationHeight, padTop};
    }
    WindowWalk columns() const {
        return {inputWidth, strideWidth, filterWidth, dilationWidth, padLeft};
    }
    auto operator<=>(const WindowGeometry&) const = default;
};

/// What convolutions and pools have in common.
struct ImageNode {
    TensorId input = kNoTensor, output = kNoTensor;
    WindowGeometry geometry;
    std::uint64_t outputPixelStride = 0;  // elements; 0: pixels lie side by side
};

/// A convolution, depthwise convolution or matrix product. `prototype` holds types, zero points,
/// multiplier, clamp and flags. Each of several groups maps its share of the input's channels to
/// its share of the output's.
struct ConvNode : ImageNode {
    TensorId filter = kNoTensor, bias = kNoTensor;
    std::uint32_t depthMultiplier = 0;       // 0: not depthwise
    std::uint32_t groups = 1;                // 1 if depthwise
    StorageId scaleTable = kNoStorage;       // {multiplier, shift} per output channel
    std::uint32_t firstScale = 0;            // where those of the first output channel lie in it
    std::uint32_t codedShare = kPlainShare;  // of the filter's bytes, an estimate
    std::uint64_t outputRowStride = 0, outputImageStride = 0;  // as outputPixelStride
    hw::MacConv prototype{};

    bool isDepthwise() const { return depthMultiplier != 0; }
    std::uint32_t groupInputs() const { return geometry.inputChannels / groups; }
    std::uint32_t groupOutputs() const { return geometry.outputChannels / groups; }
};

struct PoolNode : ImageNode {
    hw::VecPool prototype{};
};

/// An operand over the index space of a BlockNode: element strides (0: does not depend on that
/// dimension) from `offset`.
struct BlockOperand {
    TensorId tensor = kNoTensor;
    std::uint64_t offset = 0;  // elements
    std::array<std::uint64_t, 4> strides{};
    /// Extents along dimensions that every block covers completely, such as a resized image's rows;
    /// the node's extent must be 1 there. 0: the block's extent.
    Shape4 whole{};
    std::uint8_t slot = 0;  // hw::VecOperator: which of its operands it is
    /// hw::VecOperator: dimensions (bit d) that the tile's shape does not have, such as an
    /// arg-max's axis.
    std::uint8_t droppedDimensions = 0;
    /// hw::VecOperator: the order in which the block's dimensions lie in the tile, outermost first.
    std::array<std::uint8_t, 4> order{0, 1, 2, 3};

    /// Elements along dimension `d` that a block covers.
    std::uint32_t extent(std::size_t d, const Shape4& block) const {
        if (whole[d] != 0) {
            return whole[d];
        }
        return strides[d] != 0 ? block[d] : 1;
    }
};

/// Vector work that consists of independent blocks of a four-dimensional index space. The last
/// `outputCount` operands are outputs. The prototype's addresses and extents are open.
struct BlockNode {
    Shape4 dims{1, 1, 1, 1};
    std::array<bool, 4> isWhole{};  // this dimension cannot be divided
    std::vector<BlockOperand> operands;
    std::size_t outputCount = 1;
    StorageId table = kNoStorage;  // 256 bytes
    std::variant<hw::VecEltwise, hw::VecUnary, hw::VecSoftmax, hw::VecReduce, hw::VecOperator>
            prototype;

    bool isOutput(std::size_t operand) const { return operand + outputCount >= operands.size(); }
};

/// A copy between two tensors, by element steps and offsets on either side.
struct CopyNode {
    TensorId input = kNoTensor, output = kNoTensor;
    CopyAxes axes{};
    std::uint64_t inputOffset = 0, outputOffset = 0;
    bool isReshape = false;  // may become an alias
    bool isPart = false;     // of a concatenation: [rows][elements], may be written in place
};

/// Of the first `elements` elements, in one row.
inline CopyNode copyOf(TensorId input, TensorId output, std::uint64_t elements) {
    return {input, output, {{elements, 1, 1}}};
}

/// The copy back, from output to input.
CopyNode reversed(CopyNode copy);

/// Fills a tensor with one value.
struct FillNode {
    TensorId output = kNoTensor;
    std::uint32_t pattern = 0;
    bool isZero = false;  // of a pad: the value with which a convolution pads
};

/// An operator that the DSP executes whole. kNoTensor: an operand that is left out.
struct OperatorNode {
    hw::Operator op{};
    std::vector<TensorId> inputs, outputs;
    StorageId descriptor = kNoStorage;  // room for its hw::DspOperands among the constants
};

/// A step of the controller. Between two of them commands may be reordered, and no tensor stays in
/// SRAM beyond one.
struct ControlNode {
    enum class Kind : std::uint8_t {
        kLabel,   // branches come here
        kLoop,    // a loop's time begins
        kBranch,  // on to a label, always or by a condition
    };
    Kind kind = Kind::kLabel;
    std::uint32_t label = 0;         // of this place, or where the branch goes
    TensorId condition = kNoTensor;  // kBranch: a bool of one element; kNoTensor: always
    bool isInverted = false;         // kBranch: if the condition is false
    /// kLoop, and the branch back: how deep it is nested.
    std::optional<std::uint32_t> loop = std::nullopt;
};

inline constexpr std::uint32_t kNoConstruct = std::numeric_limits<std::uint32_t>::max();

struct Node {
    std::uint32_t operation = 0;  // of the main subgraph
    std::variant<ConvNode, PoolNode, BlockNode, CopyNode, FillNode, OperatorNode, ControlNode> work;
    std::uint32_t construct = kNoConstruct;  // which outermost IF or WHILE it is part of
    bool isStripe = false;  // one of the nodes into which stripes.h has cut that of the operation
};

/// The node's convolution or pool; null for any other work.
ImageNode* imageNodeOf(Node& node);
const ImageNode* imageNodeOf(const Node& node);

/// The one tensor, or the last one, of a node that the MAC array, the vector unit or the DMA carry
/// out.
TensorId outputOf(const Node& node);

struct Graph {
    std::vector<Tensor> tensors;  // the model's operands first, in their order
    std::vector<Storage> storages;
    std::vector<Node> nodes;  // in execution order
    std::vector<TensorId> inputs, outputs;
    std::vector<DynamicTensor> dynamicTensors;  // by shapeIndex
    std::uint32_t labels = 0, constructs = 0;

    bool hasControlFlow() const { return constructs != 0; }
    const Storage& storageOf(TensorId tensor) const { return storages[tensors[tensor].storage]; }
    bool isConstant(TensorId tensor) const {
        const StorageKind kind = storageOf(tensor).kind;
        return kind == StorageKind::kConstants || kind == StorageKind::kPool;
    }
    /// Storage::pixelBytes of the tensor, or of its original if it is a copy in SRAM.
    std::uint32_t pixelBytesOf(TensorId tensor) const {
        return storageOf(originalOf(tensor)).pixelBytes;
    }
    /// The tensor, or its original if it is a copy in SRAM.
    TensorId originalOf(TensorId tensor) const {
        const Storage& storage = storageOf(tensor);
        return storage.kind == StorageKind::kSramCopy ? storage.original : tensor;
    }
};

}  // namespace vnpu::driver
