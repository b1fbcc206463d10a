// SPDX-License-Identifier: Apache-2.0
#include "sim/report/config_json.h"

#include <string>
#include <type_traits>

#include "hw_model/timing/config_fields.h"
#include "sim/report/device_peaks.h"

namespace vnpu::sim {

namespace {

template <typename Value>
nlohmann::ordered_json jsonValue(const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        return nameOf(value);
    } else {
        return value;
    }
}

}  // namespace

nlohmann::ordered_json configJson(const hw::NpuConfig& config) {
    nlohmann::ordered_json json;
    visitUsedFields(config, [&](const hw::ConfigField& field, const auto& value) {
        (field.isTopLevel() ? json : json[field.table])[field.key] = jsonValue(value);
    });
    const DevicePeaks peaks = devicePeaks(config);
    json["peaks"] = {{"macs_per_cycle", peaks.macsPerCycle},
                     {"tops", peaks.tops},
                     {"float32_tflops", peaks.floatTflops},
                     {"vector_gops", peaks.vectorGops},
                     {"sram_bytes_per_cycle", peaks.sramBytesPerCycle},
                     {"sram_gb_per_s", peaks.sramGBps},
                     {"dram_bytes_per_cycle", peaks.dramBytesPerCycle},
                     {"dram_gb_per_s", peaks.dramGBps},
                     {"balance_macs_per_dram_byte", peaks.balanceMacsPerByte}};
    return json;
}

}  // namespace vnpu::sim
