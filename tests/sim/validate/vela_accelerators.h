// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/validate/ethosu/vela_accelerator.h"

namespace vnpu::sim::test {

// Vela's accelerators under short names.
inline const VelaAccelerator& u55Small = kVelaAccelerators[0];
inline const VelaAccelerator& u55 = kVelaAccelerators[1];
inline const VelaAccelerator& u65 = kVelaAccelerators[2];
inline const VelaAccelerator& u65Large = kVelaAccelerators[3];

}  // namespace vnpu::sim::test
