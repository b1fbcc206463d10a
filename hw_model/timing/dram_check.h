// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hw_model/timing/npu_config.h"

namespace vnpu::hw {

/// The first contradiction between a DRAM's numbers, as a sentence as of findConfigError(), or
/// empty: refresh, rows, background load, and the channels, banks and timings of the banked model.
/// The integers' own ranges have been checked.
std::string findDramError(const DramConfig& config);

}  // namespace vnpu::hw
