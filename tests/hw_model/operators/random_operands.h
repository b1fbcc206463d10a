// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/hw_model/kernels/tile_memory.h"
#include "tests/hw_model/operators/operator_case.h"
#include "tests/support/reference_ops.h"

namespace vnpu::test {

/// A tensor of random elements and their values: the floats, or the differences of the
/// stored integers to the zero point (exact in double precision).
struct RandomTensor {
    OperandKind kind;
    hw::Dimensions dimensions;
    std::vector<std::byte> bytes;
    Values values;

    void addTo(OperatorCase& operands) const {
        operands.add(kind, dimensions, bytes.data(), bytes.size());
    }
};

/// Floats are multiples of 1/8 from -2 to 2: sums of products of two are exact in single precision.
RandomTensor randomTensor(Random& random, const OperandKind& kind,
                          const hw::Dimensions& dimensions);

/// Scale and zero point drawn at random for the quantized types.
OperandKind drawKind(Random& random, hw::TensorType type);

/// Smallest and largest stored value of an 8-bit type.
std::int64_t lowestLevel(hw::TensorType type);
std::int64_t highestLevel(hw::TensorType type);

/// The range of stored values or reals of an activation (0 to 3).
struct ActivationRange {
    double low, high;
    double clamp(double x) const { return x < low ? low : x > high ? high : x; }
};
ActivationRange storedActivation(std::int32_t activation, const OperandKind& output);
ActivationRange realActivation(std::int32_t activation);

/// Reads dense elements [n][h][w][c] of either layout.
struct ImageIndex {
    std::int64_t batches, height, width, channels;
    bool isNchw;

    std::size_t at(std::int64_t n, std::int64_t y, std::int64_t x, std::int64_t c) const {
        return static_cast<std::size_t>(isNchw ? ((n * channels + c) * height + y) * width + x
                                               : ((n * height + y) * width + x) * channels + c);
    }
    bool contains(std::int64_t y, std::int64_t x) const {
        return y >= 0 && y < height && x >= 0 && x < width;
    }
    std::size_t size() const {
        return static_cast<std::size_t>(batches * height * width * channels);
    }
    hw::Dimensions dimensions() const {
        const auto u = [](std::int64_t extent) { return static_cast<std::uint32_t>(extent); };
        return isNchw ? hw::Dimensions{u(batches), u(channels), u(height), u(width)}
                      : hw::Dimensions{u(batches), u(height), u(width), u(channels)};
    }
};

/// One randomly drawn axis of a window, and its output according to NNAPI's definition.
struct AxisDraw {
    std::int64_t window = 1, stride = 1, dilation = 1;
    std::int64_t padHead = 0, padTail = 0;
    std::int64_t output = 0;

    std::int64_t span() const { return (window - 1) * dilation + 1; }
    /// Computes the padding of SAME (scheme 1) and VALID (2) over `input` elements; scheme 0 keeps
    /// it. Returns whether the window fits.
    bool settle(std::int64_t scheme, std::int64_t input);
};

}  // namespace vnpu::test
