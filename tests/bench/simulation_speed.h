// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::bench {

/// Runs the simulations, and returns their tables: inferences with data against bare kernels,
/// without data against other simulators, and memory over many executions. `arguments` are
/// main()'s. Where --benchmark_filter leaves a simulation out, so do the tables.
std::string measureSimulations(char** arguments);

}  // namespace vnpu::bench
