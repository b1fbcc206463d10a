// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/frontend/base/graph_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

using android::hardware::neuralnetworks::V1_2::Operand;
using android::hardware::neuralnetworks::V1_3::OperandLifeTime;
using android::hardware::neuralnetworks::V1_3::OperandType;

// chosen: DMA strides are 32 bits wide and signed arithmetic on offsets must not overflow
constexpr std::uint64_t kMaxTensorBytes = 0x7FFFFFFF;
constexpr std::uint32_t kConstantAlignment = 16;  // chosen: one beat of a DMA channel

// chosen: first guess for a tensor that the device sizes; one page
constexpr std::uint64_t kFirstCapacityBytes = 4096;

Tensor describe(const ModelReader::Operand& operand) {
    Tensor tensor;
    tensor.type = operand.type;
    tensor.shape = operand.dimensions;
    tensor.scale = operand.scale;
    tensor.zeroPoint = operand.zeroPoint;
    if (operand.extraParams.getDiscriminator() ==
        Operand::ExtraParams::hidl_discriminator::channelQuant) {
        tensor.channelScales = operand.extraParams.channelQuant().scales;
        tensor.channelDimension = operand.extraParams.channelQuant().channelDim;
    }
    return tensor;
}

/// Not an extension's.
bool isDeviceType(OperandType type) {
    return static_cast<std::size_t>(type) < hw::kTensorTypeCount;
}

bool isScalarType(OperandType type) {
    return hw::isScalar(static_cast<hw::TensorType>(type));
}

Checked<void> requireSize(const Tensor& tensor, const std::string& what) {
    if (elementCount(tensor.shape) > kMaxTensorBytes / 4) {
        return exhausted(fmt::format("{} has shape {}, the device takes tensors of {} bytes", what,
                                     toText(tensor.shape), kMaxTensorBytes));
    }
    return {};
}

}  // namespace

GraphBuilder::GraphBuilder(const ModelReader& reader, const CompileOptions& options)
    : frame_{&reader, 0, kNoConstruct, 0}, options_(options) {
    const auto& main = reader.graph();
    for (const auto& operand : main.operands) {
        graph_.tensors.push_back(describe(operand));
    }
    for (std::size_t i = 0; i < main.inputIndexes.size(); ++i) {
        const std::uint32_t operand = main.inputIndexes[i];
        Tensor& tensor = graph_.tensors[operand];
        tensor.storage = addStorage({StorageKind::kInput, static_cast<std::uint32_t>(i), 0, 0});
        tensor.isOmitted = i < options.omittedInputs.size() && options.omittedInputs[i];
        graph_.inputs.push_back(operand);
        if (i < options.inputDimensions.size() && !options.inputDimensions[i].empty()) {
            tensor.shape = options.inputDimensions[i];
        }
    }
    for (std::size_t i = 0; i < main.outputIndexes.size(); ++i) {
        const bool isOmitted = i < options.omittedOutputs.size() && options.omittedOutputs[i];
        graph_.tensors[main.outputIndexes[i]].storage =
                addStorage({isOmitted ? StorageKind::kScratch : StorageKind::kOutput,
                            static_cast<std::uint32_t>(i), 0, 0});
        graph_.outputs.push_back(main.outputIndexes[i]);
    }
}

GraphBuilder::Frame GraphBuilder::enterConstruct() {
    const Frame outer = frame_;
    if (frame_.construct == kNoConstruct) {
        frame_.construct = graph_.constructs++;
    }
    return outer;
}

GraphBuilder::Frame GraphBuilder::enter(const ModelReader& reader) {
    const Frame outer = frame_;
    frame_ = {&reader, static_cast<TensorId>(graph_.tensors.size()), outer.construct,
              outer.nesting + 1};
    for (const auto& operand : reader.graph().operands) {
        graph_.tensors.push_back(describe(operand));
    }
    return outer;
}

Checked<void> GraphBuilder::attempt(const OperationReader& operation, Lowering lower) {
    const Mark mark{frame_,
                    loopDepth_,
                    graph_.nodes.size(),
                    graph_.tensors.size(),
                    graph_.storages.size(),
                    constants_.size()};
    auto lowered = lower(*this, operation);
    if (!lowered) {
        takeBack(mark, operation);
    }
    return lowered;
}

void GraphBuilder::takeBack(const Mark& mark, const OperationReader& operation) {
    const auto shorten = [](auto& list, std::size_t size) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(size), list.end());
    };
    frame_ = mark.frame;
    loopDepth_ = mark.loopDepth;
    shorten(graph_.nodes, mark.nodes);
    shorten(graph_.tensors, mark.tensors);
    shorten(graph_.storages, mark.storages);
    shorten(constants_, mark.constantBytes);
    const auto forgetStorage = [&](std::uint32_t operand) {
        Tensor& tensor = graph_.tensors[tensorOf(operand)];
        if (tensor.storage >= mark.storages) {
            tensor.storage = kNoStorage;
        }
        if (tensor.channelScaleStorage && *tensor.channelScaleStorage >= mark.storages) {
            tensor.channelScaleStorage.reset();
        }
    };
    for (std::size_t i = 0; i < operation.inputCount(); ++i) {
        forgetStorage(operation.inputOperand(i));
    }
    for (std::size_t o = 0; o < operation.outputCount(); ++o) {
        forgetStorage(operation.outputOperand(o));
    }
}

StorageId GraphBuilder::addConstant(std::span<const std::byte> bytes, std::uint32_t alignment) {
    constants_.resize(hw::roundUp(constants_.size(), alignment));
    const StorageId id = addStorage({StorageKind::kConstants, 0, constants_.size(), bytes.size()});
    constants_.insert(constants_.end(), bytes.begin(), bytes.end());
    return id;
}

/// Gives a constant its storage.
Checked<void> GraphBuilder::materialize(std::uint32_t operand) {
    Tensor& tensor = graph_.tensors[tensorOf(operand)];
    const auto& source = frame_.reader->operand(operand);
    const bool isReference = source.lifetime == OperandLifeTime::CONSTANT_REFERENCE;
    const auto bytes = frame_.reader->constant(operand);
    if (!bytes && !(isReference && bytes.error().kind == Refusal::Kind::kUndetermined)) {
        return tl::unexpected(bytes.error());
    }
    // A reference stays in its pool; without pools only its place is known.
    tensor.storage = isReference
                             ? addStorage({StorageKind::kPool, source.location.poolIndex,
                                           source.location.offset, tensor.sizeBytes()})
                             : addConstant(bytes->first(tensor.sizeBytes()), kConstantAlignment);
    return {};
}

Checked<TensorId> GraphBuilder::withStorage(std::uint32_t operand) {
    const TensorId id = tensorOf(operand);
    if (graph_.tensors[id].storage == kNoStorage) {
        if (frame_.reader->isConstant(operand)) {
            VNPU_TRY(materialize(operand));
        } else {
            graph_.tensors[id].storage = addStorage({});
        }
    }
    return id;
}

bool GraphBuilder::isLeftOut(std::uint32_t operand) const {
    return frame_.reader->operand(operand).lifetime == OperandLifeTime::NO_VALUE ||
           graph_.tensors[tensorOf(operand)].isOmitted;
}

Checked<TensorId> GraphBuilder::use(std::uint32_t operand) {
    const Tensor& tensor = graph_.tensors[tensorOf(operand)];
    const bool isOpen = !frame_.reader->isConstant(operand) && !isSettled(tensor.shape);
    if (isLeftOut(operand) || tensor.isDynamic() || isOpen || !isDeviceType(tensor.type)) {
        return untiled();
    }
    VNPU_TRY(requireSize(tensor, fmt::format("operand {}", operand)));
    return withStorage(operand);
}

Checked<TensorId> GraphBuilder::useWhole(std::uint32_t operand) {
    const TensorId id = tensorOf(operand);
    const Tensor& tensor = graph_.tensors[id];
    if (isLeftOut(operand)) {
        return kNoTensor;
    }
    if (!isDeviceType(tensor.type)) {
        return unsupported(fmt::format("operand {} is {}, which the device does not know", operand,
                                       toString(tensor.type)));
    }
    const bool hasFixedShape = !tensor.isDynamic() && !isScalarType(tensor.type);
    if (hasFixedShape && !isSettled(tensor.shape)) {
        return undetermined(
                fmt::format("operand {} has unknown dimensions {}", operand, toText(tensor.shape)));
    }
    if (tensor.shape.size() > hw::kMaxTensorRank) {
        return unsupported(fmt::format("operand {} has rank {}, expected up to {}", operand,
                                       tensor.shape.size(), hw::kMaxTensorRank));
    }
    if (hasFixedShape) {
        VNPU_TRY(requireSize(tensor, fmt::format("operand {}", operand)));
    }
    VNPU_TRY(withStorage(operand));
    if (!tensor.channelScales.empty() && !tensor.channelScaleStorage) {
        const StorageId scales =
                addConstant(std::as_bytes(std::span(tensor.channelScales)), kConstantAlignment);
        graph_.tensors[id].channelScaleStorage = scales;
    }
    return id;
}

Checked<TensorId> GraphBuilder::outputWhole(std::uint32_t operand) {
    const TensorId id = tensorOf(operand);
    const Tensor& tensor = graph_.tensors[id];
    if (tensor.shape.size() > hw::kMaxTensorRank) {
        return unsupported(fmt::format("output has rank {}, expected up to {}", tensor.shape.size(),
                                       hw::kMaxTensorRank));
    }
    if (!tensor.isDynamic() && !isScalarType(tensor.type) && !isSettled(tensor.shape)) {
        VNPU_TRY(makeDynamic(id));
    }
    return useWhole(operand);
}

Checked<void> GraphBuilder::makeDynamic(TensorId id) {
    Tensor& tensor = graph_.tensors[id];
    if (tensor.isDynamic()) {
        return {};
    }
    if (tensor.storage == kNoStorage) {
        tensor.storage = addStorage({});
    }
    const auto index = static_cast<std::uint32_t>(graph_.dynamicTensors.size());
    Storage& storage = graph_.storages[tensor.storage];
    DynamicTensor dynamic;
    if (storage.kind == StorageKind::kOutput) {
        dynamic.output = storage.index;
    } else {
        const std::uint64_t asked =
                index < options_.capacities.size() ? options_.capacities[index] : 0;
        dynamic.capacityBytes = std::max(asked, kFirstCapacityBytes);
        storage.sizeBytes = std::max(storage.sizeBytes, dynamic.capacityBytes);
        if (storage.sizeBytes > kMaxTensorBytes) {
            return exhausted(fmt::format("a tensor takes {} bytes, the device takes up to {}",
                                         storage.sizeBytes, kMaxTensorBytes));
        }
    }
    tensor.shapeIndex = index;
    graph_.dynamicTensors.push_back(dynamic);
    return {};
}

Checked<TensorId> GraphBuilder::output(const OperationReader& operation, const Shape& shape,
                                       std::size_t o) {
    const std::uint32_t operand = operation.outputOperand(o);
    Tensor& tensor = graph_.tensors[tensorOf(operand)];
    if (tensor.isDynamic()) {
        return untiled();
    }
    if (!agrees(tensor.shape, shape)) {
        return contradictory(fmt::format("output has shape {} in the model, computed {}",
                                         toText(tensor.shape), toText(shape)));
    }
    tensor.shape = shape;
    if (!isKnown(shape)) {
        return untiled();
    }
    VNPU_TRY(requireSize(tensor, "output"));
    return use(operand);
}

TensorId GraphBuilder::temporary(TensorId like, const Shape& shape) {
    Tensor fresh = graph_.tensors[like];
    fresh.shape = shape;
    fresh.storage = addStorage({});
    return addTensor(std::move(fresh));
}

TensorId GraphBuilder::newTensor(OperandType type, const Shape& shape) {
    Tensor fresh;
    fresh.type = type;
    fresh.shape = shape;
    fresh.storage = addStorage({});
    return addTensor(std::move(fresh));
}

TensorId GraphBuilder::view(TensorId whole, const Shape& shape, std::uint64_t offset) {
    Tensor part = graph_.tensors[whole];
    part.shape = shape;
    part.byteOffset += offset * part.elementBytes();
    return addTensor(std::move(part));
}

TensorId GraphBuilder::constant(Tensor description, std::span<const std::byte> bytes) {
    description.storage = addConstant(bytes, kConstantAlignment);
    return addTensor(std::move(description));
}

void GraphBuilder::addWhole(std::uint32_t operation, OperatorNode node) {
    const std::vector<std::byte> room((node.inputs.size() + node.outputs.size()) *
                                      sizeof(hw::DspOperand));
    node.descriptor = addConstant(room, alignof(hw::DspOperand));
    add(operation, std::move(node));
}

Checked<std::span<const std::byte>> GraphBuilder::constantBytes(TensorId id) const {
    if (!isConstant(id)) {
        return untiled();
    }
    const Storage& storage = graph_.storageOf(id);
    const std::uint64_t sizeBytes = graph_.tensors[id].sizeBytes();
    if (storage.kind == StorageKind::kPool) {
        return frame_.reader->poolBytes(storage.index, storage.offset, sizeBytes);
    }
    return std::span(constants_).subspan(storage.offset, sizeBytes);
}

bool isEngineType(OperandType type) {
    return type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

bool isSameQuantization(const Tensor& a, const Tensor& b) {
    return a.type == b.type && (a.elementType() == hw::ElementType::kFloat32 ||
                                (a.scale == b.scale && a.zeroPoint == b.zeroPoint));
}

}  // namespace vnpu::driver
