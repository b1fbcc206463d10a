// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_backend.h"

#include <array>

namespace vnpu::hw::kernels {
namespace {

#if defined(__x86_64__)
constexpr std::array kBackends = {&kEigenBackend, &kAvx2Backend, &kAvx512Backend};
#else
constexpr std::array kBackends = {&kEigenBackend};
#endif

std::span<const MacBackend* const> backendsUpTo(ProcessorLevel level) {
    std::size_t count = 1;
    while (count < kBackends.size() && kBackends[count]->level <= level) {
        ++count;
    }
    return std::span<const MacBackend* const>(kBackends).first(count);
}

}  // namespace

std::span<const MacBackend* const> supportedBackends() {
    return backendsUpTo(bestProcessorLevel());
}

const MacBackend& macBackend() {
    return *backendsUpTo(processorLevel()).back();
}

}  // namespace vnpu::hw::kernels
