// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/bench/conv_layers.h"

namespace vnpu::bench {

/// oneDNN's version, or "" if this program was built without oneDNN.
std::string oneDnnVersion();

/// Sets the number of oneDNN's threads for objects that this thread creates and runs from now on.
void setOneDnnThreads(int threads);

/// Runs a network's convolutions in oneDNN, each with bias and ReLU, in oneDNN's preferred layouts,
/// with weights and activations converted in advance. int8: unsigned activations and signed
/// weights, a scale per channel, no zero points. Empty without oneDNN.
std::function<void()> makeOneDnnNetwork(const std::vector<ConvLayer>& layers, Numeric numeric);

/// A product of square matrices: float32, or unsigned by signed 8-bit to 32-bit integers.
std::function<void()> makeOneDnnGemm(int size, Numeric numeric);

}  // namespace vnpu::bench
