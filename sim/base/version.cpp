// SPDX-License-Identifier: Apache-2.0
#include "sim/base/version.h"

namespace vnpu::sim {

const char* const kVersion = VNPU_VERSION;

}  // namespace vnpu::sim
