// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/processor_level.h"

#include <algorithm>
#include <atomic>

namespace vnpu::hw::kernels {
namespace {

ProcessorLevel findLevel() {
#if defined(__x86_64__)
    const bool isAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool isAvx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (isAvx2) {
        return isAvx512 ? ProcessorLevel::kAvx512 : ProcessorLevel::kAvx2;
    }
#endif
    return ProcessorLevel::kBase;
}

std::atomic<ProcessorLevel>& level() {
    static std::atomic<ProcessorLevel> inUse = findLevel();
    return inUse;
}

}  // namespace

ProcessorLevel processorLevel() {
    return level().load(std::memory_order_relaxed);
}

void setProcessorLevel(ProcessorLevel wanted) {
    level() = std::min(wanted, findLevel());
}

}  // namespace vnpu::hw::kernels
