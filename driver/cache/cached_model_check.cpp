// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cached_model_check.h"

#include <fmt/format.h>

#include <optional>

#include "driver/validation/dimensions.h"
#include "driver/validation/operand_types.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_vec;

namespace {

tl::unexpected<Error> misfit(std::string reason) {
    return fail(ErrorStatus::GENERAL_FAILURE, std::move(reason));
}

/// Whether the operand may have this shape. `isOpen`: the device determines the unknown dimensions.
bool isShapeOf(const TensorShape& shape, const nn::V1_3::Operand& operand, bool isOpen) {
    const auto& declared = operand.dimensions;
    if (isOpen) {
        return shape.sizeBytes == 0 && hidl_vec<std::uint32_t>(shape.dimensions) == declared;
    }
    if (combineDimensions(declared, shape.dimensions) != shape.dimensions) {
        return false;
    }
    const auto sizeBytes = sizeOfData(operand.type, hidl_vec<std::uint32_t>(shape.dimensions));
    return sizeBytes.has_value() && *sizeBytes > 0 && *sizeBytes == shape.sizeBytes;
}

template <typename IsOpen>
Result<void> checkShapes(const std::vector<TensorShape>& shapes,
                         const hidl_vec<std::uint32_t>& indexes, const nn::V1_3::Model& model,
                         const char* what, const IsOpen& isOpen) {
    if (shapes.size() != indexes.size()) {
        return misfit(fmt::format("cached model is compiled for {} {}s, it has {}", shapes.size(),
                                  what, indexes.size()));
    }
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
        if (!isShapeOf(shapes[i], model.main.operands[indexes[i]], isOpen(i))) {
            return misfit(fmt::format("cached model is compiled for another {} {}", what, i));
        }
    }
    return {};
}

/// Bytes that exist behind a region, or nothing if it does not exist at all.
std::optional<std::uint64_t> bytesBehind(const Region& region, const CompiledModel& compiled,
                                         const nn::V1_3::Model& model) {
    const auto sizeIn = [&](const auto& list, const auto& sizeOf) {
        return region.index < list.size() ? std::optional<std::uint64_t>(sizeOf(list[region.index]))
                                          : std::nullopt;
    };
    const auto bytes = [](const TensorShape& shape) { return shape.sizeBytes; };
    switch (region.kind) {
        case RegionKind::kDriverConstants:
            return compiled.constants.size();
        case RegionKind::kConstantPool:
            return sizeIn(model.pools, [](const auto& pool) { return pool.size(); });
        case RegionKind::kScratch:
            return compiled.scratchBytes;
        case RegionKind::kInput:
            return sizeIn(compiled.inputs, bytes);
        case RegionKind::kOutput:
            return sizeIn(compiled.outputs, bytes);
    }
    return std::nullopt;
}

Result<void> checkRegion(const Region& region, const CompiledModel& compiled,
                         const nn::V1_3::Model& model) {
    const auto available = bytesBehind(region, compiled, model);
    if (!available || region.sizeBytes > *available) {
        return misfit(
                fmt::format("cached model uses {} bytes of region {} of kind {}, which has {}",
                            region.sizeBytes, region.index, static_cast<unsigned>(region.kind),
                            available.value_or(0)));
    }
    const bool mayBeWritten =
            region.kind == RegionKind::kScratch || region.kind == RegionKind::kOutput;
    if (region.isWritable && !mayBeWritten) {
        return misfit(fmt::format("cached model writes to region {} of kind {}", region.index,
                                  static_cast<unsigned>(region.kind)));
    }
    return {};
}

Result<void> checkDynamicTensors(const CompiledModel& compiled) {
    const std::size_t count = compiled.dynamicTensors.size();
    const std::uint64_t shapes =
            count == 0 ? 0 : count * sizeof(hw::DspShape) + CompiledModel::kSpareBytes;
    if (shapes > compiled.scratchBytes) {
        return misfit(
                fmt::format("cached model has {} tensors of unknown shape and {} bytes for it",
                            count, compiled.scratchBytes));
    }
    for (const DynamicTensor& tensor : compiled.dynamicTensors) {
        if (tensor.output != DynamicTensor::kInternal && tensor.output >= compiled.outputs.size()) {
            return misfit(fmt::format("cached model sizes output {} of {}", tensor.output,
                                      compiled.outputs.size()));
        }
    }
    return {};
}

}  // namespace

Result<void> checkCompiled(const CompiledModel& compiled, const nn::V1_3::Model& model,
                           std::uint64_t memoryBytes) {
    VNPU_TRY(checkShapes(compiled.inputs, model.main.inputIndexes, model, "input",
                         [](std::uint32_t) { return false; }));
    VNPU_TRY(checkShapes(compiled.outputs, model.main.outputIndexes, model, "output",
                         [&](std::uint32_t i) { return compiled.isDynamicOutput(i); }));
    VNPU_TRY(checkDynamicTensors(compiled));
    if (compiled.scratchBytes > memoryBytes ||
        compiled.constants.size() > memoryBytes - compiled.scratchBytes) {
        return misfit(fmt::format("cached model takes {} and {} bytes, the device has {}",
                                  compiled.scratchBytes, compiled.constants.size(), memoryBytes));
    }
    if (compiled.saveBytes > memoryBytes) {
        return misfit(fmt::format("cached model saves {} bytes, the device has {}",
                                  compiled.saveBytes, memoryBytes));
    }
    for (const Region& region : compiled.regions) {
        VNPU_TRY(checkRegion(region, compiled, model));
    }
    for (const OperationEstimate& estimate : compiled.operations) {
        if (estimate.operation >= model.main.operations.size()) {
            return misfit(fmt::format("cached model has an estimate for operation {} of {}",
                                      estimate.operation, model.main.operations.size()));
        }
    }
    return {};
}

}  // namespace vnpu::driver
