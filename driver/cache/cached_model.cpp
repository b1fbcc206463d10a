// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/cached_model.h"

#include <fmt/format.h>
#include <vnpu/hal/shared_memory.h>

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string>
#include <utility>

#include "driver/cache/cached_model_check.h"
#include "driver/validation/model_validation.h"
#include "hal/rpc/codec.h"

// The payload of the model cache is the model's and the compiled form's fields in the HAL's own
// encoding (hal/rpc/codec.h), as listed in encodeModel(). The payload of the data cache is the
// model's operandValues and the ranges of its pools, one behind the other. A change of either
// raises kCacheVersion (cache_files.h).

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;

namespace {

template <typename... Ts>
auto listOf(const Ts&... values) {
    return android::hardware::details::FieldList<Ts...>{{}, std::tie(values...)};
}

struct Range {
    std::uint64_t offset = 0, length = 0;
};
auto fieldsOf(const Range& v) {
    return listOf(v.offset, v.length);
}

/// The parts of a pool that operands refer to.
struct PoolParts {
    std::uint64_t sizeBytes = 0;  // of the pool
    std::vector<Range> ranges;    // rising, apart; what lies between is never read
};
auto fieldsOf(const PoolParts& v) {
    return listOf(v.sizeBytes, v.ranges);
}

}  // namespace

static auto fieldsOf(const ModelTerms& v) {
    return listOf(v.priority, v.checkpointCycles, v.preference);
}
static auto fieldsOf(const Region& v) {
    return listOf(v.kind, v.index, v.sizeBytes, v.isWritable);
}
static auto fieldsOf(const OperationEstimate& v) {
    return listOf(v.operation, v.name, v.cycles, v.macs, v.dramBytes, v.commands, v.isFolded);
}
static auto fieldsOf(const TensorShape& v) {
    return listOf(v.dimensions, v.sizeBytes);
}
static auto fieldsOf(const DynamicTensor& v) {
    return listOf(v.output, v.capacityBytes);
}
static auto fieldsOf(const CompiledModel& v) {
    return listOf(v.commands, v.commandCount, v.regions, v.constants, v.scratchBytes,
                  v.sramBytesUsed, v.sramBlocks, v.inputs, v.outputs, v.dynamicTensors,
                  v.operations, v.estimatedCycles, v.checkpointCount, v.saveBytes,
                  v.longestIntervalCycles);
}

}  // namespace vnpu::driver

namespace vnpu::hal::rpc {

template <typename T>
concept StandardList =
        std::same_as<T, std::string> || std::same_as<T, std::vector<typename T::value_type>>;

/// As the HAL's own list.
template <StandardList List>
struct Codec<List> {
    using HalList = android::hardware::hidl_vec<typename List::value_type>;

    static constexpr size_t kLeastBytes = sizeof(uint32_t);
    static void write(ParcelWriter& writer, const List& list) {
        HalList view;
        view.setToExternal(const_cast<typename List::value_type*>(list.data()), list.size());
        rpc::write(writer, view);
    }
    static void read(ParcelReader& reader, List& list) {
        HalList elements;
        rpc::read(reader, elements);
        list.assign(std::make_move_iterator(elements.begin()),
                    std::make_move_iterator(elements.end()));
    }
};

}  // namespace vnpu::hal::rpc

namespace vnpu::driver {

namespace {

tl::unexpected<Error> damaged(std::string_view what) {
    return fail(ErrorStatus::GENERAL_FAILURE, fmt::format("model cache: {}", what));
}

void addReferences(const nn::V1_3::Subgraph& subgraph, std::vector<PoolParts>& pools) {
    for (const auto& operand : subgraph.operands) {
        if (operand.lifetime == nn::V1_3::OperandLifeTime::CONSTANT_REFERENCE) {
            pools[operand.location.poolIndex].ranges.push_back(
                    {operand.location.offset, operand.location.length});
        }
    }
}

/// Sorts the ranges and merges those that overlap or touch.
void merge(std::vector<Range>& ranges) {
    std::ranges::sort(ranges, {}, &Range::offset);
    std::vector<Range> merged;
    for (const Range& range : ranges) {
        if (merged.empty() || merged.back().offset + merged.back().length < range.offset) {
            merged.push_back(range);
        } else {
            Range& last = merged.back();
            last.length = std::max(last.length, range.offset + range.length - last.offset);
        }
    }
    ranges = std::move(merged);
}

std::vector<PoolParts> partsOf(const CacheSource& source) {
    std::vector<PoolParts> pools(source.model.pools.size());
    addReferences(source.model.main, pools);
    for (const auto& subgraph : source.model.referenced) {
        addReferences(subgraph, pools);
    }
    for (std::size_t i = 0; i < pools.size(); ++i) {
        pools[i].sizeBytes = source.pools[i].size();
        merge(pools[i].ranges);
    }
    return pools;
}

/// Takes the data cache apart from its front.
Result<std::span<const std::byte>> take(std::span<const std::byte>& data, std::uint64_t count) {
    if (count > data.size()) {
        return damaged(fmt::format("{} bytes of constants are needed, the data cache has {} left",
                                   count, data.size()));
    }
    const auto taken = data.first(count);
    data = data.subspan(count);
    return taken;
}

/// A pool with the cached constants at their places.
Result<hidl_memory> restorePool(const PoolParts& parts, std::span<const std::byte>& data) {
    auto memory = hal::createSharedMemory(parts.sizeBytes);
    if (!memory) {
        return damaged(fmt::format("no memory for constants: {}", memory.error()));
    }
    auto view = hal::MappedPool::create(*memory);
    if (!view) {
        return damaged(fmt::format("no memory for constants: {}", view.error()));
    }
    for (const Range& range : parts.ranges) {
        if (range.offset > view->size() || range.length > view->size() - range.offset) {
            return damaged(fmt::format("constants at {} with {} bytes lie outside a pool of {}",
                                       range.offset, range.length, view->size()));
        }
        VNPU_TRY_ASSIGN(const auto bytes, take(data, range.length));
        std::copy(bytes.begin(), bytes.end(), view->data() + range.offset);
    }
    return std::move(*memory);
}

/// `model` has no constants yet.
Result<void> restoreConstants(std::uint64_t valueBytes, const std::vector<PoolParts>& pools,
                              std::span<const std::byte> data, nn::V1_3::Model& model) {
    VNPU_TRY_ASSIGN(const auto values, take(data, valueBytes));
    model.operandValues.resize(values.size());
    std::copy(values.begin(), values.end(),
              reinterpret_cast<std::byte*>(model.operandValues.data()));
    model.pools.resize(pools.size());
    std::ranges::transform(pools, model.pools.begin(), [](const PoolParts& parts) {
        return hidl_memory("ashmem", nullptr, parts.sizeBytes);
    });
    // Before memory is made for pools, as their sizes are the file's claim.
    if (auto valid = validateModel(model); !valid) {
        return damaged(fmt::format("its model is invalid: {}", valid.error().reason));
    }
    for (std::size_t i = 0; i < pools.size(); ++i) {
        VNPU_TRY_ASSIGN(model.pools[i], restorePool(pools[i], data));
    }
    return data.empty() ? Result<void>() : damaged("the data cache is longer than its constants");
}

}  // namespace

Result<void> checkTerms(const ModelTerms& terms) {
    using Preference = nn::V1_1::ExecutionPreference;
    if (terms.preference < Preference::LOW_POWER ||
        terms.preference > Preference::SUSTAINED_SPEED) {
        return invalidArgument(fmt::format("execution preference is {}, expected 0 to 2",
                                           static_cast<std::int32_t>(terms.preference)));
    }
    if (terms.priority < nn::V1_3::Priority::LOW || terms.priority > nn::V1_3::Priority::HIGH) {
        return invalidArgument(fmt::format("priority is {}, expected 0 to 2",
                                           static_cast<std::int32_t>(terms.priority)));
    }
    return {};
}

Result<CachePayloads> encodeModel(const CacheSource& source) {
    const nn::V1_3::Model& model = source.model;
    const std::vector<PoolParts> pools = partsOf(source);
    const auto values = std::span(model.operandValues.data(), model.operandValues.size());
    CachePayloads payloads;
    payloads.data.push_back(std::as_bytes(values));
    for (std::size_t i = 0; i < pools.size(); ++i) {
        for (const auto [offset, length] : pools[i].ranges) {
            if (offset + length > pools[i].sizeBytes) {
                return fail(ErrorStatus::GENERAL_FAILURE,
                            fmt::format("constants at {} with {} bytes lie outside pool {} of {}",
                                        offset, length, i, pools[i].sizeBytes));
            }
            payloads.data.push_back(source.pools[i].subspan(offset, length));
        }
    }
    hal::rpc::ParcelWriter writer;
    const auto write = [&](const auto&... fields) { (hal::rpc::write(writer, fields), ...); };
    write(source.terms, model.main, model.referenced, model.relaxComputationFloat32toFloat16,
          model.extensionNameToPrefix, std::uint64_t{values.size()}, pools,
          source.compiled != nullptr);
    if (source.compiled != nullptr) {
        write(*source.compiled);
    }
    auto parcel = writer.finish();
    if (!parcel) {
        return fail(ErrorStatus::GENERAL_FAILURE, std::move(parcel.error()));
    }
    payloads.model = std::move(parcel->bytes);
    return payloads;
}

Result<CachedModel> decodeModel(CacheContents contents, std::uint64_t memoryBytes) {
    CachedModel cached;
    nn::V1_3::Model& model = cached.model;
    std::uint64_t valueBytes = 0;
    std::vector<PoolParts> pools;
    bool isCompiled = false;
    hal::rpc::Parcel parcel;
    parcel.bytes = std::move(contents.model);
    hal::rpc::ParcelReader reader(std::move(parcel));
    const auto read = [&](auto&... fields) { (hal::rpc::read(reader, fields), ...); };
    read(cached.terms, model.main, model.referenced, model.relaxComputationFloat32toFloat16,
         model.extensionNameToPrefix, valueBytes, pools, isCompiled);
    if (isCompiled) {
        read(cached.compiled.emplace());
    }
    if (const auto complete = reader.finish(); !complete) {
        return damaged(complete.error());
    }
    if (const auto checked = checkTerms(cached.terms); !checked) {
        return damaged(checked.error().reason);
    }
    VNPU_TRY(restoreConstants(valueBytes, pools, contents.data, model));
    if (cached.compiled) {
        VNPU_TRY(checkCompiled(*cached.compiled, model, memoryBytes));
    }
    return cached;
}

Result<void> saveToCache(const CacheDescriptors& files, const CacheKey& key,
                         const CacheSource& source) {
    const auto payloads = encodeModel(source);
    if (!payloads) {
        static_cast<void>(invalidateCacheFiles(files));
        return tl::unexpected(payloads.error());
    }
    return writeCacheFiles(files, key, *payloads);
}

Result<CachedModel> loadFromCache(const CacheDescriptors& files, const CacheKey& key,
                                  std::uint64_t memoryBytes) {
    VNPU_TRY_ASSIGN(auto contents, readCacheFiles(files, key));
    return decodeModel(std::move(contents), memoryBytes);
}

}  // namespace vnpu::driver
