// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/tensor_report.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "sim/import/source.h"
#include "sim/models/operand_types.h"

namespace {

using namespace vnpu::sim;

template <typename T, std::size_t N>
std::vector<double> valuesOf(const TensorDescription& tensor, const std::array<T, N>& elements) {
    return realValues(tensor, std::as_bytes(std::span(elements)));
}

}  // namespace

TEST_SUITE_BEGIN("sim/cli/tensor_report");

TEST_CASE("quantized values are scaled about their zero point, others are unchanged") {
    TensorDescription tensor;
    tensor.type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    tensor.scale = 0.5F;
    tensor.zeroPoint = -128;
    CHECK(valuesOf(tensor, std::array<std::int8_t, 3>{-128, 0, 127}) ==
          std::vector<double>{0.0, 64.0, 127.5});
    tensor.type = nn::OperandType::TENSOR_QUANT8_ASYMM;
    tensor.zeroPoint = 128;
    CHECK(valuesOf(tensor, std::array<std::uint8_t, 2>{0, 255}) ==
          std::vector<double>{-64.0, 63.5});
    tensor.type = nn::OperandType::TENSOR_FLOAT32;
    CHECK(valuesOf(tensor, std::array<float, 2>{1.5F, -2.0F}) == std::vector<double>{1.5, -2.0});
    tensor.type = nn::OperandType::TENSOR_INT32;
    CHECK(valuesOf(tensor, std::array<std::int32_t, 1>{-7}) == std::vector<double>{-7.0});
}

TEST_CASE("values are ranked with the largest first, equal ones by index, NaN last") {
    const std::array<double, 5> values = {0.1, std::numeric_limits<double>::quiet_NaN(), 0.7, 0.1,
                                          0.3};
    const auto top = topClasses(values, 4);
    REQUIRE(top.size() == 4);
    CHECK(top[0].index == 2);
    CHECK(top[1].index == 4);
    CHECK(top[2].index == 0);
    CHECK(top[3].index == 3);
    CHECK(topClasses(values, 10).size() == 5);
}

TEST_CASE("a summary excludes and counts values that are not finite") {
    const std::array<double, 4> values = {1.0, std::numeric_limits<double>::infinity(), -3.0, 5.0};
    const ValueSummary summary = summarize(values);
    CHECK(summary.least == -3.0);
    CHECK(summary.greatest == 5.0);
    CHECK(summary.mean == 1.0);
    CHECK(summary.notFinite == 1);
    CHECK(summarize({}).mean == 0.0);
}

TEST_CASE("a classification is the result of a softmax with one row") {
    CHECK(isClassification(loadNetwork("zoo:ds_cnn", {.zeroWeights = true}), 0));
    CHECK_FALSE(isClassification(loadNetwork("zoo:autoencoder", {.zeroWeights = true}), 0));
}

TEST_CASE("numbers are printed in groups of three digits") {
    CHECK(withSeparators(0) == "0");
    CHECK(withSeparators(999) == "999");
    CHECK(withSeparators(1000) == "1,000");
    CHECK(withSeparators(568741376) == "568,741,376");
}

TEST_SUITE_END();
