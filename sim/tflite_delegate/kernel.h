// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tflite_delegate/tflite_abi.h"

namespace vnpu::sim::tflite_delegate {

/// The functions of the kernels that execute a subset of nodes on the device.
tflite_abi::TfLiteRegistration kernelRegistration();

}  // namespace vnpu::sim::tflite_delegate
