// SPDX-License-Identifier: Apache-2.0
// Single operations whose cycles, bytes and energy are counted by hand: float arithmetic, the
// vector unit, the DSP, and the prices of energy, which the networks of other rungs hardly use.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/validate/device_time.h"
#include "sim/validate/rounding.h"
#include "sim/validate/rung.h"

namespace vnpu::sim {

namespace {

// chosen: what is not counted, a bus's latency, bursts at the ends of rows, descriptors, and
// weights that the array reads once more for each further block of rows
constexpr double kTolerance = 0.02;
// chosen: page walks and further commands besides the first load and the last store
constexpr double kSerialTolerance = 0.10;

/// What the two devices of this project's own are meant to be.
// source: what sim/configs says of each, written down once more
struct EngineFigures {
    const char* config;
    double side;                          // rows and columns of the array, and results a cycle
    double floatDivisor;                  // cycles of a float product over those of an 8-bit one
    double lanes8, lanes32;               // of the vector unit
    double dspLanes, dspProducts;         // float, a cycle
    double bytesPerCycle, latencyCycles;  // of the memory
    // pJ of an 8-bit and a float product, of an 8-bit and a float operation, of a cycle of the DSP,
    // and of a byte of accumulators, SRAM, and bus with memory
    double product8, productFloat, operation8, operationFloat, dspCycle;
    double accumulatorByte, sramByte, memoryByte;
};

constexpr std::array<EngineFigures, 2> kEngineDevices = {
        {{"edge", 16, 16, 32, 8, 4, 4, 3.75, 250, 0.3, 4.6, 0.03, 0.9, 70, 1.25, 3.45, 68},
         {"mobile", 64, 4, 128, 32, 16, 16, 32, 150, 0.1, 1.69, 0.007, 0.38, 27, 0.938, 1.43, 68}}};

// Cycles, the same on both devices.
constexpr double kVectorStartup = 16, kVectorExponential = 4;
constexpr double kDspStartup = 200, kDspExponential = 8, kDspSerialStep = 4;
constexpr double kLogisticExponentials = 2;  // an exponential and a division
constexpr double kSoftmaxSteps = 3;          // greatest value, sum, scaling

/// One execution, counted by hand.
struct Expected {
    double engineCycles = 0;
    double bytes = 0;  // of memory
    double picojoules = 0;
};

/// Everything that the closed forms take from the run: how its work was cut.
struct Cut {
    double commands = 0;  // of array and vector unit
    double blocks = 0;    // of the array's commands
};

using CountByHand = Expected (*)(const SingleOperation&, const EngineFigures&, const Cut&);

/// Moving bytes from or to memory: memory, bus, and the SRAM's side.
double transferEnergy(double bytes, const EngineFigures& device) {
    return bytes * (device.memoryByte + device.sramByte);
}

/// Weight-stationary: a fold is a tile of weights of the array's size, through which all rows go.
/// Nothing hides the output stage of a command's last block.
Expected countProduct(const SingleOperation& of, const EngineFigures& device, const Cut& cut) {
    const bool isFloat = of.kind == OperationKind::kProductFloat;
    const double element = isFloat ? 4 : 1;
    const double m = of.rows, k = of.depth, n = of.columns;
    const double depthFolds = std::ceil(k / device.side);
    const double columnFolds = std::ceil(n / device.side);
    const double fill = 3 * device.side - 2;
    const double bytes = element * (m * k + k * n + m * n) + 4 * n;
    // A sum is written by the first fold, read and written by the others, read by the output stage.
    const double accumulatorBytes = 4 * m * n * 2 * depthFolds;
    const double operandBytes = element * (m * k * columnFolds + k * n + m * n);
    const double arrayCycles =
            fill * cut.blocks + depthFolds * columnFolds * std::max(m, device.side);
    const double outputCycles = m * n / device.side * cut.commands / cut.blocks;
    return {.engineCycles = (isFloat ? device.floatDivisor : 1) * arrayCycles + outputCycles,
            .bytes = bytes,
            .picojoules = m * k * n * (isFloat ? device.productFloat : device.product8) +
                          4 * m * n * device.operation8 +
                          accumulatorBytes * device.accumulatorByte +
                          operandBytes * device.sramByte + transferEnergy(bytes, device)};
}

/// Elements that take `steps` lane cycles each, and the SRAM's bytes in and out of the lanes.
Expected countLanes(double steps, double bytes, bool isFloat, const EngineFigures& device,
                    const Cut& cut) {
    return {.engineCycles = steps / (isFloat ? device.lanes32 : device.lanes8) +
                            kVectorStartup * cut.commands,
            .bytes = bytes,
            .picojoules = steps * (isFloat ? device.operationFloat : device.operation8) +
                          bytes * device.sramByte + transferEnergy(bytes, device)};
}

Expected countSum(const SingleOperation& of, const EngineFigures& device, const Cut& cut) {
    const double elements = real(std::uint64_t{of.rows} * of.columns);
    return countLanes(elements, 3 * elements, false, device, cut);
}

Expected countLogistic(const SingleOperation& of, const EngineFigures& device, const Cut& cut) {
    const double elements = real(std::uint64_t{of.rows} * of.columns);
    return countLanes(elements * (1 + kLogisticExponentials * kVectorExponential), 8 * elements,
                      true, device, cut);
}

Expected countSoftmax(const SingleOperation& of, const EngineFigures& device, const Cut& cut) {
    const double elements = real(std::uint64_t{of.rows} * of.columns);
    return countLanes(
            elements * (kSoftmaxSteps + kVectorExponential) + of.rows * kVectorExponential,
            8 * elements, true, device, cut);
}

/// The DSP computes while its own port moves its operands, without the SRAM between.
Expected countDsp(double products, double steps, double serialSteps, double bytes,
                  const EngineFigures& device) {
    const double moving = kDspStartup + device.latencyCycles + bytes / device.bytesPerCycle;
    const double cycles = kDspStartup + products / device.dspProducts + steps / device.dspLanes +
                          serialSteps * kDspSerialStep;
    return {.engineCycles = std::max(cycles, moving),
            .bytes = bytes,
            .picojoules = products * device.productFloat +
                          (steps + serialSteps) * device.operationFloat + cycles * device.dspCycle +
                          bytes * device.memoryByte};
}

Expected countLookup(const SingleOperation& of, const EngineFigures& device, const Cut& /*cut*/) {
    const double elements = real(std::uint64_t{of.rows} * of.columns);
    return countDsp(0, elements, of.rows, 4.0 * of.rows + 8 * elements, device);
}

Expected countRnn(const SingleOperation& of, const EngineFigures& device, const Cut& /*cut*/) {
    const double weights = real(std::uint64_t{of.columns} * (of.depth + of.columns));
    const double states = real(std::uint64_t{of.rows} * of.columns);
    const double inputs = real(std::uint64_t{of.rows} * of.depth);
    return countDsp(of.rows * weights, states * (1 + kLogisticExponentials * kDspExponential), 0,
                    4 * (inputs + weights + of.columns + states) + 8 * states, device);
}

struct EngineCase {
    const char* name = nullptr;
    SingleOperation operation;
    CountByHand count = nullptr;
    std::uint64_t OperationWork::*cycles = nullptr;  // of the engine
};

// chosen: whole folds, and as much work as some tiles take
constexpr std::array<EngineCase, 7> kEngineCases = {{{"product of 128 x 256 x 256, int8",
                                                      {OperationKind::kProduct8, 128, 256, 256},
                                                      countProduct,
                                                      &OperationWork::macCycles},
                                                     {"product of 128 x 256 x 256, float32",
                                                      {OperationKind::kProductFloat, 128, 256, 256},
                                                      countProduct,
                                                      &OperationWork::macCycles},
                                                     {"sum of 64 x 1024, int8",
                                                      {OperationKind::kSum8, 64, 0, 1024},
                                                      countSum,
                                                      &OperationWork::vectorCycles},
                                                     {"logistic of 64 x 512, float32",
                                                      {OperationKind::kLogisticFloat, 64, 0, 512},
                                                      countLogistic,
                                                      &OperationWork::vectorCycles},
                                                     {"softmax of 64 x 512, float32",
                                                      {OperationKind::kSoftmaxFloat, 64, 0, 512},
                                                      countSoftmax,
                                                      &OperationWork::vectorCycles},
                                                     {"lookup of 128 rows of 64, float32",
                                                      {OperationKind::kLookupFloat, 128, 1024, 64},
                                                      countLookup,
                                                      &OperationWork::dspCycles},
                                                     {"RNN of 128 units, float32",
                                                      {OperationKind::kRnnFloat, 4, 256, 128},
                                                      countRnn,
                                                      &OperationWork::dspCycles}}};

void evaluateCase(const EngineCase& each, const EngineFigures& device, const Measurement& run,
                  RungResult& result) {
    const Check common{.kind = CheckKind::kInternal,
                       .rung = "engines",
                       .subject = fmt::format("{} on {}", each.name, device.config)};
    if (!run.error.empty() || run.operations.size() != 1) {
        result.checks.push_back(common.broken(run.error));
        return;
    }
    const OperationWork& work = run.operations.front();
    const Expected expected =
            each.count(each.operation, device, {real(work.tiles), real(work.blocks)});
    const double memoryCycles = expected.bytes / device.bytesPerCycle;
    const double ends = 2 * (device.latencyCycles + kTransferOverheadCycles);
    const auto add = [&](const char* quantity, double model, double reference, double tolerance,
                         Limit limit) {
        Check check = common;
        check.quantity = quantity;
        check.model = model;
        check.reference = reference;
        check.tolerance = tolerance;
        check.limit = limit;
        result.checks.push_back(std::move(check));
    };
    add("cycles of the engine", real(work.*each.cycles), expected.engineCycles, kTolerance,
        Limit::kNone);
    add("bytes", real(work.bytes), expected.bytes, kTolerance, Limit::kNone);
    add("energy of the commands, pJ", work.picojoules, expected.picojoules, kTolerance,
        Limit::kNone);
    add("cycles, of full overlap", real(run.cycles), std::max(expected.engineCycles, memoryCycles),
        0.0, Limit::kAtLeast);
    add("cycles, without overlap", real(run.cycles),
        (1 + kSerialTolerance) * (expected.engineCycles + memoryCycles + ends), 0.0,
        Limit::kAtMost);
}

}  // namespace

RowList engineRows(const References& /*references*/) {
    RowList list;
    for (const EngineFigures& device : kEngineDevices) {
        for (const EngineCase& each : kEngineCases) {
            list.rows.push_back(
                    {fmt::format("{} on {}", each.name, device.config),
                     {{fmt::format("base = \"{}\"\n", device.config), each.operation}},
                     [&each, &device](const std::vector<Measurement>& runs, RungResult& result) {
                         evaluateCase(each, device, runs.front(), result);
                     }});
        }
    }
    return list;
}

}  // namespace vnpu::sim
