// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/import/tflite/call.h"

namespace vnpu::sim::tflite {

/// Imports the custom operators that are known by name; refuses the others.
void importCustomOperator(Call& call);

}  // namespace vnpu::sim::tflite
