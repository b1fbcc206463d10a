// SPDX-License-Identifier: Apache-2.0
#include "sim/report/energy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "hw_model/timing/energy.h"
#include "sim/base/text_table.h"

namespace vnpu::sim {

namespace {

constexpr double kMicrojoulesPerPicojoule = 1e-6;

struct EnergyRow {
    std::string name;
    hw::Energy energy;
    double executions = 1;
};

double shareOf(double part, double executions) {
    return part * kMicrojoulesPerPicojoule / executions;
}

/// Whether any row uses energy in the component.
bool isUsed(const std::vector<EnergyRow>& rows, std::size_t component) {
    return std::ranges::any_of(
            rows, [&](const EnergyRow& row) { return row.energy.picojoules[component] > 0; });
}

std::string_view componentName(std::size_t component) {
    return hw::energyComponentName(static_cast<hw::EnergyComponent>(component));
}

}  // namespace

nlohmann::ordered_json energyJson(const hw::NpuConfig& config, const hw::Activity& activity,
                                  std::uint64_t executions) {
    if (!hw::hasEnergy(config) || executions == 0) {
        return nullptr;
    }
    const hw::Energy energy = hw::energyOf(config, activity);
    const auto count = static_cast<double>(executions);
    nlohmann::ordered_json json;
    json["unit"] = "uJ";
    for (std::size_t i = 0; i < hw::kEnergyComponentCount; ++i) {
        json["components"][std::string(componentName(i))] = shareOf(energy.picojoules[i], count);
    }
    json["total"] = shareOf(energy.totalPicojoules(), count);
    return json;
}

double microjoules(const hw::NpuConfig& config, const hw::Activity& activity) {
    return hw::energyOf(config, activity).totalPicojoules() * kMicrojoulesPerPicojoule;
}

std::string energyTable(const hw::NpuConfig& config, const hw::Activity& activity) {
    const hw::Energy energy = hw::energyOf(config, activity);
    const double total = energy.totalPicojoules();
    TextTable table({"component"}, {"uJ", "share"});
    for (std::size_t i = 0; i < hw::kEnergyComponentCount; ++i) {
        const double part = energy.picojoules[i];
        if (part > 0) {
            table.add(componentName(i), fmt::format("{:.3f}", shareOf(part, 1)),
                      fmt::format("{:.1f} %", 100.0 * part / total));
        }
    }
    return table.text(9);
}

std::string energyText(const RunReport& report) {
    if (!hw::hasEnergy(report.config)) {
        return "energy:    no [energy] in the configuration\n";
    }
    const Statistics& statistics = report.statistics;
    std::vector<EnergyRow> rows;
    for (std::size_t i = 0; i < report.clients().size(); ++i) {
        const ClientTotals& totals = statistics.clients()[i];
        if (totals.jobs != 0) {
            rows.push_back({report.clients()[i].name + ", an execution",
                            hw::energyOf(report.config, totals.activity),
                            static_cast<double>(totals.jobs)});
        }
    }
    rows.push_back({"device, all", hw::energyOf(report.config, statistics.activity())});
    TextTable table({"uJ"}, {"total"});
    for (std::size_t i = 0; i < hw::kEnergyComponentCount; ++i) {
        if (isUsed(rows, i)) {
            table.addColumn(std::string(componentName(i)));
        }
    }
    for (const EnergyRow& row : rows) {
        std::vector<std::string> cells = {
                row.name,
                fmt::format("{:.3f}", shareOf(row.energy.totalPicojoules(), row.executions))};
        for (std::size_t i = 0; i < hw::kEnergyComponentCount; ++i) {
            if (isUsed(rows, i)) {
                cells.push_back(
                        fmt::format("{:.3f}", shareOf(row.energy.picojoules[i], row.executions)));
            }
        }
        table.addRow(std::move(cells));
    }
    return "\nenergy (an estimate; clients: what the engines did for them, device: everything "
           "since "
           "power-on)\n" +
           table.text(2);
}

}  // namespace vnpu::sim
