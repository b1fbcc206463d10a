// SPDX-License-Identifier: Apache-2.0
// Convolutions, products, pools and resizes, against loops in double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::FusedActivation;
using schema::Padding;
using schema::TensorType;
using Builder = flatbuffers::FlatBufferBuilder;

struct Geometry {
    Padding padding = Padding::SAME;
    int strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
    int extent(int size, int window, int stride, int dilation) const {
        const int reach = (window - 1) * dilation + 1;
        return padding == Padding::SAME ? (size - 1) / stride + 1 : (size - reach) / stride + 1;
    }
    int before(int size, int window, int stride, int dilation) const {
        if (padding == Padding::VALID) {
            return 0;
        }
        const int reach = (window - 1) * dilation + 1;
        return std::max(0, (extent(size, window, stride, dilation) - 1) * stride + reach - size) /
               2;
    }
};

/// 1 x height x width x channels with weights outputs x kh x kw x channels of a group.
Reals convolve(const Reals& in, const Ints& inShape, const Reals& weights, const Ints& shape,
               const Reals& bias, const Geometry& geometry, bool isDepthwise) {
    const int outputs = isDepthwise ? shape[3] : shape[0];
    const int taken = isDepthwise ? 1 : shape[3];
    const int groups = inShape[3] / taken;
    const int perGroup = outputs / groups;
    const int height = geometry.extent(inShape[1], shape[1], geometry.strideH, geometry.dilationH);
    const int width = geometry.extent(inShape[2], shape[2], geometry.strideW, geometry.dilationW);
    const int top = geometry.before(inShape[1], shape[1], geometry.strideH, geometry.dilationH);
    const int left = geometry.before(inShape[2], shape[2], geometry.strideW, geometry.dilationW);
    Reals result;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int o = 0; o < outputs; ++o) {
                double sum = bias.empty() ? 0.0 : bias[static_cast<std::size_t>(o)];
                for (int ky = 0; ky < shape[1]; ++ky) {
                    for (int kx = 0; kx < shape[2]; ++kx) {
                        const int iy = y * geometry.strideH + ky * geometry.dilationH - top;
                        const int ix = x * geometry.strideW + kx * geometry.dilationW - left;
                        if (iy < 0 || ix < 0 || iy >= inShape[1] || ix >= inShape[2]) {
                            continue;
                        }
                        for (int c = 0; c < taken; ++c) {
                            const int channel = o / perGroup * taken + c;
                            const auto at = static_cast<std::size_t>(
                                    (iy * inShape[2] + ix) * inShape[3] + channel);
                            const auto tap = static_cast<std::size_t>(
                                    isDepthwise
                                            ? (ky * shape[2] + kx) * shape[3] + o
                                            : ((o * shape[1] + ky) * shape[2] + kx) * taken + c);
                            sum += in[at] * weights[tap];
                        }
                    }
                }
                result.push_back(sum);
            }
        }
    }
    return result;
}

OptionsMaker convOptions(const Geometry& g, FusedActivation activation, bool isDepthwise) {
    return [=](Builder& builder) {
        return isDepthwise ? schema::CreateDepthwiseConv2DOptions(builder, g.padding, g.strideW,
                                                                  g.strideH, 1, activation,
                                                                  g.dilationW, g.dilationH)
                                     .Union()
                           : schema::CreateConv2DOptions(builder, g.padding, g.strideW, g.strideH,
                                                         activation, g.dilationW, g.dilationH)
                                     .Union();
    };
}

struct Convolution {
    const char* name;
    CaseTensor in, weights, bias, out;
    Geometry geometry = {};
    bool isDepthwise = false;
    FusedActivation activation = FusedActivation::NONE;
    double steps = 0;
};

Case convolutionCase(Convolution c) {
    const int outputs = c.isDepthwise ? c.weights.tensor.shape[3] : c.weights.tensor.shape[0];
    const auto& shape = c.in.tensor.shape;
    const auto& taps = c.weights.tensor.shape;
    c.in.values =
            scaled(noise(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3])), 2);
    c.weights.values =
            scaled(noise(static_cast<std::size_t>(taps[0] * taps[1] * taps[2] * taps[3]), 7), 0.6);
    c.bias.values = scaled(noise(static_cast<std::size_t>(outputs), 9), 0.5);
    c.out.values = convolve(rounded(c.in), shape, rounded(c.weights), taps, rounded(c.bias),
                            c.geometry, c.isDepthwise);
    if (c.activation == FusedActivation::RELU) {
        c.out.values = mapped(c.out.values, [](double x) { return std::max(x, 0.0); });
    }
    c.out.tensor.shape = {
            1, c.geometry.extent(shape[1], taps[1], c.geometry.strideH, c.geometry.dilationH),
            c.geometry.extent(shape[2], taps[2], c.geometry.strideW, c.geometry.dilationW),
            outputs};
    return caseOf({.name = c.name,
                   .code = c.isDepthwise ? 4 : 3,
                   .inputs = {c.in, c.weights, c.bias},
                   .isConstant = {false, true, true},
                   .outputs = {c.out},
                   .optionsType = c.isDepthwise ? BuiltinOptions::DepthwiseConv2DOptions
                                                : BuiltinOptions::Conv2DOptions,
                   .options = convOptions(c.geometry, c.activation, c.isDepthwise),
                   .tolerance = 3e-6,
                   .steps = c.steps});
}

CaseTensor perChannel(Ints shape, std::vector<float> scales, std::int32_t axis) {
    CaseTensor tensor = typed(TensorType::INT8, std::move(shape), {}, std::move(scales));
    tensor.tensor.axis = axis;
    return tensor;
}

CaseTensor biasOf(std::int32_t channels, std::vector<float> scales) {
    return typed(TensorType::INT32, {channels}, {}, std::move(scales));
}

Reals product(const Reals& a, const Reals& b, std::size_t rows, std::size_t columns,
              std::size_t depth) {
    Reals result;
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < columns; ++k) {
            double sum = 0.0;
            for (std::size_t d = 0; d < depth; ++d) {
                sum += a[i * depth + d] * b[k * depth + d];
            }
            result.push_back(sum);
        }
    }
    return result;
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/window");

TEST_CASE("convolutions in real, 8-bit, per-channel, hybrid and 16-bit forms") {
    const Geometry strided{Padding::SAME, 2, 1}, dilated{Padding::VALID, 1, 1, 2, 1};
    const Ints in = {1, 6, 5, 4}, taps = {6, 3, 2, 4};
    std::vector<Case> cases;
    cases.push_back(
            convolutionCase({"CONV_2D", real(in), real(taps), real({6}), real({}), strided}));
    cases.push_back(convolutionCase({"CONV_2D dilated", real(in), real(taps), real({6}), real({}),
                                     dilated, false, FusedActivation::RELU}));
    cases.push_back(convolutionCase(
            {"CONV_2D grouped", real(in), real({6, 3, 2, 2}), real({6}), real({}), strided}));
    cases.push_back(convolutionCase({"CONV_2D grouped and dilated", real(in), real({6, 3, 2, 2}),
                                     real({6}), real({}), dilated}));
    cases.push_back(convolutionCase({"CONV_2D uint8", unsigned8(in, 0.02F, 120),
                                     unsigned8(taps, 0.005F, 128), biasOf(6, {0.0001F}),
                                     unsigned8({}, 0.05F, 128), strided, false,
                                     FusedActivation::NONE, 1.0}));
    const std::vector<float> scales = {0.005F, 0.006F, 0.007F, 0.005F, 0.006F, 0.007F};
    std::vector<float> products = scales;
    for (float& scale : products) {
        scale *= 0.02F;
    }
    cases.push_back(
            convolutionCase({"CONV_2D per channel", signed8(in, 0.02F, -3),
                             perChannel(taps, scales, 0), biasOf(6, products),
                             signed8({}, 0.05F, 4), strided, false, FusedActivation::NONE, 1.0}));
    cases.push_back(convolutionCase({"CONV_2D hybrid", real(in), perChannel(taps, scales, 0),
                                     real({6}), real({}), strided}));
    cases.push_back(convolutionCase(
            {"CONV_2D int16", typed(TensorType::INT16, in, {}, {0.0001F}),
             perChannel(taps, scales, 0),
             typed(TensorType::INT64, {6}, {}, {5e-7F, 6e-7F, 7e-7F, 5e-7F, 6e-7F, 7e-7F}),
             typed(TensorType::INT16, {}, {}, {0.0003F}), strided, false, FusedActivation::NONE,
             1.0}));
    runCases(cases);
}

TEST_CASE("depthwise convolutions with a multiplier") {
    const Geometry strided{Padding::SAME, 2, 2}, dilated{Padding::SAME, 1, 1, 2, 2};
    const Ints in = {1, 6, 5, 2}, taps = {1, 3, 3, 4};
    const std::vector<float> scales = {0.005F, 0.006F, 0.007F, 0.005F};
    std::vector<float> products = scales;
    for (float& scale : products) {
        scale *= 0.02F;
    }
    runCases({convolutionCase({"DEPTHWISE_CONV_2D", real(in), real(taps), real({4}), real({}),
                               strided, true}),
              convolutionCase({"DEPTHWISE_CONV_2D dilated", real(in), real(taps), real({4}),
                               real({}), dilated, true, FusedActivation::RELU}),
              convolutionCase({"DEPTHWISE_CONV_2D per channel", signed8(in, 0.02F, -3),
                               perChannel(taps, scales, 3), biasOf(4, products),
                               signed8({}, 0.05F, 4), strided, true, FusedActivation::NONE, 1.0})});
}

TEST_CASE("TRANSPOSE_CONV scatters each input, with and without a bias") {
    const int size = 3, kernel = 3, stride = 2, outputSize = 6, channels = 2, outputs = 2;
    const Reals in = noise(18), weights = noise(36, 5), bias = {0.5, -0.25};
    std::vector<Case> cases;
    for (const bool hasBias : {true, false}) {
        Reals expected(static_cast<std::size_t>(outputSize * outputSize * outputs), 0.0);
        // SAME: the forward convolution of 6 with stride 2 and 3 taps has one border pixel, behind.
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                for (int ky = 0; ky < kernel; ++ky) {
                    for (int kx = 0; kx < kernel; ++kx) {
                        const int oy = y * stride + ky, ox = x * stride + kx;
                        if (oy >= outputSize || ox >= outputSize) {
                            continue;
                        }
                        for (int o = 0; o < outputs; ++o) {
                            for (int c = 0; c < channels; ++c) {
                                expected[static_cast<std::size_t>((oy * outputSize + ox) * outputs +
                                                                  o)] +=
                                        in[static_cast<std::size_t>((y * size + x) * channels +
                                                                    c)] *
                                        weights[static_cast<std::size_t>(
                                                ((o * kernel + ky) * kernel + kx) * channels + c)];
                            }
                        }
                    }
                }
            }
        }
        for (std::size_t i = 0; hasBias && i < expected.size(); ++i) {
            expected[i] += bias[i % 2];
        }
        std::vector<CaseTensor> inputs = {integer({4}, {1, 6, 6, 2}), real({2, 3, 3, 2}, weights),
                                          real({1, 3, 3, 2}, in)};
        if (hasBias) {
            inputs.push_back(real({2}, bias));
        }
        cases.push_back(caseOf({.name = "TRANSPOSE_CONV",
                                .code = 67,
                                .inputs = inputs,
                                .isConstant = {true, true, false, true},
                                .outputs = {real({1, 6, 6, 2}, expected)},
                                .optionsType = BuiltinOptions::TransposeConvOptions,
                                .options =
                                        [](Builder& builder) {
                                            return schema::CreateTransposeConvOptions(
                                                           builder, Padding::SAME, 2, 2)
                                                    .Union();
                                        },
                                .tolerance = 3e-6}));
    }
    runCases(cases);
}

TEST_CASE("FULLY_CONNECTED in its forms") {
    const Reals in = noise(24), weights = noise(20, 3), bias = scaled(noise(5, 4), 0.5);
    const auto biased = [&](const Reals& a, const Reals& b, const Reals& c) {
        Reals result = product(a, b, 6, 5, 4);
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] += c.empty() ? 0.0 : c[i % 5];
        }
        return result;
    };
    const auto add = [&](const char* name, CaseTensor input, CaseTensor matrix, CaseTensor offset,
                         CaseTensor out, bool keeps, double steps) {
        input.values = in;
        matrix.values = weights;
        offset.values = bias;
        out.values = biased(rounded(input), rounded(matrix), rounded(offset));
        return caseOf({.name = name,
                       .code = 9,
                       .inputs = {input, matrix, offset},
                       .isConstant = {false, true, true},
                       .outputs = {out},
                       .optionsType = BuiltinOptions::FullyConnectedOptions,
                       .options =
                               [=](Builder& builder) {
                                   return schema::CreateFullyConnectedOptions(
                                                  builder, FusedActivation::NONE,
                                                  schema::WeightsFormat::DEFAULT, keeps)
                                           .Union();
                               },
                       .tolerance = 3e-6,
                       .steps = steps});
    };
    const std::vector<float> scales = {0.008F, 0.009F, 0.01F, 0.008F, 0.009F};
    std::vector<float> products = scales;
    for (float& scale : products) {
        scale *= 0.01F;
    }
    std::vector<Case> cases = {
            add("FULLY_CONNECTED", real({6, 4}), real({5, 4}), real({5}), real({6, 5}), false, 0),
            add("FULLY_CONNECTED keeps", real({1, 2, 3, 4}), real({5, 4}), real({5}),
                real({1, 2, 3, 5}), true, 0),
            add("FULLY_CONNECTED flat", real({24}), real({5, 4}), real({5}), real({6, 5}), false,
                0),
            add("FULLY_CONNECTED int8", signed8({6, 4}, 0.01F, 3), signed8({5, 4}, 0.01F, 0),
                biasOf(5, {0.0001F}), signed8({6, 5}, 0.03F, 5), false, 1.0),
            add("FULLY_CONNECTED per channel", signed8({6, 4}, 0.01F, 3),
                perChannel({5, 4}, scales, 0), biasOf(5, products), signed8({6, 5}, 0.03F, 5),
                false, 1.0),
            add("FULLY_CONNECTED hybrid", real({6, 4}), signed8({5, 4}, 0.01F, 0), real({5}),
                real({6, 5}), false, 0)};
    Case noBias = cases[0];
    noBias.name = "FULLY_CONNECTED without bias";
    noBias.file.operators[0].inputs = {0, 1, -1};
    noBias.expected = {biased(in, weights, {})};
    cases.push_back(noBias);
    runCases(cases);
}

TEST_CASE("BATCH_MATMUL with batches, transposed operands and a constant matrix") {
    const Reals a = noise(24), b = noise(40, 2);  // 2 x 3 x 4 and 2 x 4 x 5
    const auto swapped = [](const Reals& values, std::size_t rows, std::size_t columns) {
        Reals result;
        for (std::size_t batch = 0; batch < values.size() / (rows * columns); ++batch) {
            for (std::size_t c = 0; c < columns; ++c) {
                for (std::size_t r = 0; r < rows; ++r) {
                    result.push_back(values[(batch * rows + r) * columns + c]);
                }
            }
        }
        return result;
    };
    const Reals bColumns = swapped(b, 4, 5);
    Reals expected;
    for (std::size_t batch = 0; batch < 2; ++batch) {
        const auto part = [&](const Reals& values, std::size_t size) {
            const auto begin = values.begin() + static_cast<std::ptrdiff_t>(batch * size);
            return Reals(begin, begin + static_cast<std::ptrdiff_t>(size));
        };
        const Reals rows = product(part(a, 12), part(bColumns, 20), 3, 5, 4);
        expected.insert(expected.end(), rows.begin(), rows.end());
    }
    const auto add = [&](const char* name, const CaseTensor& left, const CaseTensor& right,
                         bool transposesLeft, bool transposesRight, const CaseTensor& out,
                         bool isConstant) {
        return caseOf({.name = name,
                       .code = 126,
                       .inputs = {left, right},
                       .isConstant = {false, isConstant},
                       .outputs = {out},
                       .optionsType = BuiltinOptions::BatchMatMulOptions,
                       .options =
                               [=](Builder& builder) {
                                   return schema::CreateBatchMatMulOptions(builder, transposesLeft,
                                                                           transposesRight)
                                           .Union();
                               },
                       .tolerance = 3e-6});
    };
    const Reals oneMatrix(b.begin(), b.begin() + 20);
    const Reals shared = product(a, swapped(oneMatrix, 4, 5), 6, 5, 4);
    runCases({add("BATCH_MATMUL", real({2, 3, 4}, a), real({2, 4, 5}, b), false, false,
                  real({2, 3, 5}, expected), false),
              add("BATCH_MATMUL adj", real({2, 4, 3}, swapped(a, 3, 4)), real({2, 5, 4}, bColumns),
                  true, true, real({2, 3, 5}, expected), false),
              add("BATCH_MATMUL 5", real({1, 2, 1, 3, 4}, a), real({1, 2, 1, 4, 5}, b), false,
                  false, real({1, 2, 1, 3, 5}, expected), false),
              add("BATCH_MATMUL constant", real({2, 3, 4}, a), real({4, 5}, oneMatrix), false,
                  false, real({2, 3, 5}, shared), true)});
}

TEST_CASE("pools over SAME and VALID windows") {
    const Reals in = scaled(noise(60), 2.0);  // 1 x 6 x 5 x 2
    const auto pooled = [](const Reals& values, int kind, bool isSame) {
        const int height = isSame ? 3 : 2, width = isSame ? 3 : 2;
        Reals result;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                for (int c = 0; c < 2; ++c) {
                    double sum = kind == 1 ? -1e30 : 0.0;
                    int count = 0;
                    // Windows of 3 x 3 with stride 2: SAME has borders 0+1 of 6 rows, 1+1 of 5.
                    for (int ky = 0; ky < 3; ++ky) {
                        for (int kx = 0; kx < 3; ++kx) {
                            const int iy = 2 * y + ky, ix = 2 * x + kx - (isSame ? 1 : 0);
                            if (iy >= 6 || ix < 0 || ix >= 5) {
                                continue;
                            }
                            const double value =
                                    values[static_cast<std::size_t>((iy * 5 + ix) * 2 + c)];
                            sum = kind == 1   ? std::max(sum, value)
                                  : kind == 2 ? sum + value * value
                                              : sum + value;
                            ++count;
                        }
                    }
                    result.push_back(kind == 1   ? sum
                                     : kind == 2 ? std::sqrt(sum / count)
                                                 : sum / count);
                }
            }
        }
        return result;
    };
    std::vector<Case> cases;
    for (const bool isSame : {true, false}) {
        for (const int kind : {0, 1, 2}) {
            const std::int32_t code = kind == 0 ? 1 : kind == 1 ? 17 : 12;
            const int height = isSame ? 3 : 2, width = isSame ? 3 : 2;
            const auto add = [&](CaseTensor input, CaseTensor out, double steps) {
                input.values = in;
                out.values = pooled(rounded(input), kind, isSame);
                cases.push_back(caseOf({.name = kind == 0   ? "AVERAGE_POOL_2D"
                                                : kind == 1 ? "MAX_POOL_2D"
                                                            : "L2_POOL_2D",
                                        .code = code,
                                        .inputs = {input},
                                        .isConstant = {},
                                        .outputs = {out},
                                        .optionsType = BuiltinOptions::Pool2DOptions,
                                        .options =
                                                [=](Builder& builder) {
                                                    return schema::CreatePool2DOptions(
                                                                   builder,
                                                                   isSame ? Padding::SAME
                                                                          : Padding::VALID,
                                                                   2, 2, 3, 3)
                                                            .Union();
                                                },
                                        .tolerance = 3e-6,
                                        .steps = steps}));
            };
            add(real({1, 6, 5, 2}), real({1, height, width, 2}), 0);
            add(signed8({1, 6, 5, 2}, 0.02F, 3), signed8({1, height, width, 2}, 0.02F, 3), 1.0);
            add(signed8({1, 6, 5, 2}, 0.02F, 3), unsigned8({1, height, width, 2}, 0.03F, 90), 1.0);
        }
    }
    runCases(cases);
}

TEST_CASE("resizes by the rules of their options") {
    const Reals in = scaled(noise(24), 3.0);  // 1 x 3 x 4 x 2 to 5 x 6
    std::vector<Case> cases;
    for (const bool isBilinear : {true, false}) {
        for (const int mode : {0, 1, 2}) {  // plain, aligned corners, half pixel centers
            Reals expected;
            const auto place = [&](int to, int size, int newSize) {
                const double step = mode == 1 ? (size - 1.0) / (newSize - 1.0)
                                              : static_cast<double>(size) / newSize;
                return mode == 2 ? (to + 0.5) * step - (isBilinear ? 0.5 : 0.0) : to * step;
            };
            const auto at = [&](int y, int x, int c) {
                return in[static_cast<std::size_t>((y * 4 + x) * 2 + c)];
            };
            for (int y = 0; y < 5; ++y) {
                for (int x = 0; x < 6; ++x) {
                    for (int c = 0; c < 2; ++c) {
                        const double fy = place(y, 3, 5), fx = place(x, 4, 6);
                        if (!isBilinear) {
                            const auto near = [&](double f, int size) {
                                const double whole = mode == 1 ? std::round(f) : std::floor(f);
                                return std::clamp(static_cast<int>(whole), 0, size - 1);
                            };
                            expected.push_back(at(near(fy, 3), near(fx, 4), c));
                            continue;
                        }
                        const double cy = std::max(fy, 0.0), cx = std::max(fx, 0.0);
                        const int y0 = std::min(static_cast<int>(cy), 2),
                                  x0 = std::min(static_cast<int>(cx), 3);
                        const int y1 = std::min(y0 + 1, 2), x1 = std::min(x0 + 1, 3);
                        const double dy = cy - y0, dx = cx - x0;
                        expected.push_back((at(y0, x0, c) * (1 - dx) + at(y0, x1, c) * dx) *
                                                   (1 - dy) +
                                           (at(y1, x0, c) * (1 - dx) + at(y1, x1, c) * dx) * dy);
                    }
                }
            }
            const OptionsMaker options = [=](Builder& builder) {
                return isBilinear
                               ? schema::CreateResizeBilinearOptions(builder, mode == 1, mode == 2)
                                         .Union()
                               : schema::CreateResizeNearestNeighborOptions(builder, mode == 1,
                                                                            mode == 2)
                                         .Union();
            };
            cases.push_back(caseOf(
                    {.name = isBilinear ? "RESIZE_BILINEAR" : "RESIZE_NEAREST_NEIGHBOR",
                     .code = isBilinear ? 23 : 97,
                     .inputs = {real({1, 3, 4, 2}, in), integer({2}, {5, 6})},
                     .isConstant = {false, true},
                     .outputs = {real({1, 5, 6, 2}, expected)},
                     .optionsType = isBilinear ? BuiltinOptions::ResizeBilinearOptions
                                               : BuiltinOptions::ResizeNearestNeighborOptions,
                     .options = options,
                     .tolerance = 3e-6}));
        }
    }
    runCases(cases);
}

TEST_CASE("CONV_3D sums over the depth too") {
    // 1 x 3 x 4 x 3 x 2 with 2 x 2 x 3 x 2 x 3 taps: depth, height, width, inputs, outputs; VALID.
    const Reals in = noise(72), weights = noise(72, 5), bias = {0.5, -0.25, 0.125};
    Reals expected;
    for (int d = 0; d < 2; ++d) {
        for (int y = 0; y < 3; ++y) {
            for (int o = 0; o < 3; ++o) {
                double sum = bias[static_cast<std::size_t>(o)];
                for (int kd = 0; kd < 2; ++kd) {
                    for (int ky = 0; ky < 2; ++ky) {
                        for (int kx = 0; kx < 3; ++kx) {
                            for (int c = 0; c < 2; ++c) {
                                sum += in[static_cast<std::size_t>(
                                               (((d + kd) * 4 + y + ky) * 3 + kx) * 2 + c)] *
                                       weights[static_cast<std::size_t>(
                                               (((kd * 2 + ky) * 3 + kx) * 2 + c) * 3 + o)];
                            }
                        }
                    }
                }
                expected.push_back(sum);
            }
        }
    }
    runCases({caseOf(
            {.name = "CONV_3D",
             .code = 132,
             .inputs = {real({1, 3, 4, 3, 2}, in), real({2, 2, 3, 2, 3}, weights), real({3}, bias)},
             .isConstant = {false, true, true},
             .outputs = {real({1, 2, 3, 1, 3}, expected)},
             .optionsType = BuiltinOptions::Conv3DOptions,
             .options =
                     [](Builder& builder) {
                         return schema::CreateConv3DOptions(builder, Padding::VALID, 1, 1, 1)
                                 .Union();
                     },
             .tolerance = 3e-6})});
}

TEST_SUITE_END();
