// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device's registers. registers.def lists them once: decoding, access checks, trace names and
// the printed documentation follow from its rows. All registers are 32 bits wide and 4-byte
// aligned; 64-bit values occupy a LO and a HI register. Offsets below kControllerOnlyBase belong to
// the host; only the controller can access the others.

#include <cstdint>
#include <iterator>
#include <span>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/register_spec.h"

namespace vnpu::hw::regs {

inline constexpr std::uint32_t kWindowBytes = 0x10000;
inline constexpr std::uint32_t kControllerOnlyBase = 0x8000;
inline constexpr std::uint32_t kDeviceId = 0x55504E56;  // "VNPU" in memory order
inline constexpr std::uint32_t kRingCount =
        16;  // chosen: as many rings as NNAPI priorities times a few clients
inline constexpr std::uint32_t kMailboxWords = 8;  // a message is 32 bytes (firmware/api/mailbox.h)
inline constexpr std::uint32_t kContextCount = 64;  // chosen: number of simultaneous address spaces
inline constexpr std::uint32_t kPerfCounterCount = 45;
inline constexpr std::uint32_t kClockLevelCount = 4;

/// The window of the resident memory on the bus.
inline constexpr std::uint64_t kResidentBase =
        0x4000'0000;  // chosen: next to the registers, far below the DRAM of any platform

/// STATUS.STATE
enum class DeviceState : std::uint32_t {
    kReset = 0,
    kBooting = 1,
    kReady = 2,
    kFailed = 3,
    kStopped = 4
};

/// POWER_STATUS.STATE
enum class PowerState : std::uint32_t {
    kActive = 0,
    kSuspending = 1,
    kSuspended = 2,
    kResuming = 3,
    kSwitching = 4
};
inline constexpr std::uint32_t kPowerStateCount = 5;

/// The numbers of PERF_COUNTER.
enum class PerfEvent : std::uint32_t {
    kMacActiveCycles = 0,
    kMacOperations = 1,  // multiply-accumulates
    kVectorActiveCycles = 2,
    kDmaBytesRead = 3,  // from memory; SRAM, resident or not, does not count
    kDmaBytesWritten = 4,
    kDramBusyCycles = 5,
    kSramStallCycles = 6,   // bank conflicts
    kTokenStallCycles = 7,  // engines waiting for tokens
    kDramStallCycles = 8,   // waiting for other users of DRAM
    kTlbHits = 9,
    kTlbMisses = 10,
    kCommands = 11,
    kControllerCycles = 12,
    kJobs = 13,
    kSramRaces = 14,
    kInterrupts = 15,
    kEccCorrected = 16,  // words with one flipped bit, corrected on read
    kEccDetected = 17,   // words with two flipped bits, each an engine's error
    kWakes = 18,         // power-ups after a power-down
    kClockSwitches = 19,
    kSuspendedCycles = 20,  // from the end of a power-down to the start of the power-up
    // Inputs of the energy model (timing/activity.h). A product or an operation on integers of w
    // bytes counts as w * w products or w operations of 8 bits, a float counts as one. Aborted
    // commands count nothing.
    kMacProducts8 = 21,  // executed by the array: fewer than kMacOperations with Winograd
    kMacProductsFloat = 22,
    kOutputStageOps8 = 23,
    kVectorProducts8 = 24,
    kVectorProductsFloat = 25,
    kVectorOps8 = 26,
    kVectorOpsFloat = 27,
    kDspProducts8 = 28,
    kDspProductsFloat = 29,
    kDspOps8 = 30,
    kDspOpsFloat = 31,
    kDspCoreCycles = 32,  // while the DSP worked
    kAccumulatorBytes = 33,
    kSramBytes = 34,
    kResidentBytes = 35,
    kBusBytes = 36,  // of engines over interconnect and DRAM, in whole bursts
    kControllerBusBytes = 37,
    kControllerCoreCycles = 38,  // while the program ran
    // Of a DRAM with banks; 0 with the flat model.
    kDramRowHits = 39,           // column commands whose row was open
    kDramRowMisses = 40,         // whose bank was closed
    kDramRowConflicts = 41,      // whose bank had another row open
    kDramRefreshes = 42,         // of a channel
    kDramTurnaroundCycles = 43,  // for which the data bus waited between reads and writes
    kPageTableReads = 44,        // of the MMU's walks from DRAM
};

// The fields of each register: TypeFields::id.
#define VNPU_FIELD(id, name, lsb, width, meaning) \
    static constexpr FieldSpec id{name, lsb, width, meaning, kOffset};
#define VNPU_REGISTERS(type, name, offset, access, reset, count, stride, meaning, ...) \
    struct type##Fields {                                                              \
        static constexpr std::uint32_t kOffset = offset;                               \
        __VA_ARGS__                                                                    \
    };
#include "hw_model/regs/registers.def"

// The registers: Type::kSpec, Type::kFields, and Type::id of each field. The last element of each
// list is a dummy, needed for registers without fields.
#define VNPU_FIELD(id, name, lsb, width, meaning) {name, lsb, width, meaning, kOffset},
#define VNPU_REGISTERS(type, name, offset, access, reset, count, stride, meaning, ...)    \
    struct type : type##Fields {                                                          \
        static constexpr FieldSpec kList[] = {__VA_ARGS__{}};                             \
        static constexpr std::span<const FieldSpec> kFields{kList, std::size(kList) - 1}; \
        static constexpr RegisterSpec kSpec{name,    offset,  Access::access, reset,      \
                                            meaning, kFields, count,          stride};    \
    };
#include "hw_model/regs/registers.def"

/// Identity and configuration are fixed for a device: no reset changes them.
constexpr bool isConfiguration(std::uint32_t offset) {
    return offset < Control::kSpec.offset ||
           (offset >= ConfigResident::kSpec.offset && offset <= ConfigClockSwitch::kSpec.offset);
}

}  // namespace vnpu::hw::regs
