// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "hw_model/regs/status.h"

namespace vnpu::driver {

/// How the driver noticed a fault of the device.
enum class FaultCause : std::uint8_t {
    kJobFailed,          // a completion record reports an error of an engine or the bus
    kEngineHang,         // a completion record reports the firmware's watchdog
    kFatalInterrupt,     // the firmware reports a fatal error
    kNoHeartbeat,        // jobs are pending and the firmware makes no progress
    kMailboxSilence,     // a mailbox request was not answered
    kCorruptRecord,      // an implausible completion record
    kCorruptMessage,     // a mailbox message has a wrong checksum
    kLostInterrupt,      // completed work without an interrupt
    kSpuriousInterrupt,  // an interrupt without a pending cause
    kBootFailed,         // the device did not boot
    kContextLost,        // a job's context could not be saved or restored
};
inline constexpr std::size_t kFaultCauseCount = 11;

/// The driver's response to a fault.
enum class FaultRemedy : std::uint8_t {
    kNothing,       // the fault did no harm
    kJobEnded,      // the job's caller gets an error, the device goes on
    kRepeated,      // the message was sent again
    kDeviceReset,   // reset, boot, contexts and rings restored; the running job failed, the others
                    // continue
    kGivenUp,       // the device is unusable from then on
    kJobRestarted,  // the job began again; its caller sees no error
};
inline constexpr std::size_t kFaultRemedyCount = 6;

/// One fault, its place and the response.
struct FaultReport {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    FaultCause cause = FaultCause::kJobFailed;
    FaultRemedy remedy = FaultRemedy::kNothing;
    std::uint64_t jobId = 0;  // of the job concerned; 0: none
    std::uint32_t ring = kNone;
    std::uint32_t engine = kNone;
    std::uint32_t command = kNone;  // offset in the job's stream
    std::uint64_t address = 0;      // virtual, of an MMU fault
    hw::JobStatus status = hw::JobStatus::kOk;
    std::uint64_t survivors = 0;              // kDeviceReset: jobs that continue from their slots
    std::chrono::nanoseconds recoveryTime{};  // kDeviceReset: from detection to renewed use
    std::string what = {};                    // a sentence
    std::string dump = {};                    // JSON, of a device that was reset; else empty
};

std::string_view nameOf(FaultCause cause);
std::string_view nameOf(FaultRemedy remedy);

/// "engine-hang: job 12 (ring 3, engine mac, command at byte 64): ...; job-ended".
std::string toText(const FaultReport& report);
/// One JSON object.
std::string toJson(const FaultReport& report);

}  // namespace vnpu::driver
