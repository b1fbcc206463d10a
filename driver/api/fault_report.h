// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "hw_model/regs/status.h"

namespace vnpu::driver {

/// How the driver became aware that something went wrong on the device.
enum class FaultCause : std::uint8_t {
    kJobFailed,          // a completion record with an error of an engine or the bus
    kEngineHang,         // likewise, of the firmware's watchdog
    kFatalInterrupt,     // the firmware gave up
    kNoHeartbeat,        // jobs are pending, the firmware does nothing
    kMailboxSilence,     // a request without an answer
    kCorruptRecord,      // a completion record that cannot be true
    kCorruptMessage,     // a mailbox message whose seal is broken
    kLostInterrupt,      // work was done and nobody said so
    kSpuriousInterrupt,  // an interrupt without a reason
    kBootFailed,         // the device did not come back
    kContextLost,        // a job's context could not be saved or brought back
};
inline constexpr std::size_t kFaultCauseCount = 11;

/// What the driver did about it.
enum class FaultRemedy : std::uint8_t {
    kNothing,       // it did no harm
    kJobEnded,      // the job's caller gets an error, the device goes on
    kRepeated,      // the message was sent again
    kDeviceReset,   // reset, boot, contexts and rings anew; the guilty job ended, others went on
    kGivenUp,       // the device is out of use from then on
    kJobRestarted,  // the job began from the start; its caller notices nothing
};
inline constexpr std::size_t kFaultRemedyCount = 6;

/// One fault: what, whose, since when.
struct FaultReport {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    FaultCause cause = FaultCause::kJobFailed;
    FaultRemedy remedy = FaultRemedy::kNothing;
    std::uint64_t jobId = 0;  // of the job at fault or in doubt; 0: none
    std::uint32_t ring = kNone;
    std::uint32_t engine = kNone;
    std::uint32_t command = kNone;  // offset in the job's stream
    std::uint64_t address = 0;      // virtual, of an MMU fault
    hw::JobStatus status = hw::JobStatus::kOk;
    std::uint64_t survivors = 0;              // kDeviceReset: jobs that go on from their slots
    std::chrono::nanoseconds recoveryTime{};  // kDeviceReset: from the verdict to the device's use
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
