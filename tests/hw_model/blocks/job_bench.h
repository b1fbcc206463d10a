// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/hw_model/blocks/device_bench.h"

namespace vnpu::test {

inline constexpr std::uint64_t kRegionVa =
        0x40'0000'0000ULL;  // chosen: needs all three levels' indices
inline constexpr std::uint64_t kRegionBytes = 4U << 20;
inline constexpr std::uint64_t kWalkCycles = 60;  // three levels of mmu.walkLevelCycles = 20

/// A device that runs one list of commands as a job. Region 0 is kRegionBytes at kRegionVa, mapped
/// with large pages to the start of memory; region 1 maps the same bytes with 4 KiB pages, 1 GiB
/// further on.
class JobBench : public DeviceBench {
  public:
    explicit JobBench(CommandList list, hw::NpuConfig config = {},
                      const sc_core::sc_module_name& name = "bench",
                      hw::FaultInjector* faults = nullptr);

    /// Boots, runs the job to its end (or error) and returns ENGINE_ERROR.
    std::uint32_t runJob(std::uint64_t limitCycles = 10'000'000);

    /// Status part of ENGINE_ERROR.
    static hw::JobStatus statusOf(std::uint32_t error) {
        return static_cast<hw::JobStatus>(hw::regs::EngineError::kStatus.get(error));
    }

    /// The bus address of an offset in region 0.
    static std::uint64_t bus(std::uint64_t offset) { return MemoryTarget::kBase + offset; }
    static std::uint64_t smallPagesVa() { return kRegionVa + (1ULL << 30); }

    bool isDone() const { return isDone_; }
    std::uint64_t endCycle() const { return endCycle_; }

  private:
    static Options makeOptions(JobBench& self, CommandList list, hw::NpuConfig config,
                               hw::FaultInjector* faults);

    bool isDone_ = false;
    std::uint32_t error_ = 0;
    std::uint64_t endCycle_ = 0;
};

// Commands with default values for all but the essential fields.
hw::MemoryRef inRegion(std::uint64_t offset, std::uint16_t region = 0);
hw::MemoryRef inSram(std::uint64_t offset);
hw::DmaTransfer copyBytes(const hw::MemoryRef& from, const hw::MemoryRef& to, std::uint32_t bytes);
hw::DmaTransfer copyRows(const hw::MemoryRef& from, const hw::MemoryRef& to, std::uint32_t rowBytes,
                         std::uint32_t rows, std::uint32_t sourceStride,
                         std::uint32_t destinationStride);
hw::DmaFill fillBytes(const hw::MemoryRef& to, std::uint32_t bytes, std::uint32_t pattern,
                      std::uint32_t patternBytes);

/// int8 product whose results are the clamped accumulators.
hw::MacConv gemm(std::uint32_t m, std::uint32_t n, std::uint32_t k, std::uint32_t inputSram,
                 std::uint32_t filterSram, std::uint32_t outputSram);
hw::VecUnary clampBytes(std::uint32_t inputSram, std::uint32_t outputSram, std::uint32_t count);

/// A double-buffered stream of tiles through five engines: load input and weights, multiply, clamp,
/// store. Every buffer has its own bank; tokens protect a buffer until its reader has finished.
/// Multiplies 1024 bytes of `weights`, and loads as many for every other tile.
CommandList tileStream(std::uint32_t count, const hw::MemoryRef& weights = inRegion(0x40000),
                       std::uint32_t oddWeightBytes = 1024);

}  // namespace vnpu::test
