// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vnpu/hal/hal_version.h>

namespace vnpu::driver {

/// A model keeps the rules of the version in which it was handed over.
using hal::HalVersion;

}  // namespace vnpu::driver
