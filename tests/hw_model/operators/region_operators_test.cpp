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

/// Images, regions in them and the operators' parameters. Coordinates are eighths and strides
/// powers of two, so the conversion to pixels is exact.
struct RegionCase {
    TensorType type;
    bool isNchw;
    std::uint32_t batches, rows, columns, channels, outRows, outColumns, count;
    double downStride, acrossStride;
    MovedTensor images;
    std::vector<std::vector<double>> regions;  // left, top, right, bottom
    std::vector<std::int32_t> batchOf;

    RegionCase(Random& random, TensorType imageType)
        : type(imageType),
          isNchw(random.oneIn(2)),
          batches(random.pick<std::uint32_t>(1, 3)),
          rows(random.pick<std::uint32_t>(1, 9)),
          columns(random.pick<std::uint32_t>(1, 9)),
          channels(random.pick<std::uint32_t>(1, 4)),
          outRows(random.pick<std::uint32_t>(1, 4)),
          outColumns(random.pick<std::uint32_t>(1, 4)),
          count(random.oneIn(15) ? 0 : random.pick<std::uint32_t>(1, 4)),
          downStride(std::ldexp(1.0, random.pick<int>(-1, 3))),
          acrossStride(std::ldexp(1.0, random.pick<int>(-1, 3))),
          images(random, type, shape(batches, rows, columns)) {
        const int least = type == TensorType::kQuant8AsymmSigned ? -20 : 0;
        images.kind = {type, 0.25F, isFloat(type) ? 0 : random.pick<std::int32_t>(least, 100)};
        if (isFloat(type)) {
            std::vector<double> values(images.dimensions.elements());
            for (double& value : values) {
                value = static_cast<double>(random.between(-64, 64)) / 16;
            }
            images.bytes = floatBytes(type, values);
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto [left, right] = interval(random, columns * acrossStride);
            const auto [top, bottom] = interval(random, rows * downStride);
            regions.push_back({left, top, right, bottom});
            batchOf.push_back(random.pick<std::int32_t>(0, batches - 1LL));
        }
    }

    Dimensions shape(std::uint32_t n, std::uint32_t r, std::uint32_t c) const {
        return isNchw ? Dimensions{n, channels, r, c} : Dimensions{n, r, c, channels};
    }

    static std::pair<double, double> interval(Random& random, double extent) {
        const auto eighths = static_cast<std::int64_t>(extent * 8);
        const double a = static_cast<double>(random.between(0, eighths)) / 8;
        const double b = static_cast<double>(random.between(0, eighths)) / 8;
        return {std::min(a, b), std::max(a, b)};
    }

    /// Inputs 0 to 6.
    void addTo(OperatorCase& call) const {
        images.addTo(call);
        std::vector<double> flat;
        for (const auto& region : regions) {
            flat.insert(flat.end(), region.begin(), region.end());
        }
        if (isFloat(type)) {
            const auto bytes = floatBytes(type, flat);
            call.add({type}, {count, 4}, bytes.data(), bytes.size());
        } else {
            std::vector<std::uint16_t> eighths;
            eighths.reserve(flat.size());
            for (const double coordinate : flat) {
                eighths.push_back(static_cast<std::uint16_t>(coordinate * 8));
            }
            call.input({TensorType::kQuant16Asymm, 0.125F, 0}, {count, 4}, eighths);
        }
        call.int32s(batchOf);
        call.int32(static_cast<std::int32_t>(outRows)).int32(static_cast<std::int32_t>(outColumns));
        for (const double stride : {downStride, acrossStride}) {
            const auto value = static_cast<float>(stride);
            type == TensorType::kFloat16 ? call.half(value) : call.real(value);
        }
    }

    /// The number stored in an image.
    double at(std::int32_t batch, double row, double column, std::uint32_t channel) const {
        const auto n = static_cast<std::uint32_t>(batch);
        const auto y = static_cast<std::uint32_t>(std::clamp(row, 0.0, rows - 1.0));
        const auto x = static_cast<std::uint32_t>(std::clamp(column, 0.0, columns - 1.0));
        const Index index = isNchw ? Index{n, channel, y, x} : Index{n, y, x, channel};
        return storedNumber(type, images.bytes.data(), flatIndex(images.dimensions, index));
    }

    struct Place {
        std::uint32_t region, row, column, channel;
    };
    Place placeOf(const Index& index) const {
        return isNchw ? Place{index[0], index[2], index[3], index[1]}
                      : Place{index[0], index[1], index[2], index[3]};
    }
};

/// One axis of a region, in pixels.
struct Span {
    double first, last;
};

double interpolated(const RegionCase& c, std::int32_t batch, double y, double x,
                    std::uint32_t channel) {
    const double top = std::min(std::floor(y), c.rows - 1.0);
    const double left = std::min(std::floor(x), c.columns - 1.0);
    const double down = top == c.rows - 1.0 ? 0 : y - top;
    const double across = left == c.columns - 1.0 ? 0 : x - left;
    return c.at(batch, top, left, channel) * (1 - down) * (1 - across) +
           c.at(batch, top, left + 1, channel) * (1 - down) * across +
           c.at(batch, top + 1, left, channel) * down * (1 - across) +
           c.at(batch, top + 1, left + 1, channel) * down * across;
}

/// Mean of the samples in the bin, zero points included.
double alignedMean(const RegionCase& c, const RegionCase::Place& place, std::int32_t downSamples,
                   std::int32_t acrossSamples) {
    const auto& r = c.regions[place.region];
    const Span y{r[1] / c.downStride, r[3] / c.downStride};
    const Span x{r[0] / c.acrossStride, r[2] / c.acrossStride};
    const double binRows = std::max(y.last - y.first, 1.0) / c.outRows;
    const double binColumns = std::max(x.last - x.first, 1.0) / c.outColumns;
    // The adaptive number is computed in single precision: if the quotient is whole, rounding
    // decides.
    const int down = downSamples > 0 ? downSamples
                                     : static_cast<int>(std::ceil(static_cast<float>(binRows)));
    const int across = acrossSamples > 0
                               ? acrossSamples
                               : static_cast<int>(std::ceil(static_cast<float>(binColumns)));
    double sum = 0;
    for (int i = 0; i < down; ++i) {
        for (int j = 0; j < across; ++j) {
            sum += interpolated(
                    c, c.batchOf[place.region], y.first + binRows * (place.row + (i + 0.5) / down),
                    x.first + binColumns * (place.column + (j + 0.5) / across), place.channel);
        }
    }
    return sum / (down * across);
}

/// Maximum of the bin, `empty` if it has no elements.
double pooledMaximum(const RegionCase& c, const RegionCase::Place& place, double empty) {
    const auto& r = c.regions[place.region];
    const auto bounds = [](double first, double last, std::uint32_t bins, std::uint32_t bin) {
        const auto start = static_cast<std::int64_t>(std::round(first));
        const auto length = static_cast<std::int64_t>(std::round(last)) - start + 1;
        const std::int64_t end = (bin + 1) * length;
        return std::pair(start + bin * length / bins, start + (end + bins - 1) / bins);
    };
    const auto [top, bottom] =
            bounds(r[1] / c.downStride, r[3] / c.downStride, c.outRows, place.row);
    const auto [left, right] =
            bounds(r[0] / c.acrossStride, r[2] / c.acrossStride, c.outColumns, place.column);
    double greatest = -std::numeric_limits<double>::infinity();
    for (std::int64_t y = top; y < std::min<std::int64_t>(bottom, c.rows); ++y) {
        for (std::int64_t x = left; x < std::min<std::int64_t>(right, c.columns); ++x) {
            greatest = std::max(greatest, c.at(c.batchOf[place.region], static_cast<double>(y),
                                               static_cast<double>(x), place.channel));
        }
    }
    return std::isinf(greatest) ? empty : greatest;
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("ROI_ALIGN averages the samples of every bin [E-8]") {
    Random random(1);
    for (int i = 0; i < kCases; ++i) {
        const RegionCase c(random, kFloatAndByteTypes[i % 4]);
        const auto downSamples = random.pick<std::int32_t>(0, 3);
        const auto acrossSamples = random.pick<std::int32_t>(0, 3);
        OperandKind output = c.images.kind;
        output.scale = random.oneIn(2) ? 0.25F : 0.5F;
        output.zeroPoint += isFloat(c.type) ? 0 : 5;
        OperatorCase call(Operator::kRoiAlign);
        c.addTo(call);
        call.int32(downSamples).int32(acrossSamples).flag(c.isNchw).output(output);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        const Dimensions to = c.shape(c.count, c.outRows, c.outColumns);
        REQUIRE(call.dimensions(0) == to);
        const auto actual = call.numbers(0);
        forEachIndex(to, [&](const Index& index) {
            const double mean = alignedMean(c, c.placeOf(index), downSamples, acrossSamples);
            const double result = actual[flatIndex(to, index)];
            if (isFloat(c.type)) {
                CHECK(std::abs(result - mean) <= (c.type == TensorType::kFloat16 ? 3e-3 : 2e-5));
                return;
            }
            const bool isSigned = c.type == TensorType::kQuant8AsymmSigned;
            const double steps = (mean - c.images.kind.zeroPoint) *
                                 static_cast<double>(c.images.kind.scale / output.scale);
            const double expected = std::clamp(steps + output.zeroPoint, isSigned ? -128.0 : 0.0,
                                               isSigned ? 127.0 : 255.0);
            // Weights in steps of 1/255: four of them are off by at most 2/255 of 255.
            CHECK(std::abs(result - expected) <= 0.5 + 2.0);
        });
    }
}

TEST_CASE("ROI_ALIGN of 8 bits has weights of 1/255 and rounds twice [E-8]") {
    // 2 x 2 pixels, region from (0, 0) to (1, 1), one sample in its middle: four weights of
    // 0.25 * 255 = 63.75, rounded to 64. (10 + 20 + 30 + 41 - 4 * 5) * 64 / 255 = 20.33.
    const OperandKind kind{TensorType::kQuant8Asymm, 0.5F, 5};
    OperatorCase call(Operator::kRoiAlign);
    call.input(kind, {1, 2, 2, 1}, std::vector<std::uint8_t>{10, 20, 30, 41});
    call.input({TensorType::kQuant16Asymm, 0.125F, 0}, {1, 4},
               std::vector<std::uint16_t>{0, 0, 8, 8});
    call.int32s({0}).int32(1).int32(1).real(1).real(1).int32(1).int32(1).flag(false).output(kind);
    REQUIRE(makes(call, {1, 1, 1, 1}));
    CHECK(call.values<std::uint8_t>(0)[0] == 5 + 20);
    // All pixels are 255 above the zero point: 256 * 255 / 255 = 256 does not fit.
    const OperandKind zero{TensorType::kQuant8Asymm, 0.5F, 0};
    OperatorCase full(Operator::kRoiAlign);
    full.input(zero, {1, 2, 2, 1}, std::vector<std::uint8_t>(4, 255));
    full.input({TensorType::kQuant16Asymm, 0.125F, 0}, {1, 4},
               std::vector<std::uint16_t>{0, 0, 8, 8});
    full.int32s({0}).int32(1).int32(1).real(1).real(1).int32(1).int32(1).flag(false).output(zero);
    REQUIRE(makes(full, {1, 1, 1, 1}));
    CHECK(full.values<std::uint8_t>(0)[0] == 255);
}

TEST_CASE("ROI_POOLING takes the maximum of every bin [E-8]") {
    Random random(2);
    for (int i = 0; i < kCases; ++i) {
        const RegionCase c(random, kFloatAndByteTypes[i % 4]);
        OperatorCase call(Operator::kRoiPooling);
        c.addTo(call);
        REQUIRE(call.flag(c.isNchw).output(c.images.kind).run() == JobStatus::kOk);
        const Dimensions to = c.shape(c.count, c.outRows, c.outColumns);
        REQUIRE(call.dimensions(0) == to);
        const auto actual = call.numbers(0);
        forEachIndex(to, [&](const Index& index) {
            // A step of thirds may round a bin's end up to the next pixel.
            if (c.outRows == 3 || c.outColumns == 3) {
                return;
            }
            CHECK(actual[flatIndex(to, index)] ==
                  pooledMaximum(c, c.placeOf(index), c.images.kind.zeroPoint));
        });
    }
}

TEST_CASE("region operators refuse invalid operands [E-8]") {
    const OperandKind real{TensorType::kFloat32};
    struct Case {
        std::vector<float> region;
        std::int32_t batch, rows;
        float stride;
        std::string why;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::string inside = ", expected an area inside (6, 4)";
    const Case cases[] = {
            {{0, 0, 6, 4}, 0, 1, 2, "runs"},
            {{0, 0, 6.5F, 4}, 0, 1, 2, "region 0 is (0, 0) to (6.5, 4)" + inside},
            {{0, 0, 6, 5}, 0, 1, 2, "region 0 is (0, 0) to (6, 5)" + inside},
            {{3, 0, 2, 1}, 0, 1, 2, "region 0 is (3, 0) to (2, 1)" + inside},
            {{0, 3, 2, 1}, 0, 1, 2, "region 0 is (0, 3) to (2, 1)" + inside},
            {{-1, 0, 2, 1}, 0, 1, 2, "region 0 is (-1, 0) to (2, 1)" + inside},
            {{nan, 0, 2, 1}, 0, 1, 2, "region 0 is (nan, 0) to (2, 1)" + inside},
            {{0, 0, 2, nan}, 0, 1, 2, "region 0 is (0, 0) to (2, nan)" + inside},
            {{0, 0, 1, 1}, 1, 1, 2, "batch of region 0 is 1, expected 0 to 0"},
            {{0, 0, 1, 1}, -1, 1, 2, "batch of region 0 is -1, expected 0 to 0"},
            {{0, 0, 1, 1},
             0,
             0,
             2,
             "0 rows and 1 columns of strides 2 and 2, expected positive numbers"},
            {{0, 0, 1, 1},
             0,
             1,
             0,
             "1 rows and 1 columns of strides 0 and 0, expected positive numbers"},
            {{0, 0, 1, 1},
             0,
             1,
             -1,
             "1 rows and 1 columns of strides -1 and -1, expected positive numbers"},
            {{0, 0, 1, 1},
             0,
             1,
             nan,
             "1 rows and 1 columns of strides nan and nan, expected positive numbers"},
            {{0, 0, 1}, 0, 1, 2, "the regions have shape [1, 3], expected [n, 4]"}};
    for (const Case& c : cases) {
        for (const Operator op : {Operator::kRoiAlign, Operator::kRoiPooling}) {
            OperatorCase call(op);
            call.input(real, {1, 2, 3, 1}, std::vector<float>(6));
            call.input(real, {1, static_cast<std::uint32_t>(c.region.size())}, c.region);
            call.int32s({c.batch}).int32(c.rows).int32(1).real(c.stride).real(c.stride);
            if (op == Operator::kRoiAlign) {
                call.int32(0).int32(0);
            }
            CHECK(refusalOf(call.flag(false).output(real)) == c.why);
        }
    }
    OperatorCase samples(Operator::kRoiAlign);
    samples.input(real, {1, 1, 1, 1}, std::vector<float>(1))
            .input(real, {1, 4}, std::vector<float>(4));
    samples.int32s({0}).int32(1).int32(1).real(1).real(1).int32(-1).int32(5000).flag(false);
    CHECK(refusalOf(samples.output(real)) == "-1 by 5000 samples, expected 0 to 1024");
    OperatorCase mixed(Operator::kRoiPooling);
    mixed.input({TensorType::kQuant8Asymm, 1, 0}, {1, 1, 1, 1}, std::vector<std::uint8_t>(1));
    mixed.input(real, {1, 4}, std::vector<float>(4));
    mixed.int32s({0}).int32(1).int32(1).real(1).real(1).flag(false);
    CHECK(refusalOf(mixed.output({TensorType::kQuant8Asymm, 1, 0})) ==
          "input 1 is float32, expected quant16-asymm");
}

TEST_SUITE_END();
