// SPDX-License-Identifier: Apache-2.0
#include "hw_model/kernels/mac/mac_backend.h"

#include <vector>

namespace vnpu::hw::kernels {
namespace {

std::vector<const MacBackend*> findSupported() {
    std::vector<const MacBackend*> supported{&kGenericBackend};
#if defined(__x86_64__)
    for (const MacBackend* backend : {&kAvx2Backend, &kAvx512Backend}) {
        if (backend->isSupported()) {
            supported.push_back(backend);
        }
    }
#endif
    return supported;
}

}  // namespace

std::span<const MacBackend* const> supportedBackends() {
    static const std::vector<const MacBackend*> supported = findSupported();
    return supported;
}

}  // namespace vnpu::hw::kernels
