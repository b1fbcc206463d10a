// SPDX-License-Identifier: Apache-2.0
#include <vnpu/hal/conversion.h>

#include <algorithm>
#include <cfloat>
#include <vector>

namespace vnpu::hal::details {

namespace {

using android::hardware::hidl_enum_range;
using android::hardware::hidl_vec;
using nn::V1_0::PerformanceInfo;
using nn::V1_3::OperandType;

constexpr PerformanceInfo kUnknown = {.execTime = FLT_MAX, .powerUsage = FLT_MAX};

/// The types that the performance figures of 1.0 and 1.1 for floats and for other types cover.
/// Nothing is known about later types.
PerformanceInfo performanceOf(OperandType type, const PerformanceInfo& floats,
                              const PerformanceInfo& others) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return floats;
        case OperandType::INT32:
        case OperandType::UINT32:
        case OperandType::TENSOR_INT32:
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::OEM:
        case OperandType::TENSOR_OEM_BYTE:
            return others;
        default:
            return kUnknown;
    }
}

/// One entry for each type of a version except SUBGRAPH, in rising order.
template <typename Entry, typename Lookup>
hidl_vec<Entry> entriesFor(const Lookup& lookup) {
    std::vector<Entry> entries;
    for (const auto type : hidl_enum_range<decltype(Entry::type)>{}) {
        const auto latest = static_cast<OperandType>(type);
        if (latest != OperandType::SUBGRAPH) {
            entries.push_back({type, lookup(latest)});
        }
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.type < b.type; });
    return entries;
}

template <typename Entry>
PerformanceInfo find(const hidl_vec<Entry>& entries, OperandType type) {
    for (const Entry& entry : entries) {
        if (static_cast<OperandType>(entry.type) == type) {
            return entry.info;
        }
    }
    return kUnknown;
}

nn::V1_3::Capabilities fromEarly(const PerformanceInfo& floats, const PerformanceInfo& others,
                                 const PerformanceInfo& relaxed) {
    const auto lookup = [&](OperandType type) { return performanceOf(type, floats, others); };
    return {.relaxedFloat32toFloat16PerformanceScalar = relaxed,
            .relaxedFloat32toFloat16PerformanceTensor = relaxed,
            .operandPerformance = entriesFor<nn::V1_3::Capabilities::OperandPerformance>(lookup),
            .ifPerformance = kUnknown,
            .whilePerformance = kUnknown};
}

}  // namespace

nn::V1_3::Capabilities toLatest(const nn::V1_0::Capabilities& capabilities, Handles /*handles*/) {
    return fromEarly(capabilities.float32Performance, capabilities.quantized8Performance,
                     capabilities.float32Performance);
}

nn::V1_3::Capabilities toLatest(const nn::V1_1::Capabilities& capabilities, Handles /*handles*/) {
    return fromEarly(capabilities.float32Performance, capabilities.quantized8Performance,
                     capabilities.relaxedFloat32toFloat16Performance);
}

nn::V1_3::Capabilities toLatest(const nn::V1_2::Capabilities& capabilities, Handles /*handles*/) {
    const auto lookup = [&](OperandType type) {
        return find(capabilities.operandPerformance, type);
    };
    return {.relaxedFloat32toFloat16PerformanceScalar =
                    capabilities.relaxedFloat32toFloat16PerformanceScalar,
            .relaxedFloat32toFloat16PerformanceTensor =
                    capabilities.relaxedFloat32toFloat16PerformanceTensor,
            .operandPerformance = entriesFor<nn::V1_3::Capabilities::OperandPerformance>(lookup),
            .ifPerformance = kUnknown,
            .whilePerformance = kUnknown};
}

void fromLatest(nn::V1_3::Capabilities&& capabilities, nn::V1_0::Capabilities& result) {
    result.float32Performance = find(capabilities.operandPerformance, OperandType::TENSOR_FLOAT32);
    result.quantized8Performance =
            find(capabilities.operandPerformance, OperandType::TENSOR_QUANT8_ASYMM);
}

void fromLatest(nn::V1_3::Capabilities&& capabilities, nn::V1_1::Capabilities& result) {
    result.float32Performance = find(capabilities.operandPerformance, OperandType::TENSOR_FLOAT32);
    result.quantized8Performance =
            find(capabilities.operandPerformance, OperandType::TENSOR_QUANT8_ASYMM);
    result.relaxedFloat32toFloat16Performance =
            capabilities.relaxedFloat32toFloat16PerformanceTensor;
}

void fromLatest(nn::V1_3::Capabilities&& capabilities, nn::V1_2::Capabilities& result) {
    result.relaxedFloat32toFloat16PerformanceScalar =
            capabilities.relaxedFloat32toFloat16PerformanceScalar;
    result.relaxedFloat32toFloat16PerformanceTensor =
            capabilities.relaxedFloat32toFloat16PerformanceTensor;
    result.operandPerformance = entriesFor<nn::V1_2::Capabilities::OperandPerformance>(
            [&](OperandType type) { return find(capabilities.operandPerformance, type); });
}

}  // namespace vnpu::hal::details
