// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/kernels/operators/quantized_arithmetic.h"

namespace vnpu::hw::kernels {

/// The best backend that the processor can run.
const MacBackend& bestBackend();

/// Sends sums (int32 of 8-bit products, or floats) through bias, scaling and activation into
/// elements of the output's working type.
class ConvolutionDrain {
  public:
    /// Refuses scales that make no factor. `bias` has an element per output channel.
    [[nodiscard]] JobStatus prepare(OperatorCall& call, const Tensor& input, const Tensor& filter,
                                    const Tensor& bias, FusedActivation activation);

    /// Sums [pixels][channels] of the channels from `firstChannel` on; output pixels are
    /// `outputStep` bytes apart. Any thread.
    void run(const std::byte* sums, std::size_t pixels, std::size_t firstChannel,
             std::size_t channels, std::byte* output, std::size_t outputStep) const;

  private:
    [[nodiscard]] JobStatus prepareScaling(OperatorCall& call, const Tensor& input,
                                           const Tensor& filter, std::size_t channels);

    void (*kernel_)(const DrainRun&) = nullptr;
    std::vector<std::int32_t> bias_, multiplier_, leftShift_, rightShift_;
    std::int32_t zeroPoint_ = 0;
    std::int32_t clampMin_ = 0;
    std::int32_t clampMax_ = 0;
};

}  // namespace vnpu::hw::kernels
