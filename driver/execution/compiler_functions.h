// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "driver/compiler/compiler.h"

namespace vnpu::driver {

/// The compiler as the runtime calls it; tests put their own in its place.
struct CompilerFunctions {
    std::function<decltype(vnpu::driver::findUnsupported)> findUnsupported =
            vnpu::driver::findUnsupported;
    std::function<decltype(vnpu::driver::compile)> compile = vnpu::driver::compile;
};

}  // namespace vnpu::driver
