// SPDX-License-Identifier: Apache-2.0
#include <cached_model_generated.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "driver/cache/cache_files.h"
#include "driver/cache/cached_model.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_vec;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace {

template <typename T>
auto encode(FlatBufferBuilder& builder, const hidl_vec<T>& values) {
    return builder.CreateVector(values.data(), values.size());
}

auto encode(FlatBufferBuilder& builder, const std::vector<std::byte>& bytes) {
    return builder.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

Offset<cache::Operand> encode(FlatBufferBuilder& builder, const nn::V1_3::Operand& operand) {
    using Extra = nn::V1_2::Operand::ExtraParams::hidl_discriminator;
    const auto dimensions = encode(builder, operand.dimensions);
    const Extra kind = operand.extraParams.getDiscriminator();
    Offset<flatbuffers::Vector<float>> scales;
    Offset<flatbuffers::Vector<std::uint8_t>> extension;
    if (kind == Extra::channelQuant) {
        scales = encode(builder, operand.extraParams.channelQuant().scales);
    } else if (kind == Extra::extension) {
        extension = encode(builder, operand.extraParams.extension());
    }
    const cache::Location location(operand.location.poolIndex, operand.location.offset,
                                   operand.location.length);
    cache::OperandBuilder table(builder);
    table.add_type(static_cast<std::int32_t>(operand.type));
    table.add_dimensions(dimensions);
    table.add_consumers(operand.numberOfConsumers);
    table.add_scale(operand.scale);
    table.add_zero_point(operand.zeroPoint);
    table.add_lifetime(static_cast<std::int32_t>(operand.lifetime));
    table.add_location(&location);
    table.add_extra_kind(static_cast<std::uint8_t>(kind));
    if (kind == Extra::channelQuant) {
        table.add_channel_scales(scales);
        table.add_channel_dimension(operand.extraParams.channelQuant().channelDim);
    } else if (kind == Extra::extension) {
        table.add_extension(extension);
    }
    return table.Finish();
}

Offset<cache::Subgraph> encode(FlatBufferBuilder& builder, const nn::V1_3::Subgraph& subgraph) {
    std::vector<Offset<cache::Operand>> operands;
    for (const auto& operand : subgraph.operands) {
        operands.push_back(encode(builder, operand));
    }
    std::vector<Offset<cache::Operation>> operations;
    for (const auto& operation : subgraph.operations) {
        const auto inputs = encode(builder, operation.inputs);
        const auto outputs = encode(builder, operation.outputs);
        operations.push_back(cache::CreateOperation(
                builder, static_cast<std::int32_t>(operation.type), inputs, outputs));
    }
    const auto operandVector = builder.CreateVector(operands);
    const auto operationVector = builder.CreateVector(operations);
    const auto inputs = encode(builder, subgraph.inputIndexes);
    const auto outputs = encode(builder, subgraph.outputIndexes);
    return cache::CreateSubgraph(builder, operandVector, operationVector, inputs, outputs);
}

auto encode(FlatBufferBuilder& builder, const std::vector<TensorShape>& shapes) {
    std::vector<Offset<cache::Shape>> tables;
    for (const TensorShape& shape : shapes) {
        const auto dimensions = builder.CreateVector(shape.dimensions);
        tables.push_back(cache::CreateShape(builder, dimensions, shape.sizeBytes));
    }
    return builder.CreateVector(tables);
}

auto encode(FlatBufferBuilder& builder, const std::vector<OperationEstimate>& estimates) {
    std::vector<Offset<cache::Estimate>> tables;
    for (const OperationEstimate& estimate : estimates) {
        const auto name = builder.CreateString(estimate.name);
        tables.push_back(cache::CreateEstimate(builder, estimate.operation, name, estimate.cycles,
                                               estimate.macs, estimate.dramBytes, estimate.commands,
                                               estimate.isFolded));
    }
    return builder.CreateVector(tables);
}

Offset<cache::Compiled> encode(FlatBufferBuilder& builder, const CompiledModel& compiled) {
    std::vector<cache::Region> regions;
    for (const Region& region : compiled.regions) {
        regions.emplace_back(region.sizeBytes, region.index, static_cast<std::uint8_t>(region.kind),
                             region.isWritable);
    }
    const auto commands = encode(builder, compiled.commands);
    const auto regionVector = builder.CreateVectorOfStructs(regions);
    const auto constants = encode(builder, compiled.constants);
    const auto inputs = encode(builder, compiled.inputs);
    const auto outputs = encode(builder, compiled.outputs);
    const auto operations = encode(builder, compiled.operations);
    std::vector<cache::DynamicTensor> dynamic;
    for (const DynamicTensor& tensor : compiled.dynamicTensors) {
        dynamic.emplace_back(tensor.capacityBytes, tensor.output);
    }
    const auto dynamicVector = builder.CreateVectorOfStructs(dynamic);
    return cache::CreateCompiled(builder, commands, compiled.commandCount, regionVector, constants,
                                 compiled.scratchBytes, compiled.sramBytesUsed, inputs, outputs,
                                 operations, compiled.estimatedCycles, dynamicVector,
                                 compiled.checkpointCount, compiled.saveBytes,
                                 compiled.longestIntervalCycles, compiled.sramBlocks);
}

using Ranges = std::vector<cache::Range>;

void addReferences(const nn::V1_3::Subgraph& subgraph, std::vector<Ranges>& ranges) {
    for (const auto& operand : subgraph.operands) {
        if (operand.lifetime == nn::V1_3::OperandLifeTime::CONSTANT_REFERENCE) {
            ranges[operand.location.poolIndex].emplace_back(operand.location.offset,
                                                            operand.location.length);
        }
    }
}

/// Rising and apart.
Ranges merge(Ranges ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const cache::Range& a, const cache::Range& b) { return a.offset() < b.offset(); });
    Ranges merged;
    for (const cache::Range& range : ranges) {
        const std::uint64_t end = range.offset() + range.length();
        if (merged.empty() || merged.back().offset() + merged.back().length() < range.offset()) {
            merged.push_back(range);
        } else {
            const cache::Range last = merged.back();
            merged.back() = cache::Range(
                    last.offset(), std::max(last.offset() + last.length(), end) - last.offset());
        }
    }
    return merged;
}

/// The parts of each pool that operands refer to.
std::vector<Ranges> referencedRanges(const nn::V1_3::Model& model) {
    std::vector<Ranges> ranges(model.pools.size());
    addReferences(model.main, ranges);
    for (const auto& subgraph : model.referenced) {
        addReferences(subgraph, ranges);
    }
    for (Ranges& ofPool : ranges) {
        ofPool = merge(std::move(ofPool));
    }
    return ranges;
}

/// More than the payload will take.
std::uint64_t roughBytes(const CacheSource& source) {
    constexpr std::uint64_t kPerElement = 256;  // chosen: an operand's table with its vectors
    std::uint64_t elements =
            source.model.main.operands.size() + source.model.main.operations.size();
    for (const auto& subgraph : source.model.referenced) {
        elements += subgraph.operands.size() + subgraph.operations.size();
    }
    std::uint64_t bytes = elements * kPerElement;
    if (source.compiled != nullptr) {
        bytes += source.compiled->commands.size() + source.compiled->constants.size();
    }
    return bytes;
}

}  // namespace

Result<EncodedModel> encodeModel(const CacheSource& source) {
    if (roughBytes(source) > kMaxModelPayloadBytes) {  // beyond that the builder would abort
        return fail(ErrorStatus::GENERAL_FAILURE,
                    fmt::format("a model of about {} bytes is too large for a cache",
                                roughBytes(source)));
    }
    const nn::V1_3::Model& model = source.model;
    EncodedModel encoded;
    encoded.data.push_back(
            std::as_bytes(std::span(model.operandValues.data(), model.operandValues.size())));
    FlatBufferBuilder builder;
    const auto main = encode(builder, model.main);
    std::vector<Offset<cache::Subgraph>> referenced;
    for (const auto& subgraph : model.referenced) {
        referenced.push_back(encode(builder, subgraph));
    }
    std::vector<Offset<cache::Pool>> pools;
    for (const Ranges& ranges : referencedRanges(model)) {
        const PoolView& bytes = source.pools[pools.size()];
        for (const cache::Range& range : ranges) {
            if (range.offset() + range.length() > bytes.size()) {
                return fail(
                        ErrorStatus::GENERAL_FAILURE,
                        fmt::format("constants at {} with {} bytes lie outside pool {} of {}",
                                    range.offset(), range.length(), pools.size(), bytes.size()));
            }
            encoded.data.push_back(bytes.subspan(range.offset(), range.length()));
        }
        pools.push_back(
                cache::CreatePool(builder, bytes.size(), builder.CreateVectorOfStructs(ranges)));
    }
    std::vector<Offset<cache::Extension>> extensions;
    for (const auto& extension : model.extensionNameToPrefix) {
        const auto name = builder.CreateString(std::string(extension.name));
        extensions.push_back(cache::CreateExtension(builder, name, extension.prefix));
    }
    const auto referencedVector = builder.CreateVector(referenced);
    const auto poolVector = builder.CreateVector(pools);
    const auto extensionVector = builder.CreateVector(extensions);
    Offset<cache::Compiled> compiled;
    if (source.compiled != nullptr) {
        compiled = encode(builder, *source.compiled);
    }
    builder.Finish(cache::CreateModel(builder, static_cast<std::int32_t>(source.priority), main,
                                      referencedVector, model.operandValues.size(), poolVector,
                                      model.relaxComputationFloat32toFloat16, extensionVector,
                                      compiled, source.checkpointCycles,
                                      static_cast<std::int32_t>(source.preference)));
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    encoded.model.assign(bytes.begin(), bytes.end());
    return encoded;
}

}  // namespace vnpu::driver
