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

/// A part of a convolution that one thread computes.
struct ConvPiece {
    MacConv work{};
    DataAccesses accesses;
    std::uint64_t operations = 0;  // as DeferredWork::post counts them
};

/// A command of the MAC array with everything that follows from its bytes and the configuration.
struct DecodedConv {
    CommandHeader header{};
    MacConv work{};
    JobStatus status = JobStatus::kOk;  // the other members are valid only if this is kOk
    Footprint footprint;
    bool hasBlocks = false;  // more than one block
    MacCycles cycles;        // if the output stage is free
    std::uint64_t sramBytes = 0;
    std::uint64_t operations = 0;
    Activity activity;
    std::vector<ConvPiece> pieces;  // none in timing-only mode
};

/// Validates and decodes commands of the MAC array. Models run repeatedly with the same commands,
/// so decoded commands are cached. Simulation thread.
class MacDecoder {
  public:
    /// Large commands are computed in pieces for this many threads.
    MacDecoder(const NpuConfig& config, const ValidationLimits& limits, std::size_t threads)
        : config_(config), limits_(limits), threads_(threads), kept_(kMostKept) {}

    /// Not null. Stays valid for its holder after it is dropped from the cache.
    std::shared_ptr<const DecodedConv> decode(const EngineCommand& command);

  private:
    // chosen: more than the commands of a large network; a few MB
    static constexpr std::size_t kMostKept = 1024;

    std::shared_ptr<const DecodedConv> decodeAnew(const EngineCommand& command) const;

    const NpuConfig& config_;
    ValidationLimits limits_;
    std::size_t threads_;
    std::vector<std::shared_ptr<const DecodedConv>> kept_;  // indexed by hash
};

/// Memory that the computation of a command reads and writes. It includes accumulators only if sums
/// pass from one command to another.
DataAccesses dataAccessesOf(const MacConv& work, const Footprint& footprint);

}  // namespace vnpu::hw
