// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/mac_words.h"
#include "hw_model/kernels/operators/window/convolution_plan.h"

namespace vnpu::hw::kernels {

/// An output of two plans by its numbers in them.
struct PatchPixel {
    std::size_t batch;
    std::int64_t y, x;
};

/// The left operand of a convolution's matrix product: a row per output of two plans, which holds
/// the input under their taps, channel by channel of one group. Taps outside the input are zero.
class ConvolutionPatches {
  public:
    ConvolutionPatches(const Convolution& convolution, const WordFormat& format,
                       const AxisPlan& rows, const AxisPlan& columns);

    /// Rows; steps and words of each, bytes from one to the next.
    std::size_t count() const { return count_; }
    std::size_t depth() const { return depth_; }
    std::size_t words() const { return words_; }
    std::size_t strideBytes() const { return strideBytes_; }

    /// Whether the input itself is such a matrix.
    bool isDirect() const { return isDirect_; }
    const std::byte* direct(std::size_t row, std::size_t group) const;

    /// Writes rows [first, first + count). Any thread.
    void write(std::size_t first, std::size_t count, std::size_t group,
               std::byte* destination) const;

    PatchPixel pixelAt(std::size_t row) const;

  private:
    bool readsPixelByPixel() const;
    void writeRow(const PatchPixel& pixel, std::size_t group, std::byte* destination) const;
    void writeTaps(const std::byte* source, std::int64_t firstColumn, std::byte* destination) const;
    std::size_t neighboursInside(std::size_t first, std::int64_t x) const;
    void pad(std::byte* destination, std::size_t bytes) const;

    const Convolution& conv_;
    const WordFormat& format_;
    const AxisPlan& rowPlan_;
    const AxisPlan& columnPlan_;
    std::size_t inputs_;  // channels of a group
    std::size_t count_, depth_, words_;
    std::size_t pixelBytes_;  // of the input
    std::size_t tapBytes_;    // of a row here
    bool isDirect_;
    std::size_t strideBytes_;
};

}  // namespace vnpu::hw::kernels
