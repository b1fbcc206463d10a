// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace vnpu::bench {

/// Runs the simulations and returns their tables: inferences with data compared with bare kernels,
/// without data compared with other simulators, and memory over many executions. `arguments` are
/// those of main(). Simulations excluded by --benchmark_filter are missing from the tables.
std::string measureSimulations(char** arguments);

}  // namespace vnpu::bench
