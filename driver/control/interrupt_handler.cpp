// SPDX-License-Identifier: Apache-2.0
#include "driver/control/interrupt_handler.h"

#include <fmt/format.h>

#include "driver/port/register_access.h"
#include "hw_model/regs/engines.h"

namespace vnpu::driver {

namespace {

namespace regs = hw::regs;

std::string describeFault(std::uint32_t info, std::uint64_t address) {
    const std::uint32_t engine = regs::MmuFaultInfo::kEngine.get(info);
    return fmt::format(
            "MMU fault: context {}, engine {}, {} of {:#x}: {}",
            regs::MmuFaultInfo::kContext.get(info),
            engine < hw::kEngineCount ? hw::engineName(static_cast<hw::Engine>(engine)) : "unknown",
            regs::MmuFaultInfo::kWrite.get(info) != 0 ? "write" : "read", address,
            regs::MmuFaultInfo::kPermission.get(info) != 0 ? "not writable" : "not mapped");
}

}  // namespace

void InterruptHandler::handle() {
    for (bool isFirst = true;; isFirst = false) {
        const std::uint32_t pending = readRegister<regs::IrqStatus>(options_.environment.port);
        if (pending == 0) {
            if (isFirst) {
                options_.onFault({.cause = FaultCause::kSpuriousInterrupt,
                                  .what = "an interrupt without a reason"});
            }
            return;
        }
        // Cleared before it is served, so that a new event raises it again.
        writeRegister<regs::IrqStatus>(options_.environment.port, pending);
        if (regs::IrqStatus::kMessage.get(pending) != 0) {
            options_.mailbox.onMessage();
        }
        if (regs::IrqStatus::kFault.get(pending) != 0) {
            logFault();
        }
        if (regs::IrqStatus::kJobDone.get(pending) != 0) {
            collectCompletions();
        }
        if (regs::IrqStatus::kFatal.get(pending) != 0) {
            options_.onFatal("the firmware reports a fatal error");
            return;
        }
    }
}

void InterruptHandler::collectCompletions() {
    for (const JobCompletion& completion : options_.rings.collect()) {
        if (!completion.doubt.empty()) {
            distrust(completion);
        } else if (!options_.jobs.complete(completion.record)) {
            options_.environment.log.line(fmt::format(
                    "completion record for job {}, which does not exist", completion.record.jobId));
        }
    }
}

/// The job's outcome is unknown, so it counts as failed.
void InterruptHandler::distrust(const JobCompletion& completion) {
    const std::uint64_t id = completion.record.jobId;
    options_.onFault({.cause = FaultCause::kCorruptRecord,
                      .remedy = FaultRemedy::kJobEnded,
                      .jobId = id,
                      .ring = completion.ring,
                      .what = "completion record: " + completion.doubt});
    options_.jobs.fail(id, {ErrorStatus::GENERAL_FAILURE,
                            fmt::format("the completion record of job {} cannot be true: {}", id,
                                        completion.doubt)});
}

void InterruptHandler::logFault() {
    const std::uint32_t info = readRegister<regs::MmuFaultInfo>(options_.environment.port);
    if (regs::MmuFaultInfo::kValid.get(info) == 0) {
        return;  // the firmware has taken the record; the job's completion reports the fault
    }
    const std::uint64_t low = readRegister<regs::MmuFaultAddressLo>(options_.environment.port);
    const std::uint64_t high = readRegister<regs::MmuFaultAddressHi>(options_.environment.port);
    writeRegister<regs::MmuFaultInfo>(options_.environment.port, 0);
    options_.environment.log.line(describeFault(info, high << 32 | low));
}

}  // namespace vnpu::driver
