// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device's registers, declared once: decoding, access checks, trace names and the printed
// documentation all come from these declarations. All registers are 32 bits wide and 4-byte
// aligned; 64-bit values are a LO and a HI register. Offsets below kControllerOnlyBase belong to
// the host; the rest answers the controller alone.

#include <cstdint>
#include <span>
#include <string>

#include "hw_model/regs/command_stream.h"
#include "hw_model/regs/register_spec.h"

namespace vnpu::hw::regs {

inline constexpr std::uint32_t kWindowBytes = 0x10000;
inline constexpr std::uint32_t kControllerOnlyBase = 0x8000;
inline constexpr std::uint32_t kRingCount =
        16;  // chosen: as many rings as NNAPI priorities times a few clients
inline constexpr std::uint32_t kMailboxWords = 8;  // a message is 32 bytes (firmware/api/mailbox.h)
inline constexpr std::uint32_t kContextCount = 64;  // chosen: address spaces that exist at once
inline constexpr std::uint32_t kPerfCounterCount = 39;
inline constexpr std::uint32_t kClockLevelCount = 4;

// ---- identity and configuration

inline constexpr std::uint32_t kDeviceId = 0x55504E56;  // "VNPU" in memory order

struct Id {
    static constexpr RegisterSpec kSpec{"ID", 0x0000, Access::kReadOnly, kDeviceId,
                                        "Identifies the device"};
};

struct ArchVersion {
    static constexpr FieldSpec kMinor{"MINOR", 0, 16, "Compatible additions"};
    static constexpr FieldSpec kMajor{"MAJOR", 16, 16, "Incompatible changes"};
    static constexpr FieldSpec kFields[] = {kMinor, kMajor};
    static constexpr RegisterSpec kSpec{"ARCH_VERSION",
                                        0x0004,
                                        Access::kReadOnly,
                                        0x00010006,
                                        "Version of the hardware contract",
                                        kFields};
};

struct CommandStreamVersion {
    static constexpr RegisterSpec kSpec{"COMMAND_STREAM_VERSION", 0x0008, Access::kReadOnly,
                                        kCommandStreamVersion,
                                        "Version of the command stream that the engines take"};
};

struct Platform {
    static constexpr FieldSpec kSimulated{"SIMULATED", 0, 1,
                                          "1: a model, time is simulated; scale host timeouts"};
    static constexpr FieldSpec kTimingOnly{"TIMING_ONLY", 1, 1,
                                           "1: payload data is neither moved nor computed"};
    static constexpr FieldSpec kFields[] = {kSimulated, kTimingOnly};
    static constexpr RegisterSpec kSpec{
            "PLATFORM", 0x000C, Access::kReadOnly, 0x1, "What kind of device this is", kFields};
};

struct ConfigMac {
    static constexpr FieldSpec kRows{"ROWS", 0, 12, "Rows of the MAC array"};
    static constexpr FieldSpec kColumns{"COLUMNS", 12, 12, "Columns of the MAC array"};
    static constexpr FieldSpec kDataflow{
            "DATAFLOW", 24, 2, "0: weight stationary, 1: output stationary, 2: broadcast"};
    static constexpr FieldSpec kWeightDoubleBuffer{
            "WEIGHT_DOUBLE_BUFFER", 26, 1,
            "1: the next stationary tile loads while the present one streams"};
    static constexpr FieldSpec kWinograd{
            "WINOGRAD", 27, 1, "1: 3 x 3 filters with stride 1 take 16 steps per 2 x 2 outputs"};
    static constexpr FieldSpec kFields[] = {kRows, kColumns, kDataflow, kWeightDoubleBuffer,
                                            kWinograd};
    static constexpr RegisterSpec kSpec{"CONFIG_MAC", 0x0010, Access::kReadOnly, 0,
                                        "MAC array",  kFields};
};

struct ConfigMacRates {
    static constexpr FieldSpec kFloatDivisor{
            "FLOAT_DIVISOR", 0, 8, "Cycles per float32 step where an 8-bit step takes one"};
    static constexpr FieldSpec kOutputLanes{"OUTPUT_LANES", 8, 12,
                                            "Elements per cycle of the output stage"};
    static constexpr FieldSpec kDepthwiseColumns{
            "DEPTHWISE_COLUMNS", 20, 12, "Channels side by side in depthwise work, 0: as columns"};
    static constexpr FieldSpec kFields[] = {kFloatDivisor, kOutputLanes, kDepthwiseColumns};
    static constexpr RegisterSpec kSpec{"CONFIG_MAC_RATES",       0x0014, Access::kReadOnly, 0,
                                        "Rates of the MAC array", kFields};
};

struct ConfigAccumulator {
    static constexpr FieldSpec kKib{"KIB", 0, 16, "Accumulator memory in KiB"};
    static constexpr FieldSpec kFields[] = {kKib};
    static constexpr RegisterSpec kSpec{"CONFIG_ACCUMULATOR", 0x0018, Access::kReadOnly, 0,
                                        "Accumulator memory", kFields};
};

struct ConfigSram {
    static constexpr FieldSpec kKib{"KIB", 0, 16, "On-chip SRAM in KiB"};
    static constexpr FieldSpec kBanks{"BANKS", 16, 8, "Banks, each a contiguous share of the SRAM"};
    static constexpr FieldSpec kFields[] = {kKib, kBanks};
    static constexpr RegisterSpec kSpec{"CONFIG_SRAM",  0x001C, Access::kReadOnly, 0,
                                        "On-chip SRAM", kFields};
};

struct ConfigSramPort {
    static constexpr FieldSpec kBytesPerCycle{"BYTES_PER_CYCLE", 0, 16,
                                              "Bytes per cycle of one bank's port"};
    static constexpr FieldSpec kFields[] = {kBytesPerCycle};
    static constexpr RegisterSpec kSpec{"CONFIG_SRAM_PORT", 0x0020, Access::kReadOnly, 0,
                                        "SRAM bank port",   kFields};
};

struct ConfigVector {
    static constexpr FieldSpec kLanes8{"LANES_8", 0, 12, "8-bit elements per cycle"};
    static constexpr FieldSpec kLanes32{"LANES_32", 12, 12, "32-bit elements per cycle"};
    static constexpr FieldSpec kFields[] = {kLanes8, kLanes32};
    static constexpr RegisterSpec kSpec{"CONFIG_VECTOR", 0x0024, Access::kReadOnly, 0,
                                        "Vector unit",   kFields};
};

struct ConfigDma {
    static constexpr FieldSpec kChannels{"CHANNELS", 0, 8, "DMA channels"};
    static constexpr FieldSpec kBytesPerCycle{"BYTES_PER_CYCLE", 8, 16,
                                              "Peak bytes per cycle of one channel"};
    static constexpr FieldSpec kFields[] = {kChannels, kBytesPerCycle};
    static constexpr RegisterSpec kSpec{"CONFIG_DMA", 0x0028, Access::kReadOnly, 0, "DMA", kFields};
};

struct ConfigDramBandwidth {
    static constexpr RegisterSpec kSpec{
            "CONFIG_DRAM_BANDWIDTH", 0x002C, Access::kReadOnly, 0,
            "DRAM bandwidth in bytes per 1024 device cycles, less refresh"};
};

struct ConfigDramLatency {
    static constexpr RegisterSpec kSpec{"CONFIG_DRAM_LATENCY", 0x0030, Access::kReadOnly, 0,
                                        "Unloaded DRAM read latency in cycles"};
};

struct ConfigClock {
    static constexpr RegisterSpec kSpec{"CONFIG_CLOCK", 0x0034, Access::kReadOnly, 0,
                                        "Device clock in kHz"};
};

struct ConfigMemory {
    static constexpr RegisterSpec kSpec{"CONFIG_MEMORY", 0x0038, Access::kReadOnly, 0,
                                        "Device DRAM in KiB"};
};

struct ConfigQueues {
    static constexpr FieldSpec kRings{"RINGS", 0, 8, "Job rings"};
    static constexpr FieldSpec kContexts{"CONTEXTS", 8, 8, "MMU contexts"};
    static constexpr FieldSpec kEngineDepth{"ENGINE_DEPTH", 16, 8,
                                            "Commands that one engine queues"};
    static constexpr FieldSpec kFields[] = {kRings, kContexts, kEngineDepth};
    static constexpr RegisterSpec kSpec{"CONFIG_QUEUES", 0x003C, Access::kReadOnly, 0,
                                        "Queues",        kFields};
};

// ---- control

struct Control {
    static constexpr FieldSpec kReset{"RESET", 0, 1,
                                      "1: hold the controller and the engines in reset"};
    static constexpr FieldSpec kBoot{"BOOT", 1, 1,
                                     "Write 1: start the firmware with the boot parameters"};
    static constexpr FieldSpec kFields[] = {kReset, kBoot};
    static constexpr RegisterSpec kSpec{"CONTROL", 0x0040,           Access::kReadWrite,
                                        0x1,       "Reset and boot", kFields};
};

enum class DeviceState : std::uint32_t {
    kReset = 0,
    kBooting = 1,
    kReady = 2,
    kFailed = 3,
    kStopped = 4
};

struct Status {
    static constexpr FieldSpec kState{"STATE", 0, 4,
                                      "0: reset, 1: booting, 2: ready, 3: boot failed, 4: "
                                      "stopped by a fatal error"};
    static constexpr FieldSpec kBusy{"BUSY", 4, 1, "1: an engine works"};
    static constexpr FieldSpec kSramRace{
            "SRAM_RACE", 5, 1,
            "Sticky until reset: two engines met in SRAM without a token between them"};
    static constexpr FieldSpec kFields[] = {kState, kBusy, kSramRace};
    static constexpr RegisterSpec kSpec{"STATUS", 0x0044, Access::kReadOnly, 0, "State", kFields};
};

struct BootParametersLo {
    static constexpr RegisterSpec kSpec{"BOOT_PARAMETERS_LO", 0x0048, Access::kReadWrite, 0,
                                        "Bus address of the boot parameters, low word"};
};

struct BootParametersHi {
    static constexpr RegisterSpec kSpec{"BOOT_PARAMETERS_HI", 0x004C, Access::kReadWrite, 0,
                                        "Bus address of the boot parameters, high word"};
};

struct Heartbeat {
    static constexpr RegisterSpec kSpec{"HEARTBEAT", 0x0050, Access::kReadOnly, 0,
                                        "Counts up while the firmware makes progress"};
};

struct CycleCounterLo {
    static constexpr RegisterSpec kSpec{
            "CYCLE_COUNTER_LO", 0x0054, Access::kReadOnly, 0,
            "Device cycles since power-on, low word; reading latches HI"};
};

struct CycleCounterHi {
    static constexpr RegisterSpec kSpec{"CYCLE_COUNTER_HI", 0x0058, Access::kReadOnly, 0,
                                        "High word as latched by the last read of LO"};
};

// ---- interrupts

struct IrqStatus {
    static constexpr FieldSpec kJobDone{"JOB_DONE", 0, 1, "A completion record was written"};
    static constexpr FieldSpec kMessage{"MESSAGE", 1, 1, "The outbound mailbox holds a message"};
    static constexpr FieldSpec kFault{"FAULT", 2, 1, "An MMU fault was recorded"};
    static constexpr FieldSpec kFatal{"FATAL", 3, 1, "The firmware cannot go on"};
    static constexpr FieldSpec kFields[] = {kJobDone, kMessage, kFault, kFatal};
    static constexpr RegisterSpec kSpec{"IRQ_STATUS",
                                        0x0060,
                                        Access::kWriteOneToClear,
                                        0,
                                        "Pending interrupts; write 1 to clear",
                                        kFields};
};

struct IrqMask {
    static constexpr RegisterSpec kSpec{"IRQ_MASK", 0x0064, Access::kReadWrite, 0,
                                        "1 enables the interrupt of the same bit of IRQ_STATUS"};
};

// ---- mailbox

struct MailboxIn {
    static constexpr RegisterSpec kSpec{
            "MAILBOX_IN", 0x0080,       Access::kReadWrite, 0, "Message to the firmware",
            {},           kMailboxWords};
};

struct MailboxInControl {
    static constexpr FieldSpec kFull{
            "FULL", 0, 1, "Write 1: hand the message over; reads 1 until the firmware took it"};
    static constexpr FieldSpec kFields[] = {kFull};
    static constexpr RegisterSpec kSpec{"MAILBOX_IN_CONTROL", 0x00A0, Access::kReadWrite, 0,
                                        "Inbound mailbox",    kFields};
};

struct MailboxOut {
    static constexpr RegisterSpec kSpec{
            "MAILBOX_OUT", 0x00C0, Access::kReadOnly, 0, "Message from the firmware", {},
            kMailboxWords};
};

struct MailboxOutControl {
    static constexpr FieldSpec kFull{"FULL", 0, 1, "1: a message waits; write 0 once it was read"};
    static constexpr FieldSpec kFields[] = {kFull};
    static constexpr RegisterSpec kSpec{"MAILBOX_OUT_CONTROL", 0x00E0, Access::kReadWrite, 0,
                                        "Outbound mailbox",    kFields};
};

struct Doorbell {
    static constexpr RegisterSpec kSpec{"DOORBELL",
                                        0x0100,
                                        Access::kWriteOnly,
                                        0,
                                        "Write the ring's new tail; wakes the firmware",
                                        {},
                                        kRingCount};
};

// ---- configuration, continued

/// Where the window onto the resident memory lies on the bus.
inline constexpr std::uint64_t kResidentBase =
        0x4000'0000;  // chosen: beside the registers, far below the DRAM of any platform

/// Since version 1.1; reads 0 before.
struct ConfigResident {
    static constexpr FieldSpec kKib{
            "KIB", 0, 16, "SRAM besides CONFIG_SRAM.KIB that keeps data between jobs; 0: none"};
    static constexpr FieldSpec kBaseMib{"BASE_MIB", 16, 16,
                                        "Bus address of its window, for the host and page tables"};
    static constexpr FieldSpec kFields[] = {kKib, kBaseMib};
    static constexpr RegisterSpec kSpec{"CONFIG_RESIDENT", 0x0140, Access::kReadOnly, 0,
                                        "Resident memory", kFields};
};

/// Since version 1.2; the DSP's registers read 0 before.
struct ConfigDsp {
    static constexpr FieldSpec kLanes8{"LANES_8", 0, 12, "8-bit elements per cycle"};
    static constexpr FieldSpec kLanes32{"LANES_32", 12, 12, "32-bit elements per cycle"};
    static constexpr FieldSpec kFields[] = {kLanes8, kLanes32};
    static constexpr RegisterSpec kSpec{"CONFIG_DSP", 0x0144, Access::kReadOnly, 0, "DSP", kFields};
};

struct ConfigDspMacs {
    static constexpr FieldSpec kMacs8{"MACS_8", 0, 12, "8-bit multiply-accumulates per cycle"};
    static constexpr FieldSpec kMacsFloat{"MACS_FLOAT", 12, 12,
                                          "Float multiply-accumulates per cycle"};
    static constexpr FieldSpec kFields[] = {kMacs8, kMacsFloat};
    static constexpr RegisterSpec kSpec{"CONFIG_DSP_MACS",     0x0148, Access::kReadOnly, 0,
                                        "Products of the DSP", kFields};
};

struct ConfigDspPort {
    static constexpr FieldSpec kBytesPerCycle{"BYTES_PER_CYCLE", 0, 16,
                                              "Peak bytes per cycle to and from memory"};
    static constexpr FieldSpec kFields[] = {kBytesPerCycle};
    static constexpr RegisterSpec kSpec{"CONFIG_DSP_PORT",           0x014C, Access::kReadOnly, 0,
                                        "Port of the DSP to memory", kFields};
};

/// Since version 1.3.
struct ConfigDspState {
    static constexpr FieldSpec kBytes{
            "BYTES", 0, 16, "What an operator that stopped keeps there; space 0xFFFD of transfers"};
    static constexpr FieldSpec kFields[] = {kBytes};
    static constexpr RegisterSpec kSpec{"CONFIG_DSP_STATE",       0x0150, Access::kReadOnly, 0,
                                        "Local state of the DSP", kFields};
};

/// Since version 1.4; the power registers read 0 before.
struct ConfigPower {
    static constexpr FieldSpec kLevels{"LEVELS", 0, 4, "Clock levels; 0 is the fastest"};
    static constexpr FieldSpec kSustained{"SUSTAINED", 4, 4,
                                          "The fastest level that may be held for ever"};
    static constexpr FieldSpec kFields[] = {kLevels, kSustained};
    static constexpr RegisterSpec kSpec{"CONFIG_POWER", 0x0154, Access::kReadOnly, 0,
                                        "Clock levels", kFields};
};

struct ConfigClockLevel {
    static constexpr RegisterSpec kSpec{
            "CONFIG_CLOCK_LEVEL",
            0x0158,
            Access::kReadOnly,
            0,
            "Clock of level n in kHz, 0: none. Device cycles are CONFIG_CLOCK's at every level",
            {},
            kClockLevelCount};
};

struct ConfigAutosuspend {
    static constexpr RegisterSpec kSpec{
            "CONFIG_AUTOSUSPEND", 0x0168, Access::kReadOnly, 0,
            "Microseconds without work after which the firmware powers down; 0: never"};
};

struct ConfigSuspend {
    static constexpr RegisterSpec kSpec{"CONFIG_SUSPEND", 0x016C, Access::kReadOnly, 0,
                                        "Nanoseconds of a power-down"};
};

struct ConfigResume {
    static constexpr RegisterSpec kSpec{"CONFIG_RESUME", 0x0170, Access::kReadOnly, 0,
                                        "Nanoseconds of a power-up"};
};

struct ConfigClockSwitch {
    static constexpr RegisterSpec kSpec{"CONFIG_CLOCK_SWITCH", 0x0174, Access::kReadOnly, 0,
                                        "Nanoseconds of a change of the clock level"};
};

/// Identity and configuration are the device's own: no reset changes them.
constexpr bool isConfiguration(std::uint32_t offset) {
    return offset < Control::kSpec.offset ||
           (offset >= ConfigResident::kSpec.offset && offset <= ConfigClockSwitch::kSpec.offset);
}

// ---- clock and power

enum class PowerState : std::uint32_t {
    kActive = 0,
    kSuspending = 1,
    kSuspended = 2,
    kResuming = 3,
    kSwitching = 4
};
inline constexpr std::uint32_t kPowerStateCount = 5;

/// Since version 1.4.
struct PowerStatus {
    static constexpr FieldSpec kState{
            "STATE", 0, 4, "0: active, 1: suspending, 2: suspended, 3: resuming, 4: switching"};
    static constexpr FieldSpec kLevel{"LEVEL", 4, 4, "Clock level; a reset sets it to 0"};
    static constexpr FieldSpec kCold{"COLD", 8, 1, "1: not booted since power-on"};
    static constexpr FieldSpec kFields[] = {kState, kLevel, kCold};
    static constexpr RegisterSpec kSpec{"POWER_STATUS",    0x0180, Access::kReadOnly, 0x100,
                                        "Clock and power", kFields};
};

// ---- MMU

struct MmuFaultInfo {
    static constexpr FieldSpec kValid{"VALID", 0, 1,
                                      "1: a fault is recorded; write 0 to release the record"};
    static constexpr FieldSpec kWrite{"WRITE", 1, 1, "1: the access was a write"};
    static constexpr FieldSpec kPermission{"PERMISSION", 2, 1,
                                           "1: mapped but not writable; 0: not mapped"};
    static constexpr FieldSpec kContext{"CONTEXT", 8, 8, "Context of the access"};
    static constexpr FieldSpec kEngine{"ENGINE", 16, 4, "Engine that asked"};
    static constexpr FieldSpec kFields[] = {kValid, kWrite, kPermission, kContext, kEngine};
    static constexpr RegisterSpec kSpec{"MMU_FAULT_INFO",
                                        0x0200,
                                        Access::kReadWrite,
                                        0,
                                        "First fault since the record was released",
                                        kFields};
};

struct MmuFaultAddressLo {
    static constexpr RegisterSpec kSpec{"MMU_FAULT_ADDRESS_LO", 0x0204, Access::kReadOnly, 0,
                                        "Faulting virtual address, low word"};
};

struct MmuFaultAddressHi {
    static constexpr RegisterSpec kSpec{"MMU_FAULT_ADDRESS_HI", 0x0208, Access::kReadOnly, 0,
                                        "Faulting virtual address, high word"};
};

struct MmuInvalidate {
    static constexpr FieldSpec kContext{"CONTEXT", 0, 8, "Context whose TLB entries are dropped"};
    static constexpr FieldSpec kAll{"ALL", 31, 1, "1: drop the entries of every context"};
    static constexpr FieldSpec kFields[] = {kContext, kAll};
    static constexpr RegisterSpec kSpec{"MMU_INVALIDATE",    0x020C, Access::kWriteOnly, 0,
                                        "Drops TLB entries", kFields};
};

// ---- performance counters

enum class PerfEvent : std::uint32_t {
    kMacActiveCycles = 0,
    kMacOperations = 1,  // multiply-accumulates
    kVectorActiveCycles = 2,
    kDmaBytesRead = 3,  // of memory; SRAM, resident or not, does not count
    kDmaBytesWritten = 4,
    kDramBusyCycles = 5,
    kSramStallCycles = 6,   // bank conflicts
    kTokenStallCycles = 7,  // engines waiting for tokens
    kDramStallCycles = 8,   // waiting for DRAM behind others
    kTlbHits = 9,
    kTlbMisses = 10,
    kCommands = 11,
    kControllerCycles = 12,
    kJobs = 13,
    kSramRaces = 14,
    kInterrupts = 15,
    kEccCorrected = 16,  // words with one flipped bit, made good when they were read
    kEccDetected = 17,   // words with two, each an engine's error
    kWakes = 18,         // power-ups after a power-down
    kClockSwitches = 19,
    kSuspendedCycles = 20,  // from the end of a power-down to the begin of the power-up
    // What energy is reckoned from (timing/activity.h). A product or an operation on integers of
    // w bytes counts as w * w products or w operations of 8 bits, floats count one each. A command
    // that is broken off counts nothing.
    kMacProducts8 = 21,  // that the array made: fewer than kMacOperations with Winograd
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
    kDspCoreCycles = 32,  // in which the DSP worked
    kAccumulatorBytes = 33,
    kSramBytes = 34,
    kResidentBytes = 35,
    kBusBytes = 36,  // of engines over interconnect and DRAM, in whole bursts
    kControllerBusBytes = 37,
    kControllerCoreCycles = 38,  // in which the program ran
};

struct PerfCounter {
    static constexpr RegisterSpec kSpec{"PERF_COUNTER",
                                        0x0400,
                                        Access::kReadOnly,
                                        0,
                                        "Event counter n (PerfEvent), low word; reading latches HI",
                                        {},
                                        kPerfCounterCount,
                                        8};
};

struct PerfCounterHi {
    static constexpr RegisterSpec kSpec{
            "PERF_COUNTER_HI",
            0x0404,
            Access::kReadOnly,
            0,
            "High word of event counter n as latched by the last read of its low word",
            {},
            kPerfCounterCount,
            8};
};

// ---- controller-only: engines, contexts, reporting

struct EnginePush {
    static constexpr RegisterSpec kSpec{
            "ENGINE_PUSH",
            0x8000,
            Access::kWriteOnly,
            0,
            "Queues the command at this offset of the local memory on engine n",
            {},
            8};
};

struct EngineFree {
    static constexpr RegisterSpec kSpec{
            "ENGINE_FREE", 0x8020, Access::kReadOnly, 0, "Free queue entries of engine n", {}, 8};
};

struct EngineTokens {
    static constexpr RegisterSpec kSpec{
            "ENGINE_TOKENS",
            0x8040,
            Access::kReadOnly,
            0,
            "Commands that engine n finished since JOB_START or JOB_SEGMENT",
            {},
            8};
};

struct EngineError {
    static constexpr FieldSpec kStatus{"STATUS", 0, 16, "JobStatus, 0 if none"};
    static constexpr FieldSpec kEngine{"ENGINE", 16, 4, "Engine that stopped"};
    static constexpr FieldSpec kFields[] = {kStatus, kEngine};
    static constexpr RegisterSpec kSpec{"ENGINE_ERROR",
                                        0x8060,
                                        Access::kReadOnly,
                                        0,
                                        "First error since JOB_START; the engines stopped",
                                        kFields};
};

struct EngineAbort {
    static constexpr RegisterSpec kSpec{"ENGINE_ABORT", 0x8064, Access::kWriteOnly, 0,
                                        "Any write: empties the queues and stops the engines"};
};

struct JobStart {
    static constexpr RegisterSpec kSpec{
            "JOB_START", 0x8068, Access::kWriteOnly, 0,
            "Zeroes tokens and error, selects the context written (MMU context of the job)"};
};

struct JobRegionTable {
    static constexpr RegisterSpec kSpec{
            "JOB_REGION_TABLE", 0x806C, Access::kReadWrite, 0,
            "Offset in local memory of the job's regions: {u64 base address, u64 bytes} each"};
};

struct JobIdLo {
    static constexpr RegisterSpec kSpec{"JOB_ID_LO", 0x8070, Access::kReadWrite, 0,
                                        "Job id, low word, for traces and dumps"};
};

struct JobIdHi {
    static constexpr RegisterSpec kSpec{"JOB_ID_HI", 0x8074, Access::kReadWrite, 0,
                                        "Job id, high word"};
};

struct EngineWatch {
    static constexpr FieldSpec kTokens{"TOKENS", 0, 28, "Number of the command, 0 for none"};
    static constexpr FieldSpec kEngine{"ENGINE", 28, 4, "Its engine"};
    static constexpr FieldSpec kFields[] = {kTokens, kEngine};
    static constexpr RegisterSpec kSpec{"ENGINE_WATCH",
                                        0x8078,
                                        Access::kReadWrite,
                                        0,
                                        "The command, counted as in ENGINE_TOKENS, whose end "
                                        "raises CONTROLLER_IRQ_STATUS.ENGINE; "
                                        "JOB_START and JOB_SEGMENT set it to none",
                                        kFields};
};

/// Since version 1.2.
struct JobSegment {
    static constexpr RegisterSpec kSpec{"JOB_SEGMENT", 0x807C, Access::kWriteOnly, 0,
                                        "Any write, while the engines are idle: zeroes tokens and "
                                        "ENGINE_WATCH, the job goes on; "
                                        "while one works it is that engine's error"};
};

/// Since version 1.3.
struct EngineTokensLoad {
    static constexpr RegisterSpec kSpec{"ENGINE_TOKENS_LOAD",
                                        0x8080,
                                        Access::kWriteOnly,
                                        0,
                                        "Sets ENGINE_TOKENS of engine n, for a job that goes on; "
                                        "while it works it is that engine's error",
                                        {},
                                        8};
};

/// Since version 1.3.
struct DspYield {
    static constexpr FieldSpec kRequest{
            "REQUEST", 0, 1, "1: the operator stops at its next yield point, if one is left"};
    static constexpr FieldSpec kStopped{
            "STOPPED", 1, 1, "1: it has stopped; its token is not posted. JOB_START clears both"};
    static constexpr FieldSpec kFields[] = {kRequest, kStopped};
    static constexpr RegisterSpec kSpec{"DSP_YIELD",
                                        0x80A0,
                                        Access::kReadWrite,
                                        0,
                                        "Stop of the DSP; raises CONTROLLER_IRQ_STATUS.ENGINE",
                                        kFields};
};

struct DspDoneCyclesLo {
    static constexpr RegisterSpec kSpec{
            "DSP_DONE_CYCLES_LO", 0x80A4, Access::kReadWrite, 0,
            "Work that the stopped operator has done; written, the next one counts it as done"};
};

struct DspDoneCyclesHi {
    static constexpr RegisterSpec kSpec{"DSP_DONE_CYCLES_HI", 0x80A8, Access::kReadWrite, 0,
                                        "High word"};
};

struct DspDoneBytesLo {
    static constexpr RegisterSpec kSpec{"DSP_DONE_BYTES_LO", 0x80AC, Access::kReadWrite, 0,
                                        "Bytes that it has moved, likewise"};
};

struct DspDoneBytesHi {
    static constexpr RegisterSpec kSpec{"DSP_DONE_BYTES_HI", 0x80B0, Access::kReadWrite, 0,
                                        "High word"};
};

/// Since version 1.6.
struct JobKeepLo {
    static constexpr RegisterSpec kSpec{
            "JOB_KEEP_LO", 0x80B4, Access::kReadWrite, 0,
            "64ths of the SRAM, bit n the n-th, that JOB_START leaves as they are; the others' "
            "bytes, and the accumulators', are undefined behind it"};
};

struct JobKeepHi {
    static constexpr RegisterSpec kSpec{"JOB_KEEP_HI", 0x80B8, Access::kReadWrite, 0,
                                        "The 32nd to the 63rd"};
};

/// Since version 1.3.
struct EngineProgress {
    static constexpr FieldSpec kCycle{"CYCLE", 0, 31,
                                      "Low bits of the cycle in which the engine last worked"};
    static constexpr FieldSpec kBusy{"BUSY", 31, 1,
                                     "1: a command is under way; CYCLE moves unless it hangs"};
    static constexpr FieldSpec kFields[] = {kCycle, kBusy};
    static constexpr RegisterSpec kSpec{
            "ENGINE_PROGRESS", 0x80C0, Access::kReadOnly, 0, "What engine n does", kFields, 8};
};

struct ContextRootLo {
    static constexpr RegisterSpec kSpec{
            "CONTEXT_ROOT_LO",
            0x8100,
            Access::kReadWrite,
            0,
            "Bus address of the root page table of context n, low word; 0 and 0: no context",
            {},
            kContextCount,
            8};
};

struct ContextRootHi {
    static constexpr RegisterSpec kSpec{"CONTEXT_ROOT_HI", 0x8104, Access::kReadWrite, 0,
                                        "High word",       {},     kContextCount,      8};
};

struct ControllerIrqStatus {
    static constexpr FieldSpec kDoorbell{"DOORBELL", 0, 1,
                                         "A doorbell was rung (DOORBELL_PENDING)"};
    static constexpr FieldSpec kMessage{"MESSAGE", 1, 1, "The inbound mailbox is full"};
    static constexpr FieldSpec kEngine{"ENGINE", 2, 1,
                                       "The command that ENGINE_WATCH names finished"};
    static constexpr FieldSpec kError{"ERROR", 3, 1, "An engine stopped with an error"};
    static constexpr FieldSpec kOutboxFree{"OUTBOX_FREE", 4, 1,
                                           "The host took the outbound message"};
    static constexpr FieldSpec kReset{"RESET", 5, 1, "Reset was asserted; the program must return"};
    static constexpr FieldSpec kFields[] = {kDoorbell, kMessage,    kEngine,
                                            kError,    kOutboxFree, kReset};
    static constexpr RegisterSpec kSpec{"CONTROLLER_IRQ_STATUS",
                                        0x8300,
                                        Access::kWriteOneToClear,
                                        0,
                                        "Interrupts to the controller; write 1 to clear",
                                        kFields};
};

struct DoorbellPending {
    static constexpr RegisterSpec kSpec{"DOORBELL_PENDING", 0x8304, Access::kWriteOneToClear, 0,
                                        "Rings rung since cleared, one bit each"};
};

struct DoorbellValue {
    static constexpr RegisterSpec kSpec{
            "DOORBELL_VALUE", 0x8340, Access::kReadOnly, 0, "Last value written to doorbell n", {},
            kRingCount};
};

struct IrqRaise {
    static constexpr RegisterSpec kSpec{"IRQ_RAISE", 0x8308, Access::kWriteOnly, 0,
                                        "Sets the written bits of IRQ_STATUS"};
};

struct StatusSet {
    static constexpr RegisterSpec kSpec{"STATUS_SET", 0x830C, Access::kWriteOnly, 0,
                                        "Sets STATUS.STATE"};
};

struct HeartbeatTick {
    static constexpr RegisterSpec kSpec{"HEARTBEAT_TICK", 0x8310, Access::kWriteOnly, 0,
                                        "Adds one to HEARTBEAT"};
};

/// Since version 1.4. While the domain is down, MMU roots, TLB, SRAM, accumulators and the DSP's
/// state are lost; registers, local memory and resident memory stay.
struct PowerSuspend {
    static constexpr FieldSpec kArmed{
            "ARMED", 0, 1,
            "Write 1: the next wait for an interrupt powers the domain down, unless one is pending "
            "or an engine works. Reads 0 once that has happened"};
    static constexpr FieldSpec kFields[] = {kArmed};
    static constexpr RegisterSpec kSpec{"POWER_SUSPEND", 0x8314, Access::kReadWrite, 0,
                                        "Power-down",    kFields};
};

struct ClockLevel {
    static constexpr RegisterSpec kSpec{
            "CLOCK_LEVEL", 0x8318, Access::kReadWrite, 0,
            "The level; a write of another one stops the domain for CONFIG_CLOCK_SWITCH. Ignored "
            "where there is no such level and while an engine works"};
};

struct MailboxOutData {
    static constexpr RegisterSpec kSpec{"MAILBOX_OUT_DATA",
                                        0x8320,
                                        Access::kReadWrite,
                                        0,
                                        "Outbound message; writing the last word hands it over",
                                        {},
                                        kMailboxWords};
};

}  // namespace vnpu::hw::regs
