// SPDX-License-Identifier: Apache-2.0
#include "hw_model/regs/status.h"

namespace vnpu::hw {

std::string_view jobStatusName(JobStatus status) {
    switch (status) {
        case JobStatus::kOk:
            return "ok";
        case JobStatus::kBadOpcode:
            return "bad-opcode";
        case JobStatus::kBadCommandSize:
            return "bad-command-size";
        case JobStatus::kTruncatedStream:
            return "truncated-stream";
        case JobStatus::kMisaligned:
            return "misaligned";
        case JobStatus::kBadEngine:
            return "bad-engine";
        case JobStatus::kBadWait:
            return "bad-wait";
        case JobStatus::kReservedNotZero:
            return "reserved-not-zero";
        case JobStatus::kBadRegion:
            return "bad-region";
        case JobStatus::kOutOfRegion:
            return "out-of-region";
        case JobStatus::kReadOnlyRegion:
            return "read-only-region";
        case JobStatus::kOutOfSram:
            return "out-of-sram";
        case JobStatus::kOutOfAccumulator:
            return "out-of-accumulator";
        case JobStatus::kBadOperand:
            return "bad-operand";
        case JobStatus::kMmuFault:
            return "mmu-fault";
        case JobStatus::kBusError:
            return "bus-error";
        case JobStatus::kBadJob:
            return "bad-job";
        case JobStatus::kAborted:
            return "aborted";
        case JobStatus::kEngineHang:
            return "engine-hang";
        case JobStatus::kNoRoom:
            return "no-room";
        case JobStatus::kLoopTimeout:
            return "loop-timeout";
        case JobStatus::kEccError:
            return "ecc-error";
    }
    return "?";
}

}  // namespace vnpu::hw
