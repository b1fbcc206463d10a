// SPDX-License-Identifier: Apache-2.0
#include "driver/control/interrupt_handler.h"

#include <fmt/format.h>

#include "driver/control/job_tracker.h"
#include "driver/control/mailbox_client.h"
#include "driver/control/ring_registry.h"
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
        const std::uint32_t pending = readRegister<regs::IrqStatus>(environment_.port);
        if (pending == 0) {
            if (isFirst) {
                onFault_({.cause = FaultCause::kSpuriousInterrupt,
                          .what = "an interrupt without a pending cause"});
            }
            return;
        }
        // Cleared before it is served, so that a new event raises it again.
        writeRegister<regs::IrqStatus>(environment_.port, pending);
        if (regs::IrqStatus::kMessage.get(pending) != 0) {
            environment_.mailbox.onMessage();
        }
        if (regs::IrqStatus::kFault.get(pending) != 0) {
            logFault();
        }
        if (regs::IrqStatus::kJobDone.get(pending) != 0) {
            collectCompletions();
        }
        if (regs::IrqStatus::kFatal.get(pending) != 0) {
            onFault_({.cause = FaultCause::kFatalInterrupt,
                      .what = "the firmware reports a fatal error"});
            return;
        }
    }
}

void InterruptHandler::collectCompletions() {
    for (const JobCompletion& completion : environment_.rings.collect()) {
        if (!completion.doubt.empty()) {
            distrust(completion);
        } else if (!environment_.jobs.end(completion.record.jobId, completion.record)) {
            environment_.log.line(
                    fmt::format("a completion record names job {}, which does not exist",
                                completion.record.jobId));
        }
    }
}

/// The job's outcome is unknown, so it counts as failed.
void InterruptHandler::distrust(const JobCompletion& completion) {
    const std::uint64_t id = completion.record.jobId;
    onFault_({.cause = FaultCause::kCorruptRecord,
              .remedy = FaultRemedy::kJobEnded,
              .jobId = id,
              .ring = completion.ring,
              .what = "completion record: " + completion.doubt});
    environment_.jobs.end(
            id, fail(ErrorStatus::GENERAL_FAILURE,
                     fmt::format("the completion record of job {} is not plausible: {}", id,
                                 completion.doubt)));
}

void InterruptHandler::logFault() {
    const std::uint32_t info = readRegister<regs::MmuFaultInfo>(environment_.port);
    if (regs::MmuFaultInfo::kValid.get(info) == 0) {
        return;  // the firmware has taken the record; the job's completion reports the fault
    }
    const std::uint64_t low = readRegister<regs::MmuFaultAddressLo>(environment_.port);
    const std::uint64_t high = readRegister<regs::MmuFaultAddressHi>(environment_.port);
    writeRegister<regs::MmuFaultInfo>(environment_.port, 0);
    environment_.log.line(describeFault(info, high << 32 | low));
}

}  // namespace vnpu::driver
