// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/device_time.h"

#include <algorithm>

#include "sim/validate/rounding.h"

namespace vnpu::sim {

namespace {

// chosen: counters and closed forms of one operation differ by a few cycles of a fill
constexpr double kFloor = 0.97;
constexpr double kEnds = 2.0;  // of an operation: its first load and its last result
// chosen: a share that is cut off at its limit is not above it, whatever the rounding
constexpr double kRounding = 1.0 + 1e-9;

}  // namespace

void DeviceTime::add(const Measurement& run, const WorkFigures& figures,
                     const MemoryFigures& memory, double repeat) {
    cycles_ += repeat * real(run.cycles);
    array_ += repeat * real(run.macActiveCycles);
    bytes_ += repeat * real(run.bytesRead + run.bytesWritten);
    leastBytes_ += repeat * figures.leastBytes;
    mostBytes_ += repeat * figures.mostBytes;
    leastUnused_ += repeat * figures.leastUnusedBytes;
    mostUnused_ += repeat * figures.mostUnusedBytes;
    for (const OperationWork& work : run.operations) {
        const double engine = real(std::max(work.macCycles, work.vectorCycles));
        const double transfers = real(work.bytes + work.streamBytes) / memory.bytesPerCycle;
        const double shorter = std::min(engine, transfers);
        burstBytes_ += repeat * real(work.bytes);
        mac_ += repeat * real(work.macCycles);
        vector_ += repeat * real(work.vectorCycles);
        engine_ += repeat * engine;
        memory_ += repeat * transfers;
        waiting_ += repeat * (transfers - shorter);
        hideable_ += repeat * shorter;
        latencies_ += work.tiles != 0
                              ? repeat * kEnds * (memory.latencyCycles + kTransferOverheadCycles)
                              : 0.0;
    }
    for (std::size_t i = 0; i < figures.operations.size(); ++i) {
        const OperationFigures& figure = figures.operations[i];
        const double blocks = i < run.operations.size() ? real(run.operations[i].blocks) : 0.0;
        const double fills = std::max(blocks - 1.0, 0.0) * figure.fillCycles;
        arrayFigure_ += repeat * (figure.arrayCycles + fills);
        fills_ += repeat * fills;
        outputFigure_ += repeat * figure.outputCycles;
        vectorFigure_ += repeat * figure.vectorCycles;
        const double least = std::max(figure.arrayCycles, figure.outputCycles);
        if (least > 0.0) {
            const double mac = i < run.operations.size() ? real(run.operations[i].macCycles) : 0.0;
            leastMacShare_ = std::min(leastMacShare_, mac / least);
        }
    }
}

Part DeviceTime::arrayPart(const ReferenceTime& reference, const GapLimits& limits) const {
    return {.name = "array",
            .cycles = array_ - reference.array,
            .bounds = {{.figure = limits.array,
                        .measured = array_,
                        .expected = arrayFigure_,
                        .low = 1.0 - limits.arrayTolerance,
                        .high = 1.0 + limits.arrayTolerance},
                       {.figure = "the results that leave during the fills",
                        .measured = fills_,
                        .expected = outputFigure_,
                        .high = 1.0}}};
}

Part DeviceTime::outputPart(const ReferenceTime& reference, const GapLimits& limits) const {
    return {.name = "output stage",
            .cycles = engine_ - array_ - reference.outputs,
            .bounds = {{.figure = "the longer one in every operation",
                        .measured = leastMacShare_,
                        .expected = 1.0,
                        .low = kFloor},
                       {.figure = "one after the other",
                        .measured = mac_,
                        .expected = arrayFigure_ + outputFigure_,
                        .high = 1.0 + limits.arrayTolerance},
                       {.figure = "the vector unit's most",
                        .measured = vector_,
                        .expected = vectorFigure_,
                        .high = 1.0}}};
}

Part DeviceTime::transferPart(const ReferenceTime& reference, const GapLimits& limits) const {
    Part part{.name = "transfers",
              .cycles = waiting_ - reference.transfers,
              .bounds = {{.figure = "the least bytes",
                          .measured = bytes_,
                          .expected = leastBytes_,
                          .low = kFloor},
                         {.figure = "the most bytes",
                          .measured = bytes_,
                          .expected = mostBytes_,
                          .high = 1.0 + limits.bytesTolerance}}};
    if (mostUnused_ > 0.0) {
        part.bounds.push_back({.figure = "the image's least unused bytes",
                               .measured = burstBytes_ - bytes_,
                               .expected = leastUnused_,
                               .low = kFloor});
        part.bounds.push_back({.figure = "the image's most",
                               .measured = burstBytes_ - bytes_,
                               .expected = mostUnused_,
                               .high = 1.0});
    }
    return part;
}

Part DeviceTime::overlapPart(const GapLimits& limits) const {
    const double lost = std::min(excess(), limits.mostLost * hideable_);
    return {.name = "overlap",
            .cycles = lost,
            .bounds = {{.figure = "the longer of the array's and the memory's time",
                        .measured = cycles_,
                        .expected = std::max(array_, memory_),
                        .low = kFloor},
                       {.figure = "what could overlap",
                        .measured = std::max(lost, 0.0),
                        .expected = hideable_,
                        .high = limits.mostLost * kRounding}}};
}

Part DeviceTime::latencyPart(const GapLimits& limits) const {
    const double taken = std::clamp(excess() - limits.mostLost * hideable_, 0.0, latencies_);
    return {.name = "latency",
            .cycles = taken,
            .bounds = {{.figure = "the ends of each operation",
                        .measured = taken,
                        .expected = latencies_,
                        .high = 1.0}}};
}

Gap DeviceTime::gapTo(const ReferenceTime& reference, const GapLimits& limits) const {
    Part rules{.name = "rules",
               .cycles = reference.byRules() - reference.published,
               .bounds = {{.figure = "the published figure by " + reference.rules,
                           .measured = reference.byRules(),
                           .expected = reference.published,
                           .low = 1.0 - reference.rulesTolerance,
                           .high = 1.0 + reference.rulesTolerance}}};
    return {.model = cycles_,
            .reference = reference.published,
            .parts = {std::move(rules), arrayPart(reference, limits), outputPart(reference, limits),
                      transferPart(reference, limits), overlapPart(limits), latencyPart(limits)},
            .tolerance = limits.restTolerance};
}

}  // namespace vnpu::sim
