// SPDX-License-Identifier: Apache-2.0
#include "sim/service/idle_heap.h"

#include <malloc.h>

#include <ctime>

namespace vnpu::sim {

namespace {

using std::chrono::nanoseconds;

// chosen: a hundredth of the interval; calls that only ask for the status use less
constexpr nanoseconds kIdleTime = nanoseconds(IdleHeap::kInterval) / 100;
// chosen: as long as giving back takes; the release of a model takes longer
constexpr nanoseconds kLeastWork = std::chrono::milliseconds(1);

nanoseconds processorTimeOfProcess() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

bool IdleHeap::look(nanoseconds processorTime) {
    const bool isIdle = processorTime - seen_ < kIdleTime;
    const bool trims = isIdle && processorTime - trimmed_ >= kLeastWork;
    seen_ = processorTime;
    if (trims) {
        malloc_trim(0);
        trimmed_ = processorTime;
    }
    return trims;
}

bool IdleHeap::look() {
    const bool hasTrimmed = look(processorTimeOfProcess());
    if (hasTrimmed) {
        trimmed_ = processorTimeOfProcess();  // giving back is not work
    }
    return hasTrimmed;
}

}  // namespace vnpu::sim
