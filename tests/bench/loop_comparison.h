// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace vnpu::bench {

/// Registers each kind of loop that the kernels do not take from Eigen, on one thread: the operator
/// itself, and Eigen's expression compiled for the processor.
void addLoops();

/// Prints the processor times (medians of the benchmarks that ran), and how many results differ
/// between AVX2 and AVX-512.
void printLoops(const std::map<std::string, double>& medianCpuSeconds);

}  // namespace vnpu::bench
