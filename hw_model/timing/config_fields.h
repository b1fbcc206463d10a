// SPDX-License-Identifier: Apache-2.0
#pragma once

// How configuration files spell NpuConfig's fields, and which values these may have.
// config_fields.def lists them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/registers.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Names of `mac.dataflow`, in the order of Dataflow.
inline constexpr std::string_view kDataflowNames[] = {"weight-stationary", "output-stationary",
                                                      "broadcast"};

/// Names of `dram.model` and `dram.mapping`, in the order of DramModel and DramMapping.
inline constexpr std::string_view kDramModelNames[] = {"flat", "banked"};
inline constexpr std::string_view kDramMappingNames[] = {"row-bank-column", "row-column-bank",
                                                         "row-bank-column-xor"};

/// All names of an enumerator's type.
constexpr const auto& choicesOf(Dataflow) {
    return kDataflowNames;
}

constexpr const auto& choicesOf(DramModel) {
    return kDramModelNames;
}

constexpr const auto& choicesOf(DramMapping) {
    return kDramMappingNames;
}

constexpr std::string_view nameOf(Dataflow dataflow) {
    return kDataflowNames[static_cast<std::size_t>(dataflow)];
}

constexpr std::string_view nameOf(DramModel model) {
    return kDramModelNames[static_cast<std::size_t>(model)];
}

constexpr std::string_view nameOf(DramMapping mapping) {
    return kDramMappingNames[static_cast<std::size_t>(mapping)];
}

/// Whether a complete configuration file must give a key.
enum class Presence : std::uint8_t {
    kAlways,
    kWithTable,  // the file may leave out the whole table
    kOptional,
    kBanked,  // optional, and without effect unless dram.model is "banked"
};

/// The values of a number, and the field of a configuration register in which drivers read it.
struct ConfigRange {
    double least = 0;
    double most = 0;
    regs::FieldSpec place = {};  // of no bits if no register shows the number
};

constexpr ConfigRange within(double least, double most) {
    return {least, most};
}

constexpr ConfigRange shown(double least, const regs::FieldSpec& place,
                            double most = std::numeric_limits<double>::infinity()) {
    return {least, std::min<double>(most, place.get(place.mask())), place};
}

constexpr ConfigRange unlimited() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
}

struct ConfigField {
    const char* table = "";  // "" for the file's top level
    const char* key = "";
    const char* unit = "";  // "" for names, flags and counts
    ConfigRange range;
    Presence presence = Presence::kAlways;

    constexpr bool isTopLevel() const { return *table == '\0'; }
    /// Table and key with a dot between them.
    std::string path() const { return isTopLevel() ? key : std::string(table) + '.' + key; }
};

/// Calls `visit(field, value)` for every field of a configuration in the order of the files.
/// `Config` is NpuConfig or const NpuConfig, `field` a const ConfigField&.
template <typename Config, typename Visitor>
void visitConfigFields(Config& config, Visitor&& visit) {
    using enum Presence;
    // Limits that are chosen: beyond any device, short of overflow.
    constexpr double kMostLatency = 1'000'000;  // cycles
    constexpr double kMostWidth = 65'536;       // bytes or lanes per cycle
    constexpr double kMostTiming = 10'000;      // cycles between two commands of a DRAM
    constexpr double kMostBackground = 0.95;    // above, the device stalls longer than drivers wait
    constexpr double kMostPrice = 1e6;          // pJ or mW
    constexpr double kMostHostNs = 1e9;         // of one step of host software
    constexpr double kMostPowerNs = 1e7;  // a tenth of the silence that drivers take for a death
#define VNPU_CONFIG(member, ...) visit(ConfigField{__VA_ARGS__}, config.member);
#include "hw_model/timing/config_fields.def"
}

/// The same without the fields that have no effect in this configuration.
template <typename Visitor>
void visitUsedFields(const NpuConfig& config, Visitor&& visit) {
    const bool isBanked = config.dram.model == DramModel::kBanked;
    visitConfigFields(config, [&](const ConfigField& field, const auto& value) {
        if (isBanked || field.presence != Presence::kBanked) {
            visit(field, value);
        }
    });
}

/// The first value that is out of its range or contradicts another one, as a sentence with the
/// key of a configuration file ("mac.rows is 0, expected 1 to 4095"), or empty.
std::string findConfigError(const NpuConfig& config);

}  // namespace vnpu::hw
