// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hw_model/kernels/mac/convolution.h"

namespace vnpu::hw::kernels {

/// The left operand of a convolution's matrix product: one row per output pixel with the input
/// under the filter, tap by tap, as whole words. Taps outside the input hold the format's zero.
class Patches {
  public:
    Patches(const Convolution& convolution, const WordFormat& format);

    /// The number of steps, and of words, in a row.
    std::size_t depth() const { return depth_; }
    std::size_t words() const { return words_; }
    /// Bytes between rows.
    std::size_t stride() const { return stride_; }

    /// Whether the input itself can serve as the matrix; stride() is then the input's.
    bool isDirect() const { return isDirect_; }
    const std::byte* directRow(std::size_t row) const { return firstPixel_ + row * stride_; }

    /// Writes rows [first, first + count), and up to kSlackBytes after them. Any thread.
    static constexpr std::size_t kSlackBytes = WordFormat::kSlackBytes;
    void write(std::size_t first, std::size_t count, std::byte* destination) const;

  private:
    // The rows of pixels [x, end) of output row y.
    void writePixels(const std::byte* image, std::int64_t y, std::int64_t x, std::int64_t end,
                     std::byte* destination) const;
    // The same for pixels whose taps are inside the input; returns the first one that is left.
    std::int64_t writeInside(const std::byte* image, std::int64_t y, std::int64_t x,
                             std::int64_t end, std::byte* destination) const;
    void writeRow(const std::byte* image, std::int64_t y, std::int64_t x,
                  std::byte* destination) const;
    void writeFilterRow(const std::byte* row, std::int64_t firstColumn,
                        std::byte* destination) const;
    void pad(std::byte* destination, std::size_t bytes) const;

    const Convolution& conv_;
    const WordFormat& format_;
    std::size_t inputBytes_;     // of an element
    const std::byte* inputEnd_;  // end of the last element
    std::size_t filterRowSteps_;
    std::optional<WordFormat::ShortCopy> filterRowCopy_;
    std::size_t depth_;
    std::size_t words_;
    bool isDense_;                 // the pixels of a filter row are contiguous elements
    std::size_t pixelStride_;      // bytes between the pixels of a 1 x 1 filter's rows, 0 if uneven
    const std::byte* firstPixel_;  // which a 1 x 1 filter reads for the first row
    bool isDirect_;
    std::size_t stride_;
};

}  // namespace vnpu::hw::kernels
