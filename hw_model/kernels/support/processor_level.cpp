// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/support/processor_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace vnpu::hw::kernels {
namespace {

ProcessorLevel initialLevel() {
    const char* const name = std::getenv("VNPU_KERNELS");
    if (name == nullptr || *name == '\0') {
        return bestProcessorLevel();
    }
    const std::optional<ProcessorLevel> level = levelNamed(name);
    if (!level) {
        throw std::invalid_argument(
                fmt::format("VNPU_KERNELS is \"{}\", expected eigen, avx2 or avx512", name));
    }
    if (*level > bestProcessorLevel()) {
        throw std::invalid_argument(
                fmt::format("VNPU_KERNELS is {}, which this processor does not support", name));
    }
    return *level;
}

std::atomic<ProcessorLevel>& level() {
    static std::atomic<ProcessorLevel> inUse = initialLevel();
    return inUse;
}

}  // namespace

std::optional<ProcessorLevel> levelNamed(std::string_view name) {
    if (name == "eigen") {
        return ProcessorLevel::kBase;
    }
    if (name == "avx2") {
        return ProcessorLevel::kAvx2;
    }
    return name == "avx512" ? std::optional(ProcessorLevel::kAvx512) : std::nullopt;
}

ProcessorLevel bestProcessorLevel() {
#if defined(__x86_64__)
    const bool isAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const bool isAvx512 =
            __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
    if (isAvx2) {
        return isAvx512 ? ProcessorLevel::kAvx512 : ProcessorLevel::kAvx2;
    }
#endif
    return ProcessorLevel::kBase;
}

ProcessorLevel processorLevel() {
    return level().load(std::memory_order_relaxed);
}

void setProcessorLevel(ProcessorLevel wanted) {
    level() = std::min(wanted, bestProcessorLevel());
}

}  // namespace vnpu::hw::kernels
