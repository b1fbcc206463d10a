// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::bench {

/// Measures whole convolutions of MobileNetV1-224 and ResNet-50 on the bare kernels, int8 and
/// float32, on one and two threads, against oneDNN and against the float matrix product of Eigen,
/// and prints the ratios. The benchmarks that a filter leaves out have none. The calling program
/// has initialized Google Benchmark, with interleaved repetitions, and registered no other.
void compareKernels();

}  // namespace vnpu::bench
