// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/hw_model/operators/moved_elements.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

constexpr int kResizes = 400;

/// One random call of either operator.
struct ResizeCase {
    bool isNchw, isAligned, hasHalfPixels, isByScale;
    std::uint32_t batches, rows, columns, channels, outRows, outColumns;

    explicit ResizeCase(Random& random)
        : isNchw(random.oneIn(2)),
          isAligned(random.oneIn(3)),
          hasHalfPixels(random.oneIn(3)),
          isByScale(random.oneIn(3)),
          batches(random.oneIn(20) ? 0 : random.pick<std::uint32_t>(1, 3)),
          rows(random.pick<std::uint32_t>(1, 7)),
          columns(random.pick<std::uint32_t>(1, 7)),
          channels(random.pick<std::uint32_t>(1, 4)),
          outRows(random.pick<std::uint32_t>(1, 12)),
          outColumns(random.pick<std::uint32_t>(1, 12)) {}

    std::size_t rowAxis() const { return isNchw ? 2 : 1; }
    std::size_t columnAxis() const { return isNchw ? 3 : 2; }
    Dimensions shape(std::uint32_t r, std::uint32_t c) const {
        return isNchw ? Dimensions{batches, channels, r, c} : Dimensions{batches, r, c, channels};
    }

    /// Adds the size (or equivalent scales) and the following operands; omits optional ones
    /// occasionally.
    void addTo(OperatorCase& call, Random& random, TensorType type, bool isNearest) const {
        const auto add = [&](std::uint32_t from, std::uint32_t to) {
            if (!isByScale) {
                call.int32(static_cast<std::int32_t>(to));
                return;
            }
            const float scale = (static_cast<float>(to) + 0.5F) / static_cast<float>(from);
            type == TensorType::kFloat16 ? call.half(scale) : call.real(scale);
        };
        add(columns, outColumns);
        add(rows, outRows);
        const bool isShort = random.oneIn(2);
        if (isNearest || isNchw || isAligned || hasHalfPixels || !isShort) {
            call.flag(isNchw);
        }
        if (isAligned || hasHalfPixels || !isShort) {
            call.flag(isAligned);
        }
        if (hasHalfPixels || !isShort) {
            call.flag(hasHalfPixels);
        }
    }

    /// The position in the input of the center of an output position, exact except for the last
    /// bits.
    double position(std::uint32_t at, std::uint32_t from, std::uint32_t to, bool isNearest) const {
        const double scale =
                isAligned && to > 1 ? (from - 1.0) / (to - 1.0) : static_cast<double>(from) / to;
        if (!hasHalfPixels) {
            return at * scale;
        }
        return isNearest ? (at + 0.5) * scale : (at + 0.5) * scale - 0.5;
    }
};

/// Whether rounding errors could decide which element a position selects.
bool isOnEdge(double position, bool isAligned) {
    const double shifted = isAligned ? position + 0.5 : position;
    return std::abs(shifted - std::round(shifted)) < 1e-4 && shifted != std::round(shifted);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("RESIZE_NEAREST_NEIGHBOR takes the nearest element [E-8]") {
    Random random(1);
    for (int i = 0; i < kResizes; ++i) {
        const ResizeCase c(random);
        const MovedTensor input(random, c.shape(c.rows, c.columns));
        OperatorCase call(Operator::kResizeNearestNeighbor);
        input.addTo(call);
        c.addTo(call, random, input.kind.type, true);
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        bool isSafe = true;
        const auto nearest = [&](std::uint32_t at, std::uint32_t from, std::uint32_t to) {
            const double position = c.position(at, from, to, true);
            isSafe = isSafe && !isOnEdge(position, c.isAligned);
            const double index = c.isAligned ? std::round(position) : std::floor(position);
            return static_cast<std::uint32_t>(std::min(index, from - 1.0));
        };
        const std::string difference =
                compareMoved(call, 0, c.shape(c.outRows, c.outColumns), [&](const Index& index) {
                    Index from = index;
                    from[c.rowAxis()] = nearest(index[c.rowAxis()], c.rows, c.outRows);
                    from[c.columnAxis()] = nearest(index[c.columnAxis()], c.columns, c.outColumns);
                    return input.at(from);
                });
        CHECK((difference.empty() || !isSafe));
    }
}

TEST_CASE("RESIZE_BILINEAR interpolates between four elements [E-8]") {
    Random random(2);
    const TensorType types[] = {TensorType::kFloat32, TensorType::kFloat16,
                                TensorType::kQuant8Asymm, TensorType::kQuant8AsymmSigned};
    for (int i = 0; i < kResizes; ++i) {
        const ResizeCase c(random);
        const TensorType type = types[i % 4];
        const bool isFloat = type == TensorType::kFloat32 || type == TensorType::kFloat16;
        MovedTensor input(random, type, c.shape(c.rows, c.columns));
        if (isFloat) {
            std::vector<double> values(input.dimensions.elements());
            for (double& value : values) {
                value = static_cast<double>(random.real());
            }
            input.bytes = floatBytes(type, values);
        }
        OperatorCase call(Operator::kResizeBilinear);
        input.addTo(call);
        c.addTo(call, random, type, false);
        REQUIRE(call.output(input.kind).run() == JobStatus::kOk);
        const Dimensions to = c.shape(c.outRows, c.outColumns);
        REQUIRE(call.dimensions(0) == to);
        const std::vector<double> actual = call.numbers(0);
        forEachIndex(to, [&](const Index& index) {
            const auto at = [&](double row, double column) {
                Index from = index;
                from[c.rowAxis()] = static_cast<std::uint32_t>(std::clamp(row, 0.0, c.rows - 1.0));
                from[c.columnAxis()] =
                        static_cast<std::uint32_t>(std::clamp(column, 0.0, c.columns - 1.0));
                return storedNumber(type, input.bytes.data(), flatIndex(input.dimensions, from));
            };
            const double y = c.position(index[c.rowAxis()], c.rows, c.outRows, false);
            const double x = c.position(index[c.columnAxis()], c.columns, c.outColumns, false);
            const double top = std::floor(y);
            const double left = std::floor(x);
            const double upper = at(top, left) + (at(top, left + 1) - at(top, left)) * (x - left);
            const double lower =
                    at(top + 1, left) + (at(top + 1, left + 1) - at(top + 1, left)) * (x - left);
            const double expected = upper + (lower - upper) * (y - top);
            const double result = actual[flatIndex(to, index)];
            const double error = std::abs(result - expected);
            if (isFloat) {
                CHECK(error <= (type == TensorType::kFloat16 ? 1e-3 : 4e-6));
            } else {
                CHECK(error <= 0.5005);  // nearest, with the single-precision error of ties
            }
        });
    }
}

TEST_CASE("RESIZE_BILINEAR of a large image is divided among threads [E-8]") {
    const OperandKind real{TensorType::kFloat32};
    std::vector<float> ramp(256UL * 256 * 3);
    for (std::size_t i = 0; i < ramp.size(); ++i) {
        const std::size_t pixel = i / 3;
        const std::size_t sum = pixel % 256 + pixel / 256;  // column + row
        ramp[i] = static_cast<float>(sum);
    }
    OperatorCase call(Operator::kResizeBilinear);
    call.input(real, {1, 256, 256, 3}, ramp).int32(1021).int32(1021).flag(false).flag(true);
    REQUIRE(makes(call.output(real), {1, 1021, 1021, 3}));
    const auto values = call.values<float>(0);
    for (std::size_t i = 0; i < values.size(); i += 7) {
        const std::size_t pixel = i / 3;
        const std::size_t sum = pixel % 1021 + pixel / 1021;
        const double expected = static_cast<double>(sum) / 4;
        REQUIRE(std::abs(static_cast<double>(values[i]) - expected) < 1e-3);
    }
}

TEST_CASE("resizes refuse invalid sizes [E-8]") {
    const OperandKind real{TensorType::kFloat32};
    const auto of = [&](Operator op) {
        OperatorCase call(op);
        call.input(real, {1, 2, 3, 1}, std::vector<float>(6));
        return call;
    };
    const Operator bilinear = Operator::kResizeBilinear;
    CHECK(refusalOf(of(bilinear).int32(0).int32(1).output(real)) ==
          "input 1 makes 0 of 3 elements");
    CHECK(refusalOf(of(bilinear).int32(1).int32(-4).output(real)) ==
          "input 2 makes -4 of 2 elements");
    CHECK(refusalOf(of(bilinear).real(0.3F).real(1).output(real)) ==
          "input 1 makes 0 of 3 elements");
    CHECK(refusalOf(of(bilinear)
                            .real(1)
                            .real(std::numeric_limits<float>::quiet_NaN())
                            .output(real)) == "input 2 makes nan of 2 elements");
    CHECK(refusalOf(of(bilinear).real(1e30F).real(1).output(real)).starts_with("input 1 makes 3"));
    CHECK(refusalOf(of(bilinear).real(1).int32(1).output(real)) ==
          "input 2 is int32-scalar, expected float32-scalar");
    CHECK(refusalOf(of(bilinear).int32(1 << 20).int32(1 << 20).output(real)) ==
          "output 0 has 1099511627776 elements of 4 bytes, expected at most 2147483647 bytes");
    CHECK(refusalOf(OperatorCase(bilinear)
                            .input({TensorType::kInt32}, {1, 1, 1, 1}, std::vector<int>(1))
                            .int32(1)
                            .int32(1)
                            .output({TensorType::kInt32})) ==
          "input 0 is int32, expected float32 or quant8-asymm or float16 or quant8-asymm-signed");
    CHECK(refusalOf(OperatorCase(Operator::kResizeNearestNeighbor)
                            .input(real, {1, 0, 3, 1}, std::vector<float>())
                            .int32(1)
                            .int32(1)
                            .flag(false)
                            .output(real)) == "images of 0 rows and 3 columns");
}

TEST_SUITE_END();
