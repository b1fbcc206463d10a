// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "firmware/api/save_area.h"
#include "firmware/core/jobs/dispatcher.h"
#include "firmware/core/scheduling/job.h"
#include "hw_model/regs/controller_port.h"

namespace vnpu::fw {

/// The bytes of a complete save at this checkpoint: header, ranges and accumulators with their
/// alignment, and the DSP's state.
std::uint64_t contextBytes(const hw::Checkpoint& checkpoint, std::uint32_t dspStateBytes);

/// Moves a job's context between the chip and its save area: live SRAM ranges, accumulators and the
/// DSP's state by its own DMA commands on all channels, the header by the controller. Data that the
/// checkpoint reloads comes from its original place by the stream's own transfers, without their
/// waits. During a move the save area is the only region and replaces the job's table, so that no
/// command of a stream can reach it.
///
/// Of the ranges it moves only the parts in SRAM blocks that the job uses and that are not kept on
/// the chip, because a range may span blocks of another job.
///
/// Requires idle engines and the job's selected context (JOB_START). kEngineError: the area faulted
/// or is too small, and the engines may have stopped; failure() returns the reason.
class ContextMover {
  public:
    ContextMover(hw::ControllerPort& port, Dispatcher& dispatcher)
        : port_(port), dispatcher_(dispatcher) {}

    /// Reads the size of the DSP's local state; once per boot.
    void readDeviceLimits(std::uint64_t sramBytes);
    std::uint32_t dspStateBytes() const { return dspStateBytes_; }

    /// Saves the context except its data outside `blocks` of SRAM, which becomes `kept`. The limits
    /// are the job's.
    Stop save(const Job& job, const SaveArea& header, std::uint64_t blocks,
              const hw::ValidationLimits& limits, KeptContext& kept);

    /// Saves the part of `kept` in `blocks`; if that fails, `kept` is unchanged.
    Stop saveKept(const Job& job, std::uint64_t blocks, KeptContext& kept);

    /// Reads the header only; nothing in it is checked.
    hw::JobStatus readHeader(const Job& job, SaveArea& header);

    /// Restores what is not kept. The header is checked already, the commands at its reloads are
    /// not.
    Stop restore(const Job& job, const SaveArea& header, const hw::ValidationLimits& limits,
                 const KeptContext& kept);

    /// Bytes that the last save wrote, with alignment, and with the header if it was written.
    std::uint64_t savedBytes() const { return savedBytes_; }

    /// Bytes that the last restore loaded by repeating transfers.
    std::uint64_t reloadedBytes() const { return reloadedBytes_; }

    /// The reason of the last kEngineError in the save area or in the controller's own access; kOk
    /// if an engine has the reason.
    hw::JobStatus failure() const { return failure_; }

  private:
    enum class Direction { kSave, kRestore };

    /// The place of a piece on the chip and in the save area.
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
