// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/trace/recorded_run.h"

namespace vnpu::test {

namespace {

using driver::ErrorStatus;
using hw::Engine;
using hw::Opcode;

constexpr std::uint64_t kCycleNs = 2;

std::chrono::nanoseconds atNs(std::uint64_t cycle) {
    return std::chrono::nanoseconds(cycle * kCycleNs);
}

}  // namespace

hw::NpuConfig halfGigahertz() {
    hw::NpuConfig config;
    config.name = "half";
    config.clockKhz = 500'000;
    config.mac.rows = 16;
    config.mac.columns = 16;
    return config;
}

std::vector<sim::ClientInfo> twoClients() {
    return {{"camera", 10101, "zoo:small", "medium", {"conv", "probabilities", ""}},
            {"keyword", 10102, "zoo:other", "high", {}}};
}

driver::CompiledModel smallModel() {
    driver::CompiledModel model;
    model.commandCount = 5;
    model.estimatedCycles = 400;  // 250 of them of the controller
    model.operations.push_back({.operation = 0,
                                .name = "CONV_2D",
                                .cycles = 100,
                                .macs = 1000,
                                .dramBytes = 640,
                                .commands = 2});
    model.operations.push_back(
            {.operation = 1, .name = "SOFTMAX", .cycles = 50, .dramBytes = 64, .commands = 2});
    model.operations.push_back({.operation = 2, .name = "RESHAPE", .isFolded = true});
    return model;
}

void playExecution(sim::EventStream& stream, std::uint64_t at, std::uint64_t jobId,
                   std::uint64_t callId, const driver::CompiledModel& model, std::uint64_t frame) {
    stream.beginFrame(0, frame, (at - 1) * kCycleNs, at * kCycleNs);
    stream.onCallBegin(atNs(at), "executeSynchronously_1_3", callId, 10101);
    stream.onJobSubmitted(atNs(at + 5), jobId, callId, model);
    stream.onFirmwareEvent(at + 8, "job-start", jobId);
    const auto push = [&](std::uint64_t cycle, Engine engine, std::uint32_t depth) {
        stream.onQueueDepth(at + cycle, engine, depth);
    };
    push(9, Engine::kDma0, 1);
    push(10, Engine::kDma0, 0);  // starts
    push(12, Engine::kMac, 1);
    push(14, Engine::kVector, 1);
    push(16, Engine::kDma2, 1);
    push(17, Engine::kDma2, 2);
    hw::EngineCommandRecord record{.engine = Engine::kDma0,
                                   .opcode = Opcode::kDmaTransfer,
                                   .jobId = jobId,
                                   .operation = 0,
                                   .queuedCycle = at + 9,
                                   .startCycle = at + 10,
                                   .endCycle = at + 30,
                                   .busyCycles = 18,
                                   .dramStallCycles = 2,
                                   .dramBytes = 640,
                                   .sramBytes = 640};
    stream.onEngineCommand(record);
    push(30, Engine::kMac, 0);
    stream.onMmuMiss(at + 40, Engine::kDma2, 0x1000);
    record = {.engine = Engine::kMac,
              .opcode = Opcode::kMacConv,
              .jobId = jobId,
              .operation = 0,
              .queuedCycle = at + 12,
              .startCycle = at + 30,
              .endCycle = at + 60,
              .busyCycles = 28,
              .tokenStallCycles = 10,
              .sramStallCycles = 2,
              .operations = 1000,
              .sramBytes = 700};
    stream.onEngineCommand(record);
    push(60, Engine::kVector, 0);
    record = {.engine = Engine::kVector,
              .opcode = Opcode::kVecSoftmax,
              .jobId = jobId,
              .operation = 1,
              .queuedCycle = at + 14,
              .startCycle = at + 60,
              .endCycle = at + 75,
              .busyCycles = 15,
              .tokenStallCycles = 40,
              .operations = 10,
              .sramBytes = 20};
    stream.onEngineCommand(record);
    push(75, Engine::kDma2, 1);
    record = {.engine = Engine::kDma2,
              .opcode = Opcode::kDmaTransfer,
              .jobId = jobId,
              .operation = 1,
              .queuedCycle = at + 16,
              .startCycle = at + 75,
              .endCycle = at + 95,
              .busyCycles = 20,
              .dramBytes = 64,
              .sramBytes = 64};
    stream.onEngineCommand(record);
    push(95, Engine::kDma2, 0);
    record = {.engine = Engine::kDma2,
              .opcode = Opcode::kDmaFill,
              .jobId = jobId,
              .operation = hw::kNoOperation,
              .index = 1,
              .queuedCycle = at + 17,
              .startCycle = at + 95,
              .endCycle = at + 100,
              .busyCycles = 5,
              .dramBytes = 8};
    stream.onEngineCommand(record);
    stream.onFirmwareEvent(at + 105, "job-end", jobId);
    stream.onInterruptLine(at + 106, true);
    stream.onRegisterAccess(at + 107, true, false, 0x60, 1);
    stream.onInterruptLine(at + 108, false);
    stream.onJobCompleted(atNs(at + 110), jobId, ErrorStatus::NONE);
    stream.onCallEnd(atNs(at + 120), callId, ErrorStatus::NONE);
    stream.endFrame(0, (at + 121) * kCycleNs, "NONE");
}

}  // namespace vnpu::test
