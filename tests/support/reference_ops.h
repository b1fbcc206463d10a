// SPDX-License-Identifier: Apache-2.0
#pragma once

// Naive references in double precision for the tests of every layer, derived from the operations'
// definitions independently of the kernels. Integers up to 2^53 are exact in double, so the same
// loops serve 8-bit arithmetic: pass the differences to the zero points and treat the sums as
// integers.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vnpu::test {

using Values = std::vector<double>;

/// Nearest integer, ties away from zero.
inline double roundAwayFromZero(double x) {
    return x < 0 ? -std::floor(0.5 - x) : std::floor(x + 0.5);
}

/// Height, width and channels of a dense NHWC image without batch.
struct Image {
    std::int64_t height = 1;
    std::int64_t width = 1;
    std::int64_t channels = 1;

    std::int64_t size() const { return height * width * channels; }
    std::size_t at(std::int64_t y, std::int64_t x, std::int64_t c) const {
        return static_cast<std::size_t>((y * width + x) * channels + c);
    }
    bool contains(std::int64_t y, std::int64_t x) const {
        return y >= 0 && y < height && x >= 0 && x < width;
    }
};

/// The size, stride, dilation and padding of a window on an image.
struct Window {
    std::int64_t height = 1, width = 1;
    std::int64_t strideHeight = 1, strideWidth = 1;
    std::int64_t dilationHeight = 1, dilationWidth = 1;
    std::int64_t padTop = 0, padLeft = 0;
};

/// Convolution: filter [outputs][height][width][inputs]; outside the image is 0.
inline Values convolve(const Image& in, const Values& input, const Window& w, const Values& filter,
                       const Image& out) {
    Values result(static_cast<std::size_t>(out.size()), 0.0);
    for (std::int64_t y = 0; y < out.height; ++y)
        for (std::int64_t x = 0; x < out.width; ++x)
            for (std::int64_t o = 0; o < out.channels; ++o)
                for (std::int64_t ky = 0; ky < w.height; ++ky)
                    for (std::int64_t kx = 0; kx < w.width; ++kx)
                        for (std::int64_t i = 0; i < in.channels; ++i) {
                            const std::int64_t iy =
                                    y * w.strideHeight - w.padTop + ky * w.dilationHeight;
                            const std::int64_t ix =
                                    x * w.strideWidth - w.padLeft + kx * w.dilationWidth;
                            if (in.contains(iy, ix)) {
                                const std::int64_t f =
                                        ((o * w.height + ky) * w.width + kx) * in.channels + i;
                                result[out.at(y, x, o)] += input[in.at(iy, ix, i)] *
                                                           filter[static_cast<std::size_t>(f)];
                            }
                        }
    return result;
}

/// Depthwise convolution: filter [height][width][outputs]; output channel c reads channel c /
/// multiplier.
inline Values convolveDepthwise(const Image& in, const Values& input, const Window& w,
                                const Values& filter, const Image& out, std::int64_t multiplier) {
    Values result(static_cast<std::size_t>(out.size()), 0.0);
    for (std::int64_t y = 0; y < out.height; ++y)
        for (std::int64_t x = 0; x < out.width; ++x)
            for (std::int64_t c = 0; c < out.channels; ++c)
                for (std::int64_t ky = 0; ky < w.height; ++ky)
                    for (std::int64_t kx = 0; kx < w.width; ++kx) {
                        const std::int64_t iy =
                                y * w.strideHeight - w.padTop + ky * w.dilationHeight;
                        const std::int64_t ix =
                                x * w.strideWidth - w.padLeft + kx * w.dilationWidth;
                        if (in.contains(iy, ix)) {
                            const std::int64_t f = (ky * w.width + kx) * out.channels + c;
                            result[out.at(y, x, c)] += input[in.at(iy, ix, c / multiplier)] *
                                                       filter[static_cast<std::size_t>(f)];
                        }
                    }
    return result;
}

/// Convolution in groups of channels: filter [outputs][height][width][inputs of a group].
inline Values convolveGroups(const Image& in, const Values& input, const Window& w,
                             const Values& filter, const Image& out, std::int64_t groups) {
    Values result(static_cast<std::size_t>(out.size()), 0.0);
    const std::int64_t inputs = in.channels / groups;
    const std::int64_t outputs = out.channels / groups;
    for (std::int64_t y = 0; y < out.height; ++y)
        for (std::int64_t x = 0; x < out.width; ++x)
            for (std::int64_t o = 0; o < out.channels; ++o)
                for (std::int64_t ky = 0; ky < w.height; ++ky)
                    for (std::int64_t kx = 0; kx < w.width; ++kx)
                        for (std::int64_t i = 0; i < inputs; ++i) {
                            const std::int64_t iy = y * w.strideHeight - w.padTop + ky;
                            const std::int64_t ix = x * w.strideWidth - w.padLeft + kx;
                            if (in.contains(iy, ix)) {
                                const std::int64_t f =
                                        ((o * w.height + ky) * w.width + kx) * inputs + i;
                                result[out.at(y, x, o)] +=
                                        input[in.at(iy, ix, o / outputs * inputs + i)] *
                                        filter[static_cast<std::size_t>(f)];
                            }
                        }
    return result;
}

/// Transposed convolution: every input pixel is spread over the outputs under its window; filter
/// [outputs][height][width][inputs]; padding crops the output.
inline Values convolveTransposed(const Image& in, const Values& input, const Window& w,
                                 const Values& filter, const Image& out) {
    Values result(static_cast<std::size_t>(out.size()), 0.0);
    for (std::int64_t y = 0; y < in.height; ++y)
        for (std::int64_t x = 0; x < in.width; ++x)
            for (std::int64_t o = 0; o < out.channels; ++o)
                for (std::int64_t ky = 0; ky < w.height; ++ky)
                    for (std::int64_t kx = 0; kx < w.width; ++kx)
                        for (std::int64_t i = 0; i < in.channels; ++i) {
                            const std::int64_t oy = y * w.strideHeight - w.padTop + ky;
                            const std::int64_t ox = x * w.strideWidth - w.padLeft + kx;
                            if (out.contains(oy, ox)) {
                                const std::int64_t f =
                                        ((o * w.height + ky) * w.width + kx) * in.channels + i;
                                result[out.at(oy, ox, o)] +=
                                        input[in.at(y, x, i)] * filter[static_cast<std::size_t>(f)];
                            }
                        }
    return result;
}

/// Sum and count of the elements under each window; the average is their quotient.
struct WindowSums {
    Values sums;
    Values counts;
};

inline WindowSums poolSums(const Image& in, const Values& input, const Window& w,
                           const Image& out) {
    WindowSums result{Values(static_cast<std::size_t>(out.size()), 0.0),
                      Values(static_cast<std::size_t>(out.size()), 0.0)};
    for (std::int64_t y = 0; y < out.height; ++y)
        for (std::int64_t x = 0; x < out.width; ++x)
            for (std::int64_t c = 0; c < out.channels; ++c)
                for (std::int64_t ky = 0; ky < w.height; ++ky)
                    for (std::int64_t kx = 0; kx < w.width; ++kx) {
                        const std::int64_t iy = y * w.strideHeight - w.padTop + ky;
                        const std::int64_t ix = x * w.strideWidth - w.padLeft + kx;
                        if (in.contains(iy, ix)) {
                            result.sums[out.at(y, x, c)] += input[in.at(iy, ix, c)];
                            result.counts[out.at(y, x, c)] += 1.0;
                        }
                    }
    return result;
}

/// The maximum of the elements under each window.
inline Values poolMax(const Image& in, const Values& input, const Window& w, const Image& out) {
    Values result(static_cast<std::size_t>(out.size()), -std::numeric_limits<double>::infinity());
    for (std::int64_t y = 0; y < out.height; ++y)
        for (std::int64_t x = 0; x < out.width; ++x)
            for (std::int64_t c = 0; c < out.channels; ++c)
                for (std::int64_t ky = 0; ky < w.height; ++ky)
                    for (std::int64_t kx = 0; kx < w.width; ++kx) {
                        const std::int64_t iy = y * w.strideHeight - w.padTop + ky;
                        const std::int64_t ix = x * w.strideWidth - w.padLeft + kx;
                        if (in.contains(iy, ix)) {
                            double& most = result[out.at(y, x, c)];
                            most = std::max(most, input[in.at(iy, ix, c)]);
                        }
                    }
    return result;
}

/// Softmax over the middle of [outer][axis][inner].
inline Values softmax(const Values& input, std::size_t outer, std::size_t axis, std::size_t inner,
                      double beta) {
    Values result(input.size());
    for (std::size_t i = 0; i < outer; ++i)
        for (std::size_t j = 0; j < inner; ++j) {
            const auto at = [&](std::size_t a) { return (i * axis + a) * inner + j; };
            double most = input[at(0)];
            for (std::size_t a = 0; a < axis; ++a)
                most = std::max(most, input[at(a)]);
            double sum = 0.0;
            for (std::size_t a = 0; a < axis; ++a)
                sum += std::exp(beta * (input[at(a)] - most));
            for (std::size_t a = 0; a < axis; ++a)
                result[at(a)] = std::exp(beta * (input[at(a)] - most)) / sum;
        }
    return result;
}

/// Sums over the dimensions of dims[0..3] whose bit in `mask` is set, dense over the kept ones.
inline Values reduceSums(const Values& input, const std::uint32_t (&dims)[4], unsigned mask) {
    std::size_t kept[4];
    std::size_t outputs = 1;
    for (unsigned d = 0; d < 4; ++d) {
        kept[d] = ((mask >> d) & 1U) != 0 ? 1 : dims[d];
        outputs *= kept[d];
    }
    Values result(outputs, 0.0);
    std::size_t next = 0;
    for (std::size_t a = 0; a < dims[0]; ++a)
        for (std::size_t b = 0; b < dims[1]; ++b)
            for (std::size_t c = 0; c < dims[2]; ++c)
                for (std::size_t d = 0; d < dims[3]; ++d) {
                    const std::size_t i[4] = {a, b, c, d};
                    std::size_t index = 0;
                    for (unsigned k = 0; k < 4; ++k)
                        index = index * kept[k] + (kept[k] == 1 ? 0 : i[k]);
                    result[index] += input[next++];
                }
    return result;
}

}  // namespace vnpu::test
