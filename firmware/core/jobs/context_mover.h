// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/save_area.h"
#include "firmware/core/jobs/dispatcher.h"
#include "firmware/core/scheduling/job.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// What saving all at this checkpoint writes: the header, the ranges and accumulators from their
/// boundaries, the DSP's state.
std::uint64_t contextBytes(const hw::Checkpoint& checkpoint, std::uint32_t dspStateBytes);

/// Carries a job's context between the chip and its save area: the live SRAM ranges,
/// accumulators and the DSP's state by DMA commands of its own on all channels, the header by the
/// controller. What the checkpoint has loaded again instead comes from where it came at first, by
/// the stream's own transfers without their waits. The area is a region of its own for as long as
/// that takes, in the place of the job's table, so that no command of a stream can reach it.
///
/// Of the ranges only what lies in blocks of SRAM that the job uses moves, and of that nothing that
/// is kept on the chip: a range may span what is another job's.
///
/// The engines are idle and the job's context is selected (JOB_START). kEngineError: the area
/// faulted or is too small; the engines may have stopped. failure() says more.
class ContextMover {
  public:
    ContextMover(hw::ControllerPort& port, Dispatcher& dispatcher)
        : port_(port), dispatcher_(dispatcher) {}

    /// Reads the size of the DSP's local state; once per boot.
    void readDeviceLimits(std::uint64_t sramBytes);
    std::uint32_t dspStateBytes() const { return dspStateBytes_; }

    /// Saves all but what the job has outside of `blocks` of SRAM, which is `kept` then. The limits
    /// are the job's.
    Stop save(const Job& job, const SaveArea& header, std::uint64_t blocks,
              const hw::ValidationLimits& limits, KeptContext& kept);

    /// Saves what of `kept` lies in `blocks`; if that fails, as much is kept as before.
    Stop saveKept(const Job& job, std::uint64_t blocks, KeptContext& kept);

    /// Reads the header only; nothing in it is checked.
    hw::JobStatus readHeader(const Job& job, SaveArea& header);

    /// Brings back what is not kept; the header was checked, what stands at its reloads was not.
    Stop restore(const Job& job, const SaveArea& header, const hw::ValidationLimits& limits,
                 const KeptContext& kept);

    /// What the last save wrote, from the boundaries of its pieces, with the header if it did.
    std::uint64_t savedBytes() const { return savedBytes_; }

    /// What the last restore repeated.
    std::uint64_t reloadedBytes() const { return reloadedBytes_; }

    /// Of the last kEngineError: what the area or the controller's own access had, or kOk where an
    /// engine has the reason.
    hw::JobStatus failure() const { return failure_; }

  private:
    enum class Direction { kSave, kRestore };

    /// On the chip and in the save area.
    struct Piece {
        hw::MemoryRef onChip{};
        std::uint64_t areaOffset = 0;
        std::uint64_t sizeBytes = 0;
    };

    hw::JobStatus findReloadBlocks(const Job& job, const hw::ValidationLimits& limits,
                                   KeptContext& kept);
    Stop reload(const Job& job, const hw::Checkpoint& checkpoint,
                const hw::ValidationLimits& limits, const KeptContext& kept);
    hw::JobStatus readTransfer(const Job& job, std::uint32_t offset,
                               const hw::ValidationLimits& limits, hw::DmaTransfer& work);
    template <typename Move>
    Stop throughArea(const Job& job, std::uint64_t areaBytes, Move move);
    Stop moveAll(const SaveArea& header, std::uint64_t blocks, Direction direction);
    Stop moveRanges(const hw::Checkpoint& checkpoint, std::uint64_t blocks, Direction direction);
    Stop moveBlocks(const Piece& piece, std::uint64_t blocks, Direction direction);
    Stop movePiece(const Piece& piece, Direction direction);
    Stop push(const hw::DmaTransfer& work);

    hw::ControllerPort& port_;
    Dispatcher& dispatcher_;
    std::uint64_t sramBytes_ = 0;
    std::uint32_t dspStateBytes_ = 0;
    std::uint32_t channel_ = 0;  // of the next transfer
    std::uint64_t savedBytes_ = 0;
    std::uint64_t reloadedBytes_ = 0;
    hw::JobStatus failure_ = hw::JobStatus::kOk;
};

}  // namespace vnpu::fw
