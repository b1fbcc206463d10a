// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "hw_model/blocks/base/engine_command.h"
#include "hw_model/blocks/base/footprint.h"
#include "hw_model/blocks/deferred/deferred_work.h"
#include "hw_model/timing/activity.h"
#include "hw_model/timing/mac_timing.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// A part of a convolution that a thread computes by itself.
struct ConvPiece {
    MacConv work{};
    DataAccesses accesses;
    std::uint64_t operations = 0;  // as DeferredWork::post counts them
};

/// A command of the MAC array with all that its bytes and the configuration alone tell.
struct DecodedConv {
    CommandHeader header{};
    MacConv work{};
    JobStatus status = JobStatus::kOk;  // the rest is there where this is kOk
    Footprint footprint;
    bool hasBlocks = false;  // several
    MacCycles cycles;        // where the output stage is free
    std::uint64_t sramBytes = 0;
    std::uint64_t operations = 0;
    Activity activity;
    std::vector<ConvPiece> pieces;  // none in timing-only mode
};

/// Validates and decodes commands of the MAC array. Models run again and again, each time with the
/// same commands: it keeps what it has decoded, so that this costs simulation time once. Simulation
/// thread.
class MacDecoder {
  public:
    MacDecoder(const NpuConfig& config, const ValidationLimits& limits)
        : config_(config), limits_(limits), kept_(kMostKept) {}

    /// Not null. Whoever holds it may go on when it is no longer kept.
    std::shared_ptr<const DecodedConv> decode(const EngineCommand& command);

  private:
    // chosen: more than a large network has, and a few MB
    static constexpr std::size_t kMostKept = 1024;

    std::shared_ptr<const DecodedConv> decodeAnew(const EngineCommand& command) const;

    const NpuConfig& config_;
    ValidationLimits limits_;
    std::vector<std::shared_ptr<const DecodedConv>> kept_;  // each where its hash says
};

/// Memory that computing a command reads and writes. Accumulators are among it only where sums go
/// from one command to another.
DataAccesses dataAccessesOf(const MacConv& work, const Footprint& footprint);

}  // namespace vnpu::hw
