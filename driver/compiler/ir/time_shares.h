// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/regs/engines.h"

namespace vnpu::driver {

/// The work of an engine on one command of a job, in cycles.
struct EngineSpan {
    hw::Engine engine = hw::Engine::kController;
    std::uint32_t operation = 0;  // of the model; beyond its operations: the command has none
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Divides the time of a job among the operations of its model, although operations overlap. Each
/// moment belongs to one operation:
/// - while the array computes, to the operation that it computes;
/// - else while the vector unit, then the DSP computes, to that engine's operation;
/// - else while transfers run, to the first of their operations in the model's order;
/// - else to the operation whose command begins next, which waits.
/// An engine works on the command that it began last. So an operation never has less time than the
/// array computes for it. Used for estimates and for measurements, so that both can be compared.
///
/// Returns the cycles of `operations` operations and, as the last element, those that belong to
/// none: work without an operation and the time behind the last command. Together they are
/// `end` - `begin`; spans are cut at these limits. Takes O(n log n) time. Any thread.
std::vector<std::uint64_t> timeShares(std::vector<EngineSpan> spans, std::size_t operations,
                                      std::uint64_t begin, std::uint64_t end);

}  // namespace vnpu::driver
