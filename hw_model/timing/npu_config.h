// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vnpu::hw {

/// The mapping of a matrix product to the MAC array. Sources of the cycle formulas:
/// timing/mac_timing.h.
enum class Dataflow : std::uint8_t { kWeightStationary = 0, kOutputStationary = 1, kBroadcast = 2 };

struct MacConfig {
    std::uint32_t rows = 16;  // processing elements along the reduction (ws) or output pixels (os)
    std::uint32_t columns = 16;  // processing elements along the output channels
    Dataflow dataflow = Dataflow::kWeightStationary;
    bool weightDoubleBuffer = true;  // the next stationary tile loads while the present one streams
    bool winograd = false;   // broadcast: 3 x 3 filters as products of 4 x 4 tiles, 16 for 36
    bool tapsApart = false;  // weight stationary: a fold holds channels of one filter tap only
    std::uint32_t floatDivisor = 4;      // a float32 step takes this many cycles of an 8-bit step
    std::uint32_t outputLanes = 16;      // elements per cycle of the output stage
    std::uint32_t accumulatorKib = 64;   // accumulator memory, 32 bits each
    std::uint32_t depthwiseColumns = 0;  // channels side by side in depthwise mode; 0: as columns
};

struct SramConfig {
    std::uint32_t kib = 512;
    std::uint32_t banks = 8;       // each a contiguous share
    std::uint32_t portBytes = 32;  // bytes per cycle of one bank
    std::uint32_t residentKib =
            0;  // in addition to `kib`, in its own bank: keeps data between jobs
    /// Results of an operation may stay for the next one. The compiler follows it, to stand for
    /// devices whose SRAM holds a convolution's operands only; no engine does.
    bool keepsResults = true;
};

struct VectorConfig {
    std::uint32_t lanes8 = 32;         // 8-bit elements per cycle
    std::uint32_t lanes32 = 8;         // 32-bit elements per cycle
    std::uint32_t startupCycles = 16;  // pipeline fill of one command
    std::uint32_t exponentialCycles =
            4;  // cycles per element and lane of an exponential or division
};

/// The digital signal processor that executes whole operators: one instruction at a time on a
/// register of 8-bit or 32-bit lanes. 16-bit types have half of lanes8.
struct DspConfig {
    std::uint32_t lanes8 = 16;            // 8-bit elements per cycle
    std::uint32_t lanes32 = 4;            // 32-bit elements per cycle
    std::uint32_t macs8 = 16;             // 8-bit multiply-accumulates per cycle
    std::uint32_t macsFloat = 4;          // float multiply-accumulates per cycle
    std::uint32_t startupCycles = 200;    // of one operator, before its first element
    std::uint32_t exponentialCycles = 8;  // per element and lane: exponential, division, sine
    std::uint32_t scalarCycles = 4;       // one step of serial work, such as a comparison or a hash
    std::uint32_t bytesPerCycle = 16;     // peak of its port to memory
    std::uint32_t yieldCycles = 20'000;   // between two yield points of an operator; 0: none
    std::uint32_t stateBytes = 4096;      // local state at a yield point, saved with the job
};

struct DmaConfig {
    std::uint32_t bytesPerCycle = 16;  // peak of one channel
    std::uint32_t chunkBytes = 4096;   // unit of arbitration between channels
    std::uint32_t startupCycles = 8;   // descriptor decode
    std::uint32_t burstBytes = 64;     // shorter rows still occupy the bus for one burst
    /// Operations during which a later one's data may be loaded. The compiler follows it, to stand
    /// for devices whose weights arrive as they are used; no engine does.
    std::uint32_t loadsAhead = 16;
    /// Loads of a network's images take a burst for each pixel. Likewise for the compiler, to stand
    /// for devices that ask memory for the channels of one pixel at a time.
    bool pixelReads = false;
};

/// The model of the DRAM's time: by bandwidth, with effects in aggregate (timing/memory_timing.h),
/// or by the commands that its banks receive (timing/dram_banks.h).
enum class DramModel : std::uint8_t { kFlat = 0, kBanked = 1 };

/// The parts of an address within a channel, from its high bits to its low ones. The last mapping
/// is the first one with the low bits of the row added to the bank's number by exclusive or.
enum class DramMapping : std::uint8_t {
    kRowBankColumn = 0,
    kRowColumnBank = 1,
    kRowBankColumnXor = 2
};

/// What DramModel::kBanked needs in addition to DramConfig. The timings are the JEDEC standards'
/// parameters of these names in device cycles; fractions are allowed.
struct DramBankConfig {
    std::uint32_t channels = 1;           // with a data bus and banks of their own
    std::uint32_t bankGroups = 1;         // of a channel; 1: none
    std::uint32_t burstBytes = 32;        // of one column command
    std::uint32_t interleaveBytes = 256;  // to one channel before the next
    std::uint32_t queueBursts = 32;       // whose rows the memory controller opens in advance
    DramMapping mapping = DramMapping::kRowBankColumn;
    double tRcdCycles = 0;   // activation to column command of the bank
    double tRpCycles = 0;    // precharge to activation of the bank
    double tClCycles = 0;    // read command to its first data
    double tCwlCycles = 0;   // write command to its first data
    double tRasCycles = 0;   // activation to precharge of the bank
    double tRrdCycles = 0;   // between activations of different banks
    double tRrdLCycles = 0;  // the same within a bank group
    double tFawCycles = 0;   // in which at most four banks are activated; 0: no limit
    double tCcdLCycles = 0;  // between column commands of a bank group; 0: a burst's time
    double tRtpCycles = 0;   // read command to precharge of the bank
    double tWrCycles = 0;    // end of written data to precharge of the bank
    double tWtrCycles = 0;   // end of written data to a read command
    double tRtwCycles = 0;   // read command to a write command; at least until the data bus is free
};

/// In each DMA channel, for weights that the compiler has coded (hw_model/regs/weight_code.h).
struct DecoderConfig {
    std::uint32_t bytesPerCycle = 0;   // decoded bytes; 0: no decoders
    std::uint32_t startupCycles = 24;  // header and table of code words, before the first byte
};

struct DramConfig {
    DramModel model = DramModel::kFlat;
    double bytesPerCycle = 4.0;         // peak, per device cycle
    std::uint32_t latencyCycles = 100;  // unloaded, request to first data; banked: without DRAM
    std::uint32_t mib = 512;            // device memory
    std::uint32_t refreshIntervalCycles = 0;  // between two refreshes (tREFI); 0: none
    std::uint32_t refreshCycles = 0;          // for which a refresh blocks the banks (tRFC)
    std::uint32_t banks = 0;                  // with one open row each; 0: rows are not modeled;
                                              // banked: of a channel
    std::uint32_t rowBytes = 0;               // of an open row, in one bank
    std::uint32_t rowMissCycles = 0;          // to close a row and open another (tRP + tRCD)
    double background = 0;  // share of the bandwidth used by others than the device
    DramBankConfig bank;
};

struct InterconnectConfig {
    std::uint32_t bytesPerCycle = 16;  // shared by all masters
    std::uint32_t latencyCycles = 4;
};

struct MmuConfig {
    std::uint32_t tlbEntries = 64;
    std::uint32_t walkLevelCycles = 20;  // page table read that hits the walker's cache, per level
    std::uint32_t walkCacheLines = 16;  // of that cache, each a DMA burst; flat DRAM: all reads hit
};

struct ControllerConfig {
    std::uint32_t registerCycles = 2;  // one register access
    std::uint32_t localMemoryKib = 64;
    std::uint32_t engineQueueDepth = 8;
    std::uint32_t interruptCycles = 20;  // wake-up from wait-for-interrupt
};

/// Clock and power of the device's only domain: controller, engines, SRAM, MMU and interconnect.
/// DRAM, host, cycle counter, registers and resident memory are outside it. Level 0 is `clockKhz`;
/// device cycles are those of `clockKhz` at every level.
struct PowerConfig {
    std::uint32_t level1Khz = 0;  // slower clocks, descending; 0: no further levels
    std::uint32_t level2Khz = 0;
    std::uint32_t level3Khz = 0;
    std::uint32_t sustainedLevel = 0;  // the fastest that can be held indefinitely
    std::uint32_t switchNs = 0;        // change of level, during which the domain is stopped
    std::uint32_t autosuspendUs = 0;   // idle time before the domain is powered down; 0: never
    std::uint32_t suspendNs = 0;       // power-down
    std::uint32_t resumeNs = 0;        // power-up, until the controller runs again
};

inline constexpr std::uint32_t kMaxClockLevels = 4;

/// Energy per counted event (timing/energy.h), for one technology and voltage. All 0: no energy is
/// reported.
struct EnergyConfig {
    double mac8Pj = 0;           // pJ of an 8-bit product and its addition to a 32-bit sum
    double macFloatPj = 0;       // pJ of a float32 product and sum
    double vectorOp8Pj = 0;      // pJ of an integer operation, per byte of the element
    double vectorOpFloatPj = 0;  // pJ of a float32 operation
    double dspOp8Pj = 0;         // pJ of an integer operation on the DSP, per byte of the element
    double dspOpFloatPj = 0;
    double dspCyclePj = 0;         // pJ of a cycle while the DSP works: fetch, decode, registers
    double accumulatorBytePj = 0;  // pJ per byte, read or written
    double sramBytePj = 0;
    double residentBytePj = 0;
    double interconnectBytePj = 0;
    double dramBytePj = 0;
    double controllerCyclePj = 0;  // pJ of a core cycle while the controller runs
    double awakeMw = 0;            // mW of leakage while the domain is powered
    double clockMw = 0;            // mW of the clock tree at level 0 while it runs
    double asleepMw = 0;           // mW while the domain is powered down
};

/// Host software costs in virtual time, nanoseconds each.
struct HostCostConfig {
    std::uint32_t registerReadNs = 400;
    std::uint32_t registerWriteNs = 50;
    std::uint32_t interruptNs = 3000;  // from the raised interrupt line to the handler
    std::uint32_t submitNs = 5000;     // driver: validate, map, write the slot
    std::uint32_t completeNs = 3000;   // driver: from completion until the caller runs again
};

/// One device. Every number in a shipped configuration has its unit and source in the TOML file.
struct NpuConfig {
    std::string name = "edge";
    std::uint32_t clockKhz = 1'000'000;
    MacConfig mac;
    SramConfig sram;
    VectorConfig vector;
    DspConfig dsp;
    DmaConfig dma;
    DecoderConfig decoder;
    DramConfig dram;
    InterconnectConfig interconnect;
    MmuConfig mmu;
    ControllerConfig controller;
    PowerConfig power;
    EnergyConfig energy;
    HostCostConfig host;
    bool timingOnly = false;  // leave out payload data, keep all times
    /// For tests: every JOB_START overwrites SRAM and accumulators, so that data left by a job (or
    /// not saved as required) is lost.
    bool poisonOnChip = false;
};

/// Level 0 and the levels that `power` adds, in descending order; at least one.
std::vector<std::uint32_t> clockLevelsKhz(const NpuConfig& config);

/// `nanoseconds` in device cycles, rounded up.
std::uint64_t deviceCycles(const NpuConfig& config, std::uint64_t nanoseconds);

}  // namespace vnpu::hw
