// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/operations/operation_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "driver/compiler/compiler.h"
#include "driver/validation/model_validation.h"
#include "sim/cli/operations/cost_formula.h"
#include "vnpu/hal/shared_memory.h"

namespace vnpu::sim {

namespace {

driver::Result<driver::CompiledModel> compileProbe(const Network& probe,
                                                   const driver::DeviceInfo& device) {
    VNPU_TRY(driver::validateModel(probe.model));
    std::vector<hal::MappedPool> pools;
    std::vector<driver::PoolView> views;
    for (const auto& memory : probe.model.pools) {
        auto pool = hal::MappedPool::create(memory);
        if (!pool) {
            return driver::fail(nn::ErrorStatus::GENERAL_FAILURE, pool.error());
        }
        pools.push_back(std::move(*pool));
        views.emplace_back(pools.back().data(), pools.back().size());
    }
    return driver::compile(probe.model, views, device);
}

/// Engines in the order of the report.
enum class Column { kMac, kVector, kDsp, kDma, kController };
constexpr std::string_view kHeadings[] = {"mac", "vector", "dsp", "dma", "controller"};

Column columnOf(hw::Engine engine) {
    const auto* const found = std::ranges::find(kHeadings, hw::engineName(engine));
    return found == std::end(kHeadings) ? Column::kDma  // of several channels
                                        : static_cast<Column>(found - std::begin(kHeadings));
}

bool isControlFlow(nn::OperationType operation) {
    return operation == nn::OperationType::IF || operation == nn::OperationType::WHILE;
}

}  // namespace

std::string OperationReport::engines() const {
    std::vector<std::string> names;
    for (const Share& share : shares) {
        names.push_back(share.engine);
    }
    return names.empty() && refusal.empty() ? "alias" : fmt::format("{}", fmt::join(names, ", "));
}

std::string OperationReport::place() const {
    if (shares.empty() || isControlFlow(operation)) {
        return "-";
    }
    return isWhole ? "whole" : "tiled";
}

std::string OperationReport::cost() const {
    std::vector<std::string> parts;
    for (const Share& share : shares) {
        parts.push_back(fmt::format("{}: {}", share.engine, fmt::join(share.formulas, " | ")));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

OperationReport reportOperation(nn::OperationType operation, const ProbeTypes& types,
                                const driver::DeviceInfo& device, const hw::NpuConfig& config) {
    OperationReport report{.operation = operation, .types = types};
    const auto compiled = compileProbe(makeProbe(operation, types), device);
    if (!compiled) {
        report.refusal = compiled.error().reason;
        return report;
    }
    std::map<Column, std::vector<std::string>> formulas;
    hw::CommandReader reader(compiled->commands);
    hw::CommandView command;
    while (reader.next(command)) {
        const Column column = columnOf(command.header->engine);
        std::string formula = costFormula(config, command);
        if (formula.empty() || (isControlFlow(operation) && column != Column::kController)) {
            continue;
        }
        ++report.commands;
        report.isWhole = report.isWhole || column == Column::kDsp;
        std::vector<std::string>& known = formulas[column];
        if (std::find(known.begin(), known.end(), formula) == known.end()) {
            known.push_back(std::move(formula));
        }
    }
    for (auto& [column, known] : formulas) {
        report.shares.push_back(
                {std::string(kHeadings[static_cast<std::size_t>(column)]), std::move(known)});
    }
    return report;
}

}  // namespace vnpu::sim
