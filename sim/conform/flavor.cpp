// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/flavor.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/conform/quantization_twin.h"

namespace vnpu::sim {

using driver::HalVersion;

namespace {

/// A property of a flavor, and the HAL version that introduced it.
struct Feature {
    bool isAsked;
    HalVersion since;
    std::string name;
};

std::vector<Feature> featuresOf(const Flavor& flavor) {
    return {{flavor.path == ExecutionPath::kSync, HalVersion::k12, "synchronous executions"},
            {flavor.path == ExecutionPath::kFenced, HalVersion::k13, "fenced executions"},
            {flavor.path == ExecutionPath::kBurst, HalVersion::k12, "bursts"},
            {flavor.memory == MemoryKind::kDomains, HalVersion::k13, "memory domains"},
            {flavor.pools == PoolKind::kHardwareBufferBlob, HalVersion::k12, "hardware buffers"},
            {flavor.leavesOutputsOpen(), HalVersion::k12, "outputs of unknown shape"},
            {flavor.isCached, HalVersion::k12, "compilation caching"},
            {flavor.isMeasured, HalVersion::k12, "timing"},
            {flavor.isCoupled, HalVersion::k13, "TENSOR_QUANT8_ASYMM_SIGNED"},
            {flavor.interruption != Interruption::kNone, HalVersion::k13, "priorities"}};
}

bool hasScalarOutput(const Example& example) {
    return std::any_of(
            example.main.outputs.begin(), example.main.outputs.end(),
            [&](std::uint32_t output) { return !isTensor(example.main.operands[output].type); });
}

constexpr const char* kMisplaced =
        "a buffer of a memory domain has its own size, expected exact or dynamic outputs";

bool isMisplaced(const Flavor& flavor) {
    return flavor.memory == MemoryKind::kDomains &&
           (flavor.outputs == OutputKind::kTight || flavor.outputs == OutputKind::kShort);
}

std::string contradictionInNdk(const Flavor& flavor) {
    if (flavor.hal != HalVersion::k13) {
        return "the C interface is tested in its latest version, expected no HAL version";
    }
    if (flavor.interruption != Interruption::kNone) {
        return "the C interface cannot interrupt, expected the HAL";
    }
    return isMisplaced(flavor) ? kMisplaced : "";
}

/// The plain flavor, and each that differs from it in one way.
std::vector<Flavor> variantsOf(ClientInterface interface) {
    std::vector<Flavor> variants = {
            {},
            {.pools = PoolKind::kMmapFd},
            {.pools = PoolKind::kHardwareBufferBlob},
            {.memory = MemoryKind::kDomains},
            {.memory = MemoryKind::kDomains, .outputs = OutputKind::kDynamic},
            {.memory = MemoryKind::kPointers},
            {.outputs = OutputKind::kDynamic},
            {.outputs = OutputKind::kTight},
            {.outputs = OutputKind::kShort},
            {.isCached = true},
            {.isMeasured = true},
            {.isCoupled = true}};
    for (Flavor& variant : variants) {
        variant.interface = interface;
    }
    return variants;
}

}  // namespace

const char* nameOf(ExecutionPath path) {
    constexpr const char* kNames[] = {"sync", "async", "fenced", "burst"};
    return kNames[static_cast<std::size_t>(path)];
}

const char* nameOf(MemoryKind kind) {
    constexpr const char* kNames[] = {"pools", "domains", "pointers"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* nameOf(OutputKind kind) {
    constexpr const char* kNames[] = {"exact", "dynamic", "tight", "short"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string describe(const Flavor& flavor) {
    std::string text = flavor.interface == ClientInterface::kNdk
                               ? fmt::format("{}, NDK", nameOf(flavor.path))
                               : fmt::format("{}, HAL {}", nameOf(flavor.path), nameOf(flavor.hal));
    const auto add = [&](bool isAsked, const std::string& name) {
        if (isAsked) {
            text += ", " + name;
        }
    };
    add(flavor.pools != PoolKind::kAshmem, nameOf(flavor.pools));
    add(flavor.memory != MemoryKind::kPools, nameOf(flavor.memory));
    add(flavor.outputs != OutputKind::kExact, std::string(nameOf(flavor.outputs)) + " outputs");
    add(flavor.isCached, "cache");
    add(flavor.isMeasured, "timing");
    add(flavor.isCoupled, "coupled");
    add(flavor.interruption != Interruption::kNone,
        fmt::format("interrupted by {}", nameOf(flavor.interruption)));
    return text;
}

std::string contradictionIn(const Flavor& flavor) {
    if (flavor.interface == ClientInterface::kNdk) {
        return contradictionInNdk(flavor);
    }
    for (const Feature& feature : featuresOf(flavor)) {
        if (feature.isAsked && flavor.hal < feature.since) {
            return fmt::format("HAL {} has no {}, expected HAL {} or later", nameOf(flavor.hal),
                               feature.name, nameOf(feature.since));
        }
    }
    if (flavor.memory == MemoryKind::kPointers) {
        return "the HAL passes no pointers, expected pools or domains";
    }
    if (isMisplaced(flavor)) {
        return kMisplaced;
    }
    if (flavor.memory == MemoryKind::kDomains && flavor.path == ExecutionPath::kBurst) {
        return "a burst cannot carry memory domains, expected another path or pools";
    }
    return "";
}

std::vector<Flavor> allFlavors(ClientInterface interface) {
    std::vector<Flavor> flavors;
    for (auto hal = std::rbegin(kHalVersions); hal != std::rend(kHalVersions); ++hal) {
        for (const ExecutionPath path : kExecutionPaths) {
            for (Flavor flavor : variantsOf(interface)) {
                flavor.path = path;
                flavor.hal = *hal;
                if (contradictionIn(flavor).empty()) {
                    flavors.push_back(flavor);
                }
            }
        }
    }
    return flavors;
}

std::string reasonToOmit(const Example& example, const Flavor& flavor) {
    const HalVersion lowest = std::max(example.suite, example.lowestHal.value_or(HalVersion::k10));
    if (flavor.hal < lowest) {
        return fmt::format("is of HAL {}", nameOf(lowest));
    }
    const bool isPlain = flavor.memory != MemoryKind::kDomains && !flavor.leavesOutputsOpen() &&
                         !flavor.isCoupled;
    if (example.expectsFailure && !isPlain) {
        return "has to fail";
    }
    if (flavor.leavesOutputsOpen() && hasScalarOutput(example)) {
        return "has a scalar output, whose shape is always known";
    }
    if (flavor.outputs == OutputKind::kShort &&
        (example.main.outputs.empty() ||
         example.main.operands[example.main.outputs[0]].data->size() < 2)) {
        return "has less than two bytes of first output";
    }
    return flavor.isCoupled && !isCoupled(example) ? "has no quantization to couple" : "";
}

}  // namespace vnpu::sim
