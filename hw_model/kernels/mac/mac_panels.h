// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac/mac_backend.h"
#include "hw_model/kernels/mac/mac_words.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// The right operand of a convolution's matrix product: the filter as panels of 16 output channels.
class FilterPanels {
  public:
    /// [channels][depth] elements.
    struct Matrix {
        const std::byte* elements;
        std::size_t channels;
        std::size_t depth;
        std::size_t elementBytes;
    };

    FilterPanels(const Matrix& filter, const MacBackend& backend, const WordFormat& format);

    std::size_t words() const { return words_; }

    /// Writes words [first, first + count) of one panel and, for byte products, adds the terms that
    /// the zero points contribute to the sums over these words, one value per column. Any thread.
    void pack(std::size_t panel, std::size_t first, std::size_t count, std::uint32_t* destination,
              std::int32_t* offsets) const;

    /// Where the words of a panel that pack() reads begin, and the bytes from channel to channel;
    /// null beyond the last panel.
    const std::byte* source(std::size_t panel, std::size_t firstWord) const;
    std::size_t channelBytes() const { return channelBytes_; }

    /// A nonzero filter zero point adds a term to each row's sums: this factor times the sum of the
    /// row.
    std::int32_t rowFactor() const { return -format_.filterZeroPoint(); }

  private:
    void packConverted(std::size_t channel, std::size_t first, std::size_t count,
                       std::uint32_t* destination) const;
    void setOffsets(const std::uint32_t* panel, std::size_t first, std::size_t count,
                    std::int32_t* offsets) const;

    const MacBackend& backend_;
    const WordFormat& format_;
    const std::byte* filter_;
    std::size_t channels_;
    std::size_t depth_;
    std::size_t words_;
    std::size_t channelBytes_;  // in SRAM
};

}  // namespace vnpu::hw::kernels
