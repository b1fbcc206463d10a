// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace vnpu::bench {

/// Registers each kind of loop that the kernels do not take from Eigen, on one thread: the operator
/// as it is, and Eigen's expression compiled for the processor.
void addLoops();

/// Times, and how many results have other bits; by the medians of the benchmarks that ran.
void printLoops(const std::map<std::string, double>& medianSeconds);

}  // namespace vnpu::bench
