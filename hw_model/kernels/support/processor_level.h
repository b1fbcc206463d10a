// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace vnpu::hw::kernels {

/// What loops over elements are compiled for: the levels of the x86-64 psABI. Elsewhere only the
/// first exists.
enum class ProcessorLevel : std::uint8_t {
    kBase = 2,    // what the program as a whole needs
    kAvx2 = 3,    // x86-64-v3
    kAvx512 = 4,  // x86-64-v4
};

/// The best level that this processor has, or the one that was set. Any thread.
ProcessorLevel processorLevel();

/// For tests: lets loops run on a lower level than the processor's; higher ones count as its own.
/// No kernel may be running.
void setProcessorLevel(ProcessorLevel level);

#if defined(__x86_64__)

template <typename Loop>
[[gnu::flatten, gnu::noinline, gnu::target("avx2,fma,bmi,bmi2,lzcnt,movbe,f16c")]] void runOnAvx2(
        const Loop& loop) {
    loop();
}

template <typename Loop>
[[gnu::flatten, gnu::noinline,
  gnu::target(
          "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2,lzcnt,movbe,f16c")]] void
runOnAvx512(const Loop& loop) {
    loop();
}

/// Calls loop(), compiled for the level in use with everything that it calls and whose source is at
/// hand. Products and sums are never fused (-ffp-contract=off), so the results are the same bits.
template <typename Loop>
void runVectorised(const Loop& loop) {
    switch (processorLevel()) {
        case ProcessorLevel::kAvx512:
            return runOnAvx512(loop);
        case ProcessorLevel::kAvx2:
            return runOnAvx2(loop);
        case ProcessorLevel::kBase:
            return loop();
    }
}

#else

template <typename Loop>
void runVectorised(const Loop& loop) {
    loop();
}

#endif  // __x86_64__

}  // namespace vnpu::hw::kernels
