// SPDX-License-Identifier: Apache-2.0
#include "sim/client/job_cycles.h"

#include <algorithm>

namespace vnpu::sim {

void JobCycles::onEngineCommand(const hw::EngineCommandRecord& record) {
    begin_ = std::min(begin_, record.queuedCycle);
    end_ = std::max(end_, record.endCycle);
}

std::uint64_t JobCycles::take() {
    const std::uint64_t cycles = end_ > begin_ ? end_ - begin_ : 0;
    begin_ = UINT64_MAX;
    end_ = 0;
    return cycles;
}

}  // namespace vnpu::sim
