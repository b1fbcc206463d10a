// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/engine_timer.h"
#include "hw_model/blocks/base/perf_counters.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/blocks/host/interrupt_controller.h"
#include "hw_model/blocks/host/job_regions.h"
#include "hw_model/blocks/memory/dma_copies.h"
#include "hw_model/blocks/memory/dma_rows.h"
#include "hw_model/blocks/memory/memory_arbiter.h"
#include "hw_model/blocks/memory/mmu.h"
#include "hw_model/blocks/memory/resident_memory.h"
#include "hw_model/blocks/memory/sram.h"
#include "hw_model/blocks/memory/system_memory.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// One DMA channel: executes kDmaTransfer and kDmaFill.
///
/// Time. Descriptor decode, page walks, and the latency of DRAM and interconnect once, then the
/// bytes (rows rounded up to bursts) through the memory arbiter chunk by chunk. An undisturbed
/// transfer runs at the rate of the slowest of channel, DRAM, interconnect and bank port. All pages
/// of a transfer are translated when it begins; each TLB miss adds its walk. Memory to memory
/// crosses DRAM twice. SRAM to SRAM has neither latency nor bursts, and neither has resident
/// memory: a side whose pages all lie in it uses the port of its bank, twice if both sides do. A
/// side that lies there only in part takes the time of memory. The accumulators have the port of
/// the output stage, mac.outputLanes words a cycle; the DSP's local state has the DSP's port. A
/// coded block takes the decoder's start-up in addition, and the longer of the time of its bytes
/// and the decoder's time for the decoded ones.
///
/// Data. A missing token must show as it would on hardware, so bytes are sampled as early and
/// stored as late as the transfer allows: memory is read at the start and written at the end. SRAM
/// and accumulators are written at the start, because no correct stream reads them before the end
/// (sram.h detects those that do). A transfer that faults moves nothing. A block is decoded at the
/// start; a damaged one fails at the end.
///
/// Errors. The channel itself checks region, SRAM and pages, as hardware would; a failed check
/// stops all engines. Simulation thread.
class DmaChannel : public ExecutionEngine {
  public:
    struct Parts {
        const NpuConfig& config;
        const DeviceClock& clock;
        EngineTimer& timer;
        MemoryArbiter& arbiter;
        Mmu& mmu;
        SystemMemory& memory;
        const ResidentMemory& resident;
        Sram& sram;
        DeferredWork& work;
        InterruptController& interrupts;
        PerfCounters& counters;
        EngineListener& listener;
        const JobRegions& regions;
        std::span<std::byte> dspState;  // empty without data
    };

    DmaChannel(std::size_t channel, const Parts& parts);

    bool isReady() const override { return !isBusy_; }
    bool isBusy() const override { return isBusy_; }
    EngineCommand& inbox() override { return command_; }
    void start() override;
    void onDeadline(std::size_t timerSlot) override;
    void abort() override;

  private:
    enum class Place { kRegion, kSram, kAccumulators, kDspState };

    /// Source or destination after checks.
    struct Side {
        bool isUsed = false;
        Place place = Place::kRegion;
        bool isResident = false;  // by address, but in resident memory
        // For sides by address, after translation: all bytes lie at bus addresses [busFirst,
        // busEnd).
        std::uint64_t busFirst = 0;
        std::uint64_t busEnd = 0;
        DmaRows rows;
        std::uint64_t rowVisits = 0;  // of the DRAM
        StridedRange onChipRange;
        std::vector<DmaPiece> pieces;

        bool isOnChip() const { return place != Place::kRegion; }
        bool isIn(Place wanted) const { return isUsed && place == wanted; }
        bool isMemory() const { return isUsed && !isOnChip() && !isResident; }
    };

    struct Failure {
        EngineFailure why;
        bool isMmuFault = false;
        Mmu::Fault fault;
    };

    bool decode();
    static Place placeOf(std::uint16_t space);
    std::uint64_t onChipSize(Place place) const;
    std::byte* onChipBytes(const Side& side);
    bool decodeSide(Side& side, const MemoryRef& reference, std::uint32_t rowBytes,
                    const std::uint32_t (&strides)[3]);
    /// Whether the decoder can execute the transfer; sets the failure if not.
    bool checkDecoding(const DmaTransfer& work);
    bool translate(Side& side, bool isWrite);
    /// The command's use of on-chip memory; resident sides are known after translation.
    Footprint footprint() const;
    /// DRAM bytes per device cycle for both sides together.
    double dramRateOf(std::uint64_t bytes) const;
    /// The number of sides in memory behind the bus.
    std::uint32_t memorySides() const;
    MemoryPlaces places() const;
    bool isCoded() const { return codedBytes_ != 0; }
    std::uint64_t payloadBytes() const { return rows_ * rowBytes_; }
    /// Bytes that the source gives.
    std::uint64_t sourceBytes() const { return isCoded() ? codedBytes_ : payloadBytes(); }
    void begin();
    /// Bus bytes per core cycle, as far as they depend on the device's side of the transfer.
    double onChipRate(const Footprint& onChip, std::uint64_t bytes) const;
    void moveAtStart();
    void decodeWeights();
    bool postCopies(DmaCopies::Direction direction);
    bool postOnChipCopy();
    bool moveAtEnd(std::byte spoilMask);
    bool gather(std::vector<std::byte>& bytes);
    bool scatter(std::span<const std::byte> bytes);
    void fillPattern(std::vector<std::byte>& bytes) const;
    void fail(JobStatus status, std::string what);
    void failLater(std::uint64_t cycle);
    void reportFailure();

    Engine engine() const { return static_cast<Engine>(channel_); }
    OperationSlot slot() const { return static_cast<OperationSlot>(channel_); }
    std::size_t timerSlot() const { return EngineTimer::kDmaSlot + channel_; }

    std::size_t channel_;
    Parts parts_;
    bool isBusy_ = false;
    bool usesMemory_ = false;  // a flow of the arbiter is active
    EngineCommand command_;
    Side source_;
    Side destination_;
    Failure failure_;
    std::uint32_t rowBytes_ = 0;
    std::uint64_t rows_ = 0;
    std::uint32_t codedBytes_ = 0;  // of the source, 0: not coded
    std::uint32_t counts_[3] = {};
    std::uint32_t pattern_ = 0;
    std::uint32_t patternBytes_ = 0;
    std::uint64_t walkCycles_ = 0;
    std::vector<std::uint64_t> tableReads_;  // of the walks, from DRAM
    std::vector<std::byte> stage_;           // bytes in transit to memory
};

}  // namespace vnpu::hw
