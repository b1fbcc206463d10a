// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw {
namespace {

using checks::require;

/// Whether `engine` is one that executes `opcode`.
bool runsOn(Opcode opcode, Engine engine) {
    switch (opcode) {
        case Opcode::kDmaTransfer:
        case Opcode::kDmaFill:
            return isDma(engine);
        case Opcode::kMacConv:
            return engine == Engine::kMac;
        case Opcode::kVecPool:
        case Opcode::kVecEltwise:
        case Opcode::kVecUnary:
        case Opcode::kVecSoftmax:
        case Opcode::kVecReduce:
        case Opcode::kVecOperator:
            return engine == Engine::kVector;
        case Opcode::kDspOperator:
            return engine == Engine::kDsp;
        default:
            return engine == Engine::kController;
    }
}

JobStatus checkWaits(const CommandHeader& header) {
    VNPU_TRY(require(header.waitCount <= kMaxWaits, JobStatus::kBadWait));
    unsigned seen = (1U << engineIndex(header.engine)) | (1U << engineIndex(Engine::kController));
    for (unsigned i = 0; i < header.waitCount; ++i) {
        const std::uint32_t engine = header.waits[i].engine;
        VNPU_TRY(require(engine < kEngineCount, JobStatus::kBadWait));
        VNPU_TRY(require((seen & (1U << engine)) == 0, JobStatus::kBadWait));
        seen |= 1U << engine;
    }
    for (unsigned i = header.waitCount; i < kMaxWaits; ++i) {
        VNPU_TRY(require(header.waits[i].engine == 0 && header.waits[i].count == 0,
                         JobStatus::kReservedNotZero));
    }
    return JobStatus::kOk;
}

JobStatus checkHeader(const CommandHeader& header) {
    const int payload = payloadBytes(header.opcode);
    VNPU_TRY(require(payload >= 0, JobStatus::kBadOpcode));
    VNPU_TRY(require(header.sizeBytes == sizeof(CommandHeader) + static_cast<std::size_t>(payload),
                     JobStatus::kBadCommandSize));
    VNPU_TRY(require(runsOn(header.opcode, header.engine), JobStatus::kBadEngine));
    VNPU_TRY(require(header.flags == 0 && header.reserved == 0, JobStatus::kReservedNotZero));
    return checkWaits(header);
}

}  // namespace

JobStatus validateCommand(const CommandView& command, const ValidationLimits& limits) {
    VNPU_TRY(checkHeader(*command.header));
    switch (command.header->opcode) {
        case Opcode::kNop:
        case Opcode::kEnd:
        case Opcode::kBarrier:
        case Opcode::kSegment:
            return JobStatus::kOk;
        case Opcode::kLoop:
            return checks::loop(command.as<Loop>());
        case Opcode::kBranch:
            return checks::branch(command.as<Branch>(), limits);
        case Opcode::kTimestamp:
            return checks::timestamp(command.as<Timestamp>(), limits);
        case Opcode::kCheckpoint:
            return checks::checkpoint(command.as<Checkpoint>(), limits);
        case Opcode::kDmaTransfer:
            return checks::dmaTransfer(command.as<DmaTransfer>(), limits);
        case Opcode::kDmaFill:
            return checks::dmaFill(command.as<DmaFill>(), limits);
        case Opcode::kMacConv:
            return checks::macConv(command.as<MacConv>(), limits);
        case Opcode::kVecPool:
            return checks::vecPool(command.as<VecPool>(), limits);
        case Opcode::kVecEltwise:
            return checks::vecEltwise(command.as<VecEltwise>(), limits);
        case Opcode::kVecUnary:
            return checks::vecUnary(command.as<VecUnary>(), limits);
        case Opcode::kVecSoftmax:
            return checks::vecSoftmax(command.as<VecSoftmax>(), limits);
        case Opcode::kVecReduce:
            return checks::vecReduce(command.as<VecReduce>(), limits);
        case Opcode::kVecOperator:
            return checks::vecOperator(command.as<VecOperator>(), limits);
        case Opcode::kDspOperator:
            return checks::dspOperator(command.as<DspOperator>(), limits);
    }
    return JobStatus::kBadOpcode;
}

}  // namespace vnpu::hw
