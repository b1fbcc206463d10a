// SPDX-License-Identifier: Apache-2.0
#include "sim/import/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "sim/base/error.h"
#include "sim/import/onnx/importer.h"
#include "sim/import/tflite/importer.h"
#include "sim/models/zoo.h"

namespace vnpu::sim {

namespace {

constexpr std::string_view kZooPrefix = "zoo:";
constexpr std::string_view kFloatSuffix = "-float";

bool isZoo(const std::string& source) {
    return std::string_view(source).substr(0, kZooPrefix.size()) == kZooPrefix;
}

bool isOnnx(const std::string& source) {
    return source.ends_with(".onnx");
}

/// "speech:20": 20 steps.
std::uint32_t stepsOf(const std::string& name, std::string_view digits) {
    std::uint32_t steps = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), steps);
    if (error != std::errc() || end != digits.data() + digits.size() || steps == 0 ||
        steps > zoo::kMaxSteps) {
        throw InputError(fmt::format("zoo:{}: \"{}\" steps, expected 1 to {}", name, digits,
                                     zoo::kMaxSteps));
    }
    return steps;
}

Network buildZoo(const std::string& written, NetworkOptions options) {
    const std::size_t colon = written.find(':');
    const std::string name = written.substr(0, colon);
    for (const zoo::Entry& entry : zoo::entries()) {
        const bool isFloat =
                entry.hasFloat && name == std::string(entry.name) + std::string(kFloatSuffix);
        if (name != entry.name && !isFloat) {
            continue;
        }
        options.steps = zoo::kDefaultSteps;
        if (colon != std::string::npos) {
            if (!entry.hasSteps) {
                throw InputError(fmt::format("zoo:{}: {} has no steps, expected zoo:{}", written,
                                             name, name));
            }
            options.steps = stepsOf(written, std::string_view(written).substr(colon + 1));
        }
        LayerBuilder net(written, isFloat ? Numeric::kFloat32 : Numeric::kInt8, options);
        const Layer output = entry.build(net);
        return net.build(output);
    }
    throw InputError(fmt::format("zoo:{}: there is no such network, expected one of {}", written,
                                 fmt::join(zooNames(), ", ")));
}

}  // namespace

Network loadNetwork(const std::string& source, const NetworkOptions& options) {
    return graph::networkOf(source, importModel(source, options));
}

graph::ImportResult importModel(const std::string& source, const NetworkOptions& options) {
    if (isZoo(source)) {
        Network network = buildZoo(source.substr(kZooPrefix.size()), options);
        graph::Report report{.operators = network.model.main.operations.size(),
                             .macs = network.macs,
                             .runnableMacs = network.macs,
                             .unsupported = {},
                             .notes = {}};
        return {std::move(network), std::move(report)};
    }
    return isOnnx(source) ? graph::ImportResult(examineOnnx(source, options))
                          : examineTflite(source, options);
}

std::vector<std::string> zooNames() {
    std::vector<std::string> names;
    for (const zoo::Entry& entry : zoo::entries()) {
        names.emplace_back(entry.name);
        if (entry.hasFloat) {
            names.push_back(std::string(entry.name) + std::string(kFloatSuffix));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace vnpu::sim
