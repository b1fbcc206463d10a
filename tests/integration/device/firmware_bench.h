// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "firmware/api/job_ring.h"
#include "firmware/api/log.h"
#include "firmware/api/mailbox.h"
#include "firmware/api/scheduling.h"
#include "hw_model/regs/command_writer.h"
#include "tests/hw_model/blocks/device_bench.h"

namespace vnpu::test {

/// The device with its firmware and a minimal driver: boots, sends messages, submits jobs to rings
/// and reads completions. All jobs run in context kContext, where all memory is mapped from kAllVa
/// on; save areas are mapped page by page from kSaveVa on.
class FirmwareBench : public DeviceBench {
  public:
    static constexpr std::uint64_t kMemoryBytes = 16U << 20;
    static constexpr std::uint64_t kAllVa = 0x10'0000'0000ULL;
    static constexpr std::uint64_t kSaveVa = 0x20'0000'0000ULL;
    static constexpr std::uint64_t kLimitCycles = 50'000'000;  // chosen: longer than any test

    explicit FirmwareBench(const hw::NpuConfig& config,
                           const sc_core::sc_module_name& name = "bench",
                           hw::FaultInjector* faults = nullptr);

    /// Boots and creates the context.
    void start();

    fw::Message ask(fw::Message request);
    void setScheduling(const fw::SchedulingParameters& parameters);
    void makeRing(std::uint32_t ring, fw::PriorityBand band);

    /// Allocates memory at a 64 KiB boundary.
    std::uint64_t allocate(std::uint64_t bytes);
    static std::uint64_t vaOf(std::uint64_t busAddress) {
        return kAllVa + (busAddress - MemoryTarget::kBase);
    }

    /// A job with its stream in memory and one writable region at `regionBus`.
    fw::JobSlot makeJob(std::uint64_t jobId, const hw::CommandWriter& writer,
                        std::uint64_t regionBus, std::uint64_t regionBytes);

    /// Gives the job its own save area; returns its bus address.
    std::uint64_t addSaveArea(fw::JobSlot& slot, std::uint64_t bytes, bool inLargePages = false);

    void submit(std::uint32_t ring, const fw::JobSlot& slot);

    /// Runs until that many more jobs of the ring have ended.
    std::vector<fw::CompletionRecord> finish(std::uint32_t ring, std::size_t jobs = 1);

    /// Runs until the firmware sets this mark again.
    bool runToMark(std::string_view event);

    std::size_t countOf(fw::LogEvent event);
    std::vector<std::byte> bytesAt(std::uint64_t busAddress, std::uint64_t bytes);

  private:
    static Options makeOptions(const hw::NpuConfig& config, hw::FaultInjector* faults);

    std::uint64_t heapTop_;
    std::uint64_t saveTop_ = kSaveVa;
    std::uint64_t logBus_ = 0;
    std::uint64_t parametersBus_ = 0;
    std::uint64_t rings_[hw::regs::kRingCount] = {};
};

/// Parameters in which all fields but the required ones are zero.
fw::SchedulingParameters scheduling(fw::Policy policy, fw::Mechanism mechanism,
                                    std::uint32_t flags = 0);

}  // namespace vnpu::test
