// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace vnpu::bench {

/// Measures whole convolutions of MobileNetV1-224 and ResNet-50 on the bare kernels, int8 and
/// float32, on one and two threads, against oneDNN and Eigen's float matrix product, and prints the
/// ratios except for filtered benchmarks. The calling program has initialized Google Benchmark with
/// interleaved repetitions and has registered no other benchmark.
void compareKernels();

}  // namespace vnpu::bench
