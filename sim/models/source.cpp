// SPDX-License-Identifier: Apache-2.0
#include "sim/models/source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "sim/error.h"
#include "sim/models/tflite_importer.h"
#include "sim/models/zoo.h"

namespace vnpu::sim {

namespace {

constexpr std::string_view kZooPrefix = "zoo:";
constexpr std::string_view kFloatSuffix = "-float";

Network buildZoo(const std::string& name, const NetworkOptions& options) {
    for (const zoo::Entry& entry : zoo::entries()) {
        const bool isFloat =
                entry.hasFloat && name == std::string(entry.name) + std::string(kFloatSuffix);
        if (name == entry.name || isFloat) {
            LayerBuilder net(name, isFloat ? Numeric::kFloat32 : Numeric::kInt8, options);
            const Layer output = entry.build(net);
            return net.build(output);
        }
    }
    throw InputError(fmt::format("zoo:{}: there is no such network, expected one of {}", name,
                                 fmt::join(zooNames(), ", ")));
}

}  // namespace

Network loadNetwork(const std::string& source, const NetworkOptions& options) {
    if (std::string_view(source).substr(0, kZooPrefix.size()) == kZooPrefix) {
        return buildZoo(source.substr(kZooPrefix.size()), options);
    }
    return importTflite(source, options);
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
