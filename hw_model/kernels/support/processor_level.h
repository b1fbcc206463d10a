// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vnpu::hw::kernels {

/// The instruction sets that kernels are compiled for: levels of the x86-64 psABI. Other
/// architectures have only the first.
enum class ProcessorLevel : std::uint8_t {
    kBase = 2,    // the level for which the rest of the program is compiled
    kAvx2 = 3,    // x86-64-v3
    kAvx512 = 4,  // x86-64-v4 with VNNI
};

/// The level for a value of the environment variable VNPU_KERNELS: "eigen" (kBase), "avx2" or
/// "avx512"; nothing for any other value.
std::optional<ProcessorLevel> levelNamed(std::string_view name);

/// The best level that this processor has.
ProcessorLevel bestProcessorLevel();

/// The level in use: that of setProcessorLevel(), else that of VNPU_KERNELS, else the best one. The
/// environment is read once. Throws std::invalid_argument if VNPU_KERNELS is not a level of this
/// processor. Any thread.
ProcessorLevel processorLevel();

/// For tests: selects a level, at most the processor's best. No kernel may be running.
void setProcessorLevel(ProcessorLevel level);

/// A function void(arguments...), compiled for each level together with every function that it
/// calls and whose source is visible. Products and sums are never fused (-ffp-contract=off), so
/// every level gives the same bits.
template <auto kFunction, typename Type = decltype(kFunction)>
struct ByLevel;

template <auto kFunction, typename... Arguments>
struct ByLevel<kFunction, void (*)(Arguments...)> {
#if defined(__x86_64__)
    [[gnu::flatten, gnu::target("avx2,fma,bmi,bmi2,lzcnt,movbe,f16c")]] static void onAvx2(
            Arguments... arguments) {
        kFunction(arguments...);
    }
    [[gnu::flatten,
      gnu::target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,bmi,bmi2,lzcnt,movbe,"
                  "f16c")]] static void
    onAvx512(Arguments... arguments) {
        kFunction(arguments...);
    }
#endif

    /// The version for the level in use.
    static auto select() {
#if defined(__x86_64__)
        if (processorLevel() != ProcessorLevel::kBase) {
            return processorLevel() == ProcessorLevel::kAvx2 ? onAvx2 : onAvx512;
        }
#endif
        return kFunction;
    }
};

}  // namespace vnpu::hw::kernels
