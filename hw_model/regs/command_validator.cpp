// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/operand_checks.h"

namespace vnpu::hw {
namespace {

using checks::require;

/// Whether `engine` can execute `opcode`.
bool runsOn(Opcode opcode, Engine engine) {
    const Engine first = isDma(engine) ? Engine::kDma0 : engine;
    switch (opcode) {
#define VNPU_OPCODE(op, code, name, runner, Payload) \
    case Opcode::op:                                 \
        return first == Engine::runner;
#include "hw_model/regs/opcodes.def"
    }
    return false;
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
    return withPayload(command, JobStatus::kBadOpcode,
                       [&](const auto& work) { return checks::validate(work, limits); });
}

}  // namespace vnpu::hw
