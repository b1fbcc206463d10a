// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hw_model/kernels/operators/operator_call.h"

namespace vnpu::hw::kernels {

/// x * min(max(x + 3, 0), 6) / 6 of 8-bit levels in 16-bit fixed point, bit exact with the TFLite
/// reference, which NNAPI uses: the result may be one level off the nearest one.
class FixedHardSwish {
  public:
    FixedHardSwish(float inputScale, const Tensor& output);

    /// Returns the output's level; `difference` is the input's level minus its zero point, in 9
    /// bits.
    std::int32_t operator()(std::int32_t difference) const;

  private:
    /// A factor as multiplier / 2^15 * 2^shift.
    struct Factor {
        std::int32_t multiplier;
        std::int32_t shift;
    };
    static Factor factorOf(float real);

    /// min(max(x / 3, -1), 1) in units of 2^-15, from the finer input.
    std::int32_t thirdOf(std::int32_t fine) const;

    Factor toThirds_{};
    Factor toOutput_{};
    std::int32_t zeroPoint_;
    std::int32_t lowest_;
    std::int32_t highest_;
};

}  // namespace vnpu::hw::kernels
