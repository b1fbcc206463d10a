// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/flavour.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/conform/quantisation_twin.h"

namespace vnpu::sim {

using driver::HalVersion;

namespace {

/// A property of a flavor, and the HAL version that introduced it.
struct Feature {
    bool isAsked;
    HalVersion since;
    std::string name;
};

std::vector<Feature> featuresOf(const Flavour& flavour) {
    return {{flavour.path == ExecutionPath::kSync, HalVersion::k12, "synchronous executions"},
            {flavour.path == ExecutionPath::kFenced, HalVersion::k13, "fenced executions"},
            {flavour.path == ExecutionPath::kBurst, HalVersion::k12, "bursts"},
            {flavour.memory == MemoryKind::kDomains, HalVersion::k13, "memory domains"},
            {flavour.pools == PoolKind::kHardwareBufferBlob, HalVersion::k12, "hardware buffers"},
            {flavour.leavesOutputsOpen(), HalVersion::k12, "outputs of unknown shape"},
            {flavour.isCached, HalVersion::k12, "compilation caching"},
            {flavour.isMeasured, HalVersion::k12, "timing"},
            {flavour.isCoupled, HalVersion::k13, "TENSOR_QUANT8_ASYMM_SIGNED"},
            {flavour.interruption != Interruption::kNone, HalVersion::k13, "priorities"}};
}

bool hasScalarOutput(const Example& example) {
    return std::any_of(
            example.main.outputs.begin(), example.main.outputs.end(),
            [&](std::uint32_t output) { return !isTensor(example.main.operands[output].type); });
}

}  // namespace

const char* nameOf(ExecutionPath path) {
    constexpr const char* kNames[] = {"sync", "async", "fenced", "burst"};
    return kNames[static_cast<std::size_t>(path)];
}

const char* nameOf(MemoryKind kind) {
    return kind == MemoryKind::kPools ? "pools" : "domains";
}

const char* nameOf(OutputKind kind) {
    constexpr const char* kNames[] = {"exact", "dynamic", "tight", "short"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string describe(const Flavour& flavour) {
    std::string text = fmt::format("{}, HAL {}", nameOf(flavour.path), nameOf(flavour.hal));
    const auto add = [&](bool isAsked, const std::string& name) {
        if (isAsked) {
            text += ", " + name;
        }
    };
    add(flavour.pools != PoolKind::kAshmem, nameOf(flavour.pools));
    add(flavour.memory != MemoryKind::kPools, nameOf(flavour.memory));
    add(flavour.outputs != OutputKind::kExact, std::string(nameOf(flavour.outputs)) + " outputs");
    add(flavour.isCached, "cache");
    add(flavour.isMeasured, "timing");
    add(flavour.isCoupled, "coupled");
    add(flavour.interruption != Interruption::kNone,
        fmt::format("interrupted by {}", nameOf(flavour.interruption)));
    return text;
}

std::string contradictionIn(const Flavour& flavour) {
    for (const Feature& feature : featuresOf(flavour)) {
        if (feature.isAsked && flavour.hal < feature.since) {
            return fmt::format("HAL {} has no {}, expected HAL {} or later", nameOf(flavour.hal),
                               feature.name, nameOf(feature.since));
        }
    }
    if (flavour.memory == MemoryKind::kDomains &&
        (flavour.outputs == OutputKind::kTight || flavour.outputs == OutputKind::kShort)) {
        return "a buffer of a memory domain has its own size, expected exact or dynamic outputs";
    }
    if (flavour.memory == MemoryKind::kDomains && flavour.path == ExecutionPath::kBurst) {
        return "a burst cannot carry memory domains, expected another path or pools";
    }
    return "";
}

std::vector<Flavour> allFlavours() {
    const std::vector<Flavour> variants = {
            {},
            {.pools = PoolKind::kMmapFd},
            {.pools = PoolKind::kHardwareBufferBlob},
            {.memory = MemoryKind::kDomains},
            {.memory = MemoryKind::kDomains, .outputs = OutputKind::kDynamic},
            {.outputs = OutputKind::kDynamic},
            {.outputs = OutputKind::kTight},
            {.outputs = OutputKind::kShort},
            {.isCached = true},
            {.isMeasured = true},
            {.isCoupled = true}};
    std::vector<Flavour> flavours;
    for (auto hal = std::rbegin(kHalVersions); hal != std::rend(kHalVersions); ++hal) {
        for (const ExecutionPath path : kExecutionPaths) {
            for (Flavour flavour : variants) {
                flavour.path = path;
                flavour.hal = *hal;
                if (contradictionIn(flavour).empty()) {
                    flavours.push_back(flavour);
                }
            }
        }
    }
    return flavours;
}

std::string reasonToOmit(const Example& example, const Flavour& flavour) {
    const HalVersion lowest = std::max(example.suite, example.lowestHal.value_or(HalVersion::k10));
    if (flavour.hal < lowest) {
        return fmt::format("is of HAL {}", nameOf(lowest));
    }
    const bool isPlain = flavour.memory == MemoryKind::kPools && !flavour.leavesOutputsOpen() &&
                         !flavour.isCoupled;
    if (example.expectsFailure && !isPlain) {
        return "has to fail";
    }
    if (flavour.leavesOutputsOpen() && hasScalarOutput(example)) {
        return "has a scalar output, whose shape is always known";
    }
    if (flavour.outputs == OutputKind::kShort &&
        (example.main.outputs.empty() ||
         example.main.operands[example.main.outputs[0]].data->size() < 2)) {
        return "has less than two bytes of first output";
    }
    return flavour.isCoupled && !isCoupled(example) ? "has no quantisation to couple" : "";
}

}  // namespace vnpu::sim
