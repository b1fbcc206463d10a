// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hw_model/timing/npu_config.h"
#include "sim/bringup/recording.h"

namespace vnpu::sim {

/// The first place where a device does something else than the recorded one.
struct ReplayDifference {
    std::uint64_t time = 0;
    std::string what;  // "read of STATUS"
    std::string expected;
    std::string got;
};

struct ReplayResult {
    std::optional<ReplayDifference> difference;
    // That were the same.
    std::uint64_t accesses = 0;
    std::uint64_t transfers = 0;
    std::uint64_t interrupts = 0;
};

/// Plays the host's side of a recording against a device of `config`: register accesses at their
/// times, reads of memory answered with the recorded bytes. Ends at the first difference. The
/// simulation's only device: once per process.
///
/// Transfers are compared by address and size, in the order of each address: how far the device
/// runs ahead of the host, and with it the order between the two, may differ. Their times are not
/// compared; those of interrupts and the values of counters are.
ReplayResult replay(const Recording& recording, const hw::NpuConfig& config);

}  // namespace vnpu::sim
