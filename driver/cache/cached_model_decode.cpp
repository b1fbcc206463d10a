// SPDX-License-Identifier: Apache-2.0
#include <cached_model_generated.h>
#include <fmt/format.h>
#include <vnpu/hal/shared_memory.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "driver/cache/cache_files.h"
#include "driver/cache/cached_model.h"
#include "driver/cache/cached_model_check.h"
#include "driver/validation/model_validation.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;

namespace {

tl::unexpected<Error> damaged(std::string_view what) {
    return fail(ErrorStatus::GENERAL_FAILURE, fmt::format("model cache: {}", what));
}

/// The verifier does not look at where a vector of structs lies.
template <typename Struct>
bool isAligned(const flatbuffers::Vector<const Struct*>& structs) {
    return structs.size() == 0 ||
           reinterpret_cast<std::uintptr_t>(structs.Data()) % alignof(Struct) == 0;
}

/// Turns verified tables into the HAL's structs. In a foreign payload many references may lead to
/// one large vector; no honest payload does so, and thus no more bytes are taken out of one than it
/// has.
class Decoder {
  public:
    explicit Decoder(std::uint64_t payloadBytes) : budgetBytes_(payloadBytes) {}

    /// False after the first invalid value; the results are void then.
    bool isFine() const { return isFine_; }

    nn::V1_3::Subgraph subgraph(const cache::Subgraph& table) {
        nn::V1_3::Subgraph result;
        forEach(*table.operands(), result.operands,
                [&](const cache::Operand& operand) { return this->operand(operand); });
        forEach(*table.operations(), result.operations, [&](const cache::Operation& operation) {
            return nn::V1_3::Operation{
                    .type = static_cast<nn::V1_3::OperationType>(operation.type()),
                    .inputs = numbers(*operation.inputs()),
                    .outputs = numbers(*operation.outputs())};
        });
        result.inputIndexes = numbers(*table.inputs());
        result.outputIndexes = numbers(*table.outputs());
        return result;
    }

    nn::V1_3::Model model(const cache::Model& table) {
        nn::V1_3::Model result;
        result.main = subgraph(*table.main());
        forEach(*table.referenced(), result.referenced,
                [&](const cache::Subgraph& one) { return subgraph(one); });
        forEach(*table.pools(), result.pools, [](const cache::Pool& pool) {
            return hidl_memory("ashmem", nullptr, pool.size_bytes());
        });
        result.relaxComputationFloat32toFloat16 = table.is_relaxed();
        forEach(*table.extensions(), result.extensionNameToPrefix,
                [&](const cache::Extension& extension) {
                    return nn::V1_2::Model::ExtensionNameAndPrefix{.name = text(*extension.name()),
                                                                   .prefix = extension.prefix()};
                });
        return result;
    }

    CompiledModel compiled(const cache::Compiled& table) {
        CompiledModel result;
        result.commands = bytes(*table.commands());
        result.commandCount = table.command_count();
        if (takeStructs(*table.regions())) {
            for (const cache::Region* region : *table.regions()) {
                isFine_ = isFine_ && region->kind() <= static_cast<unsigned>(RegionKind::kOutput);
                result.regions.push_back({static_cast<RegionKind>(region->kind()), region->index(),
                                          region->size_bytes(), region->is_writable()});
            }
        }
        result.constants = bytes(*table.constants());
        result.scratchBytes = table.scratch_bytes();
        result.sramBytesUsed = table.sram_bytes_used();
        result.inputs = shapes(*table.inputs());
        result.outputs = shapes(*table.outputs());
        forEach(*table.operations(), result.operations, [&](const cache::Estimate& estimate) {
            return OperationEstimate{.operation = estimate.operation(),
                                     .name = text(*estimate.name()),
                                     .cycles = estimate.cycles(),
                                     .macs = estimate.macs(),
                                     .dramBytes = estimate.dram_bytes(),
                                     .commands = estimate.commands(),
                                     .isFolded = estimate.is_folded()};
        });
        result.estimatedCycles = table.estimated_cycles();
        result.checkpointCount = table.checkpoint_count();
        result.saveBytes = table.save_bytes();
        result.longestIntervalCycles = table.longest_interval_cycles();
        result.sramBlocks = table.sram_blocks();
        if (takeStructs(*table.dynamic_tensors())) {
            for (const cache::DynamicTensor* tensor : *table.dynamic_tensors()) {
                result.dynamicTensors.push_back({tensor->output(), tensor->capacity_bytes()});
            }
        }
        return result;
    }

  private:
    template <typename Vector>
    bool take(const Vector& vector, std::size_t elementBytes) {
        const std::uint64_t wanted = std::uint64_t{vector.size()} * elementBytes;
        isFine_ = isFine_ && wanted <= budgetBytes_;
        budgetBytes_ -= isFine_ ? wanted : 0;
        return isFine_;
    }

    template <typename Struct>
    bool takeStructs(const flatbuffers::Vector<const Struct*>& structs) {
        isFine_ = isFine_ && isAligned(structs);
        return take(structs, sizeof(Struct));
    }

    template <typename Table, typename Results, typename Convert>
    void forEach(const flatbuffers::Vector<flatbuffers::Offset<Table>>& tables, Results& results,
                 const Convert& convert) {
        if (!take(tables, sizeof(flatbuffers::uoffset_t))) {
            return;
        }
        results.resize(tables.size());
        for (flatbuffers::uoffset_t i = 0; i < tables.size() && isFine_; ++i) {
            results[i] = convert(*tables.Get(i));
        }
    }

    template <typename T>
    hidl_vec<T> numbers(const flatbuffers::Vector<T>& vector) {
        hidl_vec<T> result;
        if (take(vector, sizeof(T))) {
            result.resize(vector.size());
            std::copy(vector.begin(), vector.end(), result.begin());
        }
        return result;
    }

    std::vector<std::byte> bytes(const flatbuffers::Vector<std::uint8_t>& vector) {
        if (!take(vector, 1)) {
            return {};
        }
        const auto* first = reinterpret_cast<const std::byte*>(vector.data());
        return {first, first + vector.size()};
    }

    std::string text(const flatbuffers::String& string) {
        return take(string, 1) ? string.str() : std::string();
    }

    std::vector<TensorShape> shapes(
            const flatbuffers::Vector<flatbuffers::Offset<cache::Shape>>& tables) {
        std::vector<TensorShape> result;
        forEach(tables, result, [&](const cache::Shape& shape) {
            return TensorShape{.dimensions = numbers(*shape.dimensions()),
                               .sizeBytes = shape.size_bytes()};
        });
        return result;
    }

    nn::V1_3::Operand operand(const cache::Operand& table) {
        using Extra = nn::V1_2::Operand::ExtraParams::hidl_discriminator;
        nn::V1_3::Operand result;
        result.type = static_cast<nn::V1_3::OperandType>(table.type());
        result.dimensions = numbers(*table.dimensions());
        result.numberOfConsumers = table.consumers();
        result.scale = table.scale();
        result.zeroPoint = table.zero_point();
        result.lifetime = static_cast<nn::V1_3::OperandLifeTime>(table.lifetime());
        result.location = {.poolIndex = table.location()->pool_index(),
                           .offset = table.location()->offset(),
                           .length = table.location()->length()};
        const Extra kind{table.extra_kind()};
        if (kind == Extra::channelQuant && table.channel_scales() != nullptr) {
            result.extraParams.channelQuant({.scales = numbers(*table.channel_scales()),
                                             .channelDim = table.channel_dimension()});
        } else if (kind == Extra::extension && table.extension() != nullptr) {
            result.extraParams.extension(numbers(*table.extension()));
        } else {
            isFine_ = isFine_ && kind == Extra::none;
        }
        return result;
    }

    std::uint64_t budgetBytes_;
    bool isFine_ = true;
};

/// Takes the data cache apart from its front.
class DataReader {
  public:
    explicit DataReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    Result<std::span<const std::byte>> take(std::uint64_t count) {
        if (count > rest_.size()) {
            return damaged(
                    fmt::format("{} bytes of constants are wanted, the data cache has {} "
                                "left",
                                count, rest_.size()));
        }
        const auto taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }

    bool isAtEnd() const { return rest_.empty(); }

  private:
    std::span<const std::byte> rest_;
};

/// A pool with the cached constants at their places.
Result<hidl_memory> restorePool(const cache::Pool& table, DataReader& data) {
    auto memory = hal::createSharedMemory(table.size_bytes());
    if (!memory) {
        return damaged(fmt::format("no memory for constants: {}", memory.error()));
    }
    auto view = hal::MappedPool::create(*memory);
    if (!view) {
        return damaged(fmt::format("no memory for constants: {}", view.error()));
    }
    if (!isAligned(*table.ranges())) {
        return damaged("its tables make no sense");
    }
    for (const cache::Range* range : *table.ranges()) {
        if (range->offset() > view->size() || range->length() > view->size() - range->offset()) {
            return damaged(fmt::format("constants at {} with {} bytes lie outside a pool of {}",
                                       range->offset(), range->length(), view->size()));
        }
        VNPU_TRY_ASSIGN(const auto bytes, data.take(range->length()));
        std::copy(bytes.begin(), bytes.end(), view->data() + range->offset());
    }
    return std::move(*memory);
}

Result<void> restoreConstants(const cache::Model& table, std::span<const std::byte> bytes,
                              nn::V1_3::Model& model) {
    DataReader data(bytes);
    VNPU_TRY_ASSIGN(const auto values, data.take(table.value_bytes()));
    model.operandValues.resize(values.size());
    std::copy(values.begin(), values.end(),
              reinterpret_cast<std::byte*>(model.operandValues.data()));
    // Before memory is made for pools, as their sizes are the file's claim.
    if (auto valid = validateModel(model); !valid) {
        return damaged(fmt::format("its model is invalid: {}", valid.error().reason));
    }
    for (flatbuffers::uoffset_t i = 0; i < table.pools()->size(); ++i) {
        VNPU_TRY_ASSIGN(auto pool, restorePool(*table.pools()->Get(i), data));
        model.pools[i] = std::move(pool);
    }
    return data.isAtEnd() ? Result<void>() : damaged("the data cache is longer than its constants");
}

}  // namespace

Result<CachedModel> decodeModel(std::span<const std::byte> model, std::span<const std::byte> data,
                                std::uint64_t memoryBytes) {
    if (model.size() > kMaxModelPayloadBytes) {
        return damaged(fmt::format("{} bytes are too many", model.size()));
    }
    flatbuffers::Verifier::Options options;
    options.max_tables = static_cast<flatbuffers::uoffset_t>(model.size() / 4);  // an offset each
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(model.data()),
                                   model.size(), options);
    if (!cache::VerifyModelBuffer(verifier)) {
        return damaged("its tables are broken");
    }
    const cache::Model& table = *cache::GetModel(model.data());
    Decoder decoder(model.size());
    CachedModel cached;
    cached.model = decoder.model(table);
    if (table.compiled() != nullptr) {
        cached.compiled = decoder.compiled(*table.compiled());
    }
    cached.priority = static_cast<nn::V1_3::Priority>(table.priority());
    cached.checkpointCycles = table.checkpoint_cycles();
    using Preference = nn::V1_1::ExecutionPreference;
    cached.preference = static_cast<Preference>(table.preference());
    if (!decoder.isFine() || cached.priority < nn::V1_3::Priority::LOW ||
        cached.priority > nn::V1_3::Priority::HIGH || cached.preference < Preference::LOW_POWER ||
        cached.preference > Preference::SUSTAINED_SPEED) {
        return damaged("its tables make no sense");
    }
    VNPU_TRY(restoreConstants(table, data, cached.model));
    if (cached.compiled) {
        VNPU_TRY(checkCompiled(*cached.compiled, cached.model, memoryBytes));
    }
    return cached;
}

}  // namespace vnpu::driver
