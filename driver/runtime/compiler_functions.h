// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "driver/compiler/compiler.h"

namespace vnpu::driver {

/// The compiler as the runtime calls it; tests put their own in its place.
struct CompilerFunctions {
    std::function<decltype(vnpu::driver::findUnsupported)> findUnsupported;
    std::function<decltype(vnpu::driver::compile)> compile;
};

}  // namespace vnpu::driver
