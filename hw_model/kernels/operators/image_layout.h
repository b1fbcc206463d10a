// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "hw_model/regs/tensor_type.h"

namespace vnpu::hw::kernels {

/// The extents of a batch of images, independent of the storage layout.
struct ImageShape {
    std::uint32_t batches = 0;
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    std::uint32_t channels = 0;

    /// From dimensions of rank 4.
    static ImageShape of(const Dimensions& dimensions, bool isNchw) {
        return isNchw ? ImageShape{dimensions[0], dimensions[2], dimensions[3], dimensions[1]}
                      : ImageShape{dimensions[0], dimensions[1], dimensions[2], dimensions[3]};
    }
    std::size_t pixels() const { return std::size_t{batches} * rows * columns; }
    std::size_t elements() const { return pixels() * channels; }
    Dimensions dimensions(bool isNchw) const {
        return isNchw ? Dimensions{batches, channels, rows, columns}
                      : Dimensions{batches, rows, columns, channels};
    }
};

/// Elements between consecutive batches, rows, columns and channels; 0 if the images have no
/// elements.
struct ImageStrides {
    std::int64_t batch = 0;
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::int64_t channel = 0;

    ImageStrides() = default;
    ImageStrides(const ImageShape& shape, bool isNchw) {
        if (shape.dimensions(isNchw).elements() == 0) {
            return;  // the products of the other extents may have no value
        }
        const std::uint64_t area = std::uint64_t{shape.rows} * shape.columns;
        const std::uint64_t line = std::uint64_t{shape.columns} * shape.channels;
        batch = static_cast<std::int64_t>(area * shape.channels);
        channel = isNchw ? static_cast<std::int64_t>(area) : 1;
        column = isNchw ? 1 : shape.channels;
        row = isNchw ? shape.columns : static_cast<std::int64_t>(line);
    }
};

}  // namespace vnpu::hw::kernels
