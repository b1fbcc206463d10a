// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/kernels/mac_backend.h"
#include "hw_model/regs/command_stream.h"

namespace vnpu::hw::kernels {

/// The left operand of a convolution's matrix product: a row per output pixel that holds the input
/// under the filter, tap by tap. 8-bit inputs become 16-bit differences to the zero point, padded
/// to whole words; taps outside the input are zero.
class Patches {
  public:
    Patches(const MacConv& work, const std::byte* sram, const MacBackend& backend);

    /// Elements and words of a row.
    std::size_t depth() const { return depth_; }
    std::size_t words() const { return words_; }

    /// Whether the input itself is such a matrix, with rows directStride() bytes apart.
    bool isDirect() const { return isDirect_; }
    const std::byte* directRow(std::size_t row) const { return input_ + row * directStride_; }
    std::size_t directStride() const { return directStride_; }

    /// Writes rows [first, first + count), words() apart. Any thread.
    void write(std::size_t first, std::size_t count, std::uint32_t* destination) const;

  private:
    void writeRow(std::size_t pixel, std::byte* destination) const;
    void writeFilterRow(std::int64_t row, std::int64_t firstColumn, std::byte* destination) const;
    void copy(const std::byte* source, std::size_t elements, std::byte* destination) const;

    const MacConv& work_;
    const MacBackend& backend_;
    const std::byte* input_;
    bool isFloat_;
    std::size_t inputBytes_;  // of an element in SRAM
    std::size_t patchBytes_;  // of an element in a row
    std::size_t depth_;
    std::size_t words_;
    bool isContiguous_;  // all pixels are one run of elements, each giving one row
    bool isDirect_;
    std::size_t directStride_;
};

}  // namespace vnpu::hw::kernels
