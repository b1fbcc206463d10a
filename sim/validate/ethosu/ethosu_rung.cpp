// SPDX-License-Identifier: Apache-2.0
// Cycles of small networks compared with those that Arm's compiler expects on Ethos-U.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "sim/import/source.h"
#include "sim/validate/ethosu/ethosu_figures.h"
#include "sim/validate/ethosu/ethosu_reference.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

constexpr const char* kEthosURung = "ethos-u";
constexpr double kTolerance = 0.30;       // source: the ladder's own demand
constexpr double kRulesTolerance = 0.10;  // chosen: as for NVDLA's device
constexpr double kWeightBits = 8.0;
constexpr double kArrayTolerance = 0.05;  // chosen: up to 0.02 was measured
constexpr double kMostLost = 0.75;        // chosen: most operations have one or two tiles
constexpr double kRestTolerance = 0.10;   // chosen: a third of the demand

/// One network on one accelerator.
struct EthosUCase {
    const EthosURow* row = nullptr;
    const VelaAccelerator* accelerator = nullptr;
    double published = 0.0;
    WorkFigures figures{};
    ReferenceTime time{};

    EthosUCase(const EthosURow& ofRow, std::size_t config, const References& references)
        : row(&ofRow),
          accelerator(&kVelaAccelerators.at(config)),
          published(references.figure(ofRow.network, real(ofRow.cycles.at(config)))) {
        const Network network =
                loadNetwork(fmt::format("zoo:{}", row->network), {.zeroWeights = true});
        figures = ethosUWorkFigures(network, *accelerator, row->codedShare);
        time = ethosUReferenceTime(
                velaCyclesOf(velaLayersOf(network), *accelerator, row->codedShare), published);
    }

    Probe probe() const {
        return {.config = fmt::format("base = \"{}\"\n", accelerator->config),
                .model = ZooModel{row->network, 1, kWeightBits * row->codedShare},
                .hasCheckpoints = false};
    }

    Check check(CheckKind kind, const char* quantity, double tolerance) const {
        return {.kind = kind,
                .rung = kEthosURung,
                .subject = fmt::format("{} on {}", row->network, accelerator->config),
                .quantity = quantity,
                .reference = published,
                .tolerance = tolerance};
    }

    Gap gapOf(const Measurement& run) const {
        const EthosUArray array = ethosUArrayOf(*accelerator);
        DeviceTime device;
        device.add(run, figures,
                   {accelerator->external.bytesPerCycle, accelerator->external.readLatency});
        return device.gapTo(time, {.array = fmt::format("the closed form of {} x {}", array.rows,
                                                        array.columns),
                                   .arrayTolerance = kArrayTolerance,
                                   .mostLost = kMostLost,
                                   .restTolerance = kRestTolerance});
    }
};

Row rulesRow(const EthosUCase& ofCase) {
    Check check = ofCase.check(CheckKind::kRules, "cycles, Vela's rules", kRulesTolerance);
    check.model = ofCase.time.byRules();
    return rowOf(check);
}

Row cyclesRow(const EthosUCase& ofCase) {
    Check check = ofCase.check(CheckKind::kNetwork, "cycles, device", kTolerance);
    check.deviceClass = ofCase.accelerator->holdsMapsInSram ? "Ethos-U55" : "Ethos-U65";
    return {check.subject,
            {ofCase.probe()},
            [=](const std::vector<Measurement>& runs, RungResult& result) {
                const Measurement& run = runs.front();
                Check done = check;
                done.model = real(run.cycles);
                if (run.error.empty()) {
                    done.gap = ofCase.gapOf(run);
                }
                result.checks.push_back(run.error.empty() ? done : check.broken(run.error));
            }};
}

/// Whether two numbers of the reference are so close that its rounding may decide their order.
bool isTie(double one, double other) {
    constexpr double kTie = 0.01;  // chosen: far below what separates models of one device
    return std::abs(one - other) <= kTie * std::max(one, other);
}

/// Two networks of which the device takes longer for the one that is faster in the reference.
Part swappedPart(const EthosUCase& one, const Measurement& oneRun, const EthosUCase& other,
                 const Measurement& otherRun) {
    Part part{.name = fmt::format("{} and {}", one.row->network, other.row->network),
              .cycles = -1.0};
    for (const auto& [ofCase, run] : {std::pair{&one, &oneRun}, std::pair{&other, &otherRun}}) {
        part.bounds.push_back({.figure = fmt::format("parts of {} that hold", ofCase->row->network),
                               .measured = ofCase->gapOf(*run).holds() ? 1.0 : 0.0,
                               .expected = 1.0,
                               .low = 1.0});
    }
    return part;
}

/// Pairs of networks in the order of the reference; its ties have any order.
Row orderRow(const std::vector<EthosUCase>& cases) {
    Check check{
            .kind = CheckKind::kNetwork,
            .rung = kEthosURung,
            .subject = fmt::format("pairs of networks on {}", cases.front().accelerator->config),
            .quantity = "in the reference's order"};
    Row row{check.subject, {}, nullptr};
    for (const EthosUCase& ofCase : cases) {
        row.probes.push_back(ofCase.probe());
    }
    row.evaluate = [=](const std::vector<Measurement>& runs, RungResult& result) {
        Check done = check;
        Gap gap;
        for (const Measurement& run : runs) {
            if (!run.error.empty()) {
                result.checks.push_back(check.broken(run.error));
                return;
            }
        }
        for (std::size_t a = 0; a < cases.size(); ++a) {
            for (std::size_t b = a + 1; b < cases.size(); ++b) {
                done.reference += 1.0;
                const bool isLess = cases[a].published < cases[b].published;
                if ((runs[a].cycles < runs[b].cycles) == isLess ||
                    isTie(cases[a].published, cases[b].published)) {
                    done.model += 1.0;
                } else {
                    gap.parts.push_back(swappedPart(cases[a], runs[a], cases[b], runs[b]));
                }
            }
        }
        gap.model = done.model;
        gap.reference = done.reference;
        done.gap = gap;
        result.checks.push_back(done);
    };
    return row;
}

}  // namespace

RowList ethosURows(const References& references) {
    RowList list;
    std::vector<Row> deviceRows;
    for (std::size_t config = 0; config < kVelaAccelerators.size(); ++config) {
        std::vector<EthosUCase> cases;
        for (const EthosURow& row : kEthosURows) {
            cases.emplace_back(row, config, references);
            list.rows.push_back(rulesRow(cases.back()));
            deviceRows.push_back(cyclesRow(cases.back()));
        }
        deviceRows.push_back(orderRow(cases));
    }
    list.rows.insert(list.rows.end(), deviceRows.begin(), deviceRows.end());
    return list;
}

}  // namespace vnpu::sim
