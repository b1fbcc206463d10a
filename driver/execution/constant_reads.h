// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "driver/compiler/ir/compiled_model.h"

namespace vnpu::driver {

/// A DMA transfer out of a region of constants.
struct ConstantRead {
    std::uint16_t region = 0;  // index into CompiledModel::regions
    std::uint64_t begin = 0;   // the bytes of the region that it spans, [begin, end)
    std::uint64_t end = 0;
    double worth = 0;  // bytes read, times the bytes that its operation moves per cycle
};

/// The transfers of a job that read constants, in the order of its stream; each body of a loop
/// counts once. An operation that moves many bytes per cycle waits for memory, so that its
/// constants are worth a faster memory; one that computes for long hides them.
std::vector<ConstantRead> constantReads(const CompiledModel& compiled);

}  // namespace vnpu::driver
