// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "hw_model/blocks/base/device_clock.h"
#include "hw_model/blocks/memory/dma_piece.h"
#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// Device cycles between a request and its first data if nothing else uses interconnect and memory;
/// with banks, without the DRAM's own timings.
inline std::uint64_t memoryLatencyCycles(const NpuConfig& config, const DeviceClock& clock) {
    return config.dram.latencyCycles + clock.ofCore(config.interconnect.latencyCycles);
}

/// The bus addresses that a transfer uses, for a DRAM that is modeled bank by bank. The spans need
/// to last only as long as the call that they are passed to.
struct MemoryPlaces {
    std::span<const DmaPiece> reads{};
    std::span<const DmaPiece> writes{};
    /// Page table entries that are read before the first byte, each after the one before.
    std::span<const std::uint64_t> tableReads{};
    std::uint64_t tableLatencyCycles = 0;  // from the data of one such read to the next request
    std::uint64_t skippedBytes = 0;  // of the addresses, moved by earlier parts of the transfer
};

}  // namespace vnpu::hw
