// SPDX-License-Identifier: Apache-2.0
// Reductions, extremes, running sums and normalizations, against loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using Builder = flatbuffers::FlatBufferBuilder;

struct ReductionRow {
    const char* name;
    std::int32_t code;
    double start;
    std::function<double(double, double)> join;
    bool isMean = false, isTruth = false;
};

const std::vector<ReductionRow> kReductionRows = {
        {"MEAN", 40, 0.0, [](double a, double b) { return a + b; }, true},
        {"SUM", 74, 0.0, [](double a, double b) { return a + b; }},
        {"REDUCE_PROD", 81, 1.0, [](double a, double b) { return a * b; }},
        {"REDUCE_MAX", 82, -1e30, [](double a, double b) { return std::max(a, b); }},
        {"REDUCE_MIN", 89, 1e30, [](double a, double b) { return std::min(a, b); }},
        {"REDUCE_ANY", 91, 0.0, [](double a, double b) { return std::max(a, b); }, false, true},
        {"REDUCE_ALL", 140, 1.0, [](double a, double b) { return std::min(a, b); }, false, true}};

/// Over dimensions 0 and 2 of 2 x 3 x 4.
Reals reduced(const ReductionRow& row, const Reals& values) {
    Reals result(3, row.start);
    for (std::size_t i = 0; i < 24; ++i) {
        result[i / 4 % 3] = row.join(result[i / 4 % 3], values[i]);
    }
    return row.isMean ? scaled(result, 1.0 / 8.0) : result;
}

Case reductionCase(const ReductionRow& row, CaseTensor in, CaseTensor out, bool keepsDims,
                   double steps) {
    out.values = reduced(row, rounded(in));
    if (row.isMean && out.tensor.type == schema::TensorType::INT32) {
        out.values = mapped(out.values, [](double x) { return std::trunc(x); });
    }
    return caseOf({.name = row.name,
                   .code = row.code,
                   .inputs = {in, integer({3}, {-1, 0, 2})},
                   .isConstant = {false, true},
                   .outputs = {out},
                   .optionsType = BuiltinOptions::ReducerOptions,
                   .options =
                           [=](Builder& builder) {
                               return schema::CreateReducerOptions(builder, keepsDims).Union();
                           },
                   .tolerance = 2e-6,
                   .steps = steps});
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/reduction");

TEST_CASE("reductions over several axes, with and without the reduced dimensions") {
    std::vector<Case> cases;
    const Reals values = scaled(noise(24), 1.2);
    for (const ReductionRow& row : kReductionRows) {
        if (row.isTruth) {
            const Reals truths = mapped(values, [](double x) { return x > -0.8 ? 1.0 : 0.0; });
            cases.push_back(reductionCase(row, truth({2, 3, 4}, truths), truth({3}), false, 0));
            continue;
        }
        cases.push_back(reductionCase(row, real({2, 3, 4}, values), real({3}), false, 0));
        cases.push_back(reductionCase(row, real({2, 3, 4}, values), real({1, 3, 1}), true, 0));
        cases.push_back(
                reductionCase(row, integer({2, 3, 4}, counting(24, -3)), integer({3}), false, 0));
        cases.push_back(reductionCase(row, signed8({2, 3, 4}, 0.02F, 5, values),
                                      signed8({3}, 0.02F, 5), false, 1.0));
        cases.push_back(reductionCase(row, signed8({2, 3, 4}, 0.02F, 5, values),
                                      unsigned8({3}, 0.1F, 100), false, 1.0));
    }
    runCases(cases);
}

TEST_CASE("a reduction of five dimensions and one to a scalar") {
    const Reals values = noise(48);
    Reals sums(8, 0.0);
    double total = 0.0;
    for (std::size_t i = 0; i < 48; ++i) {  // 2 x 2 x 3 x 2 x 2 over dimensions 0 and 2
        sums[i / 12 % 2 * 4 + i % 4] += values[i];
        total += values[i];
    }
    runCases({caseOf({.name = "SUM of 5",
                      .code = 74,
                      .inputs = {real({2, 2, 3, 2, 2}, values), integer({2}, {0, 2})},
                      .isConstant = {false, true},
                      .outputs = {real({2, 2, 2}, sums)},
                      .tolerance = 2e-6}),
              caseOf({.name = "SUM to a scalar",
                      .code = 74,
                      .inputs = {real({48}, values), integer({}, {0})},
                      .isConstant = {false, true},
                      .outputs = {real({}, {total})},
                      .tolerance = 1e-5})});
}

TEST_CASE("ARG_MAX, ARG_MIN and TOPK_V2 find places") {
    const Reals values = {3, 9, 2, 9, -4, 7, 7, 0, 1, 5, 6, -8};
    const auto arg = [&](const char* name, std::int32_t code, CaseTensor in, int axis,
                         CaseTensor out) {
        return caseOf({.name = name,
                       .code = code,
                       .inputs = {in, integer({}, {static_cast<double>(axis)})},
                       .isConstant = {false, true},
                       .outputs = {out}});
    };
    runCases({arg("ARG_MAX", 56, real({3, 4}, values), -1, integer({3}, {1, 1, 2})),
              arg("ARG_MAX int64", 56, signed8({3, 4}, 0.5F, 1, values), 0,
                  typed(schema::TensorType::INT64, {4}, {0, 0, 1, 0})),
              arg("ARG_MIN", 79, integer({3, 4}, values), 1, integer({3}, {2, 0, 3})),
              arg("ARG_MAX of 5", 56, real({1, 1, 3, 4, 1}, values), 3,
                  integer({1, 1, 3, 1}, {1, 1, 2})),
              caseOf({.name = "TOPK_V2",
                      .code = 48,
                      .inputs = {real({3, 4}, values), integer({}, {2})},
                      .isConstant = {false, true},
                      .outputs = {real({3, 2}, {9, 9, 7, 7, 6, 5}),
                                  integer({3, 2}, {1, 3, 1, 2, 2, 1})}})});
}

TEST_CASE("CUMSUM adds up along an axis, exclusive and reversed") {
    const Reals values = scaled(noise(24), 2.0);
    std::vector<Case> cases;
    for (const bool isExclusive : {false, true}) {
        for (const bool isReversed : {false, true}) {
            Reals sums(24, 0.0);
            for (std::size_t i = 0; i < 24; ++i) {
                for (std::size_t k = 0; k < 24; ++k) {
                    const std::size_t to = i / 4 % 3, from = k / 4 % 3;
                    const bool isLine = i / 12 == k / 12 && i % 4 == k % 4;
                    const bool isCounted = isReversed ? from > to : from < to;
                    sums[i] +=
                            isLine && (isCounted || (from == to && !isExclusive)) ? values[k] : 0;
                }
            }
            cases.push_back(caseOf({.name = "CUMSUM",
                                    .code = 128,
                                    .inputs = {real({2, 3, 4}, values), integer({}, {1})},
                                    .isConstant = {false, true},
                                    .outputs = {real({2, 3, 4}, sums)},
                                    .optionsType = BuiltinOptions::CumsumOptions,
                                    .options =
                                            [=](Builder& builder) {
                                                return schema::CreateCumsumOptions(
                                                               builder, isExclusive, isReversed)
                                                        .Union();
                                            },
                                    .tolerance = 2e-6}));
        }
    }
    cases.push_back(caseOf({.name = "CUMSUM int",
                            .code = 128,
                            .inputs = {integer({4}, {1, 2, 3, 4}), integer({}, {0})},
                            .isConstant = {false, true},
                            .outputs = {integer({4}, {1, 3, 6, 10})}}));
    runCases(cases);
}

TEST_CASE("SOFTMAX, LOG_SOFTMAX, L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION") {
    const Reals values = scaled(noise(24), 2.0);
    const auto byRow = [&](const Reals& in, const auto& normalize) {
        Reals result;
        for (std::size_t row = 0; row < 6; ++row) {
            for (std::size_t i = 0; i < 4; ++i) {
                result.push_back(normalize(&in[4 * row], i));
            }
        }
        return result;
    };
    const auto softmax = [](double beta) {
        return [=](const double* row, std::size_t i) {
            double sum = 0.0;
            for (std::size_t k = 0; k < 4; ++k) {
                sum += std::exp(beta * row[k]);
            }
            return std::exp(beta * row[i]) / sum;
        };
    };
    const auto logSoftmax = [&](const double* row, std::size_t i) {
        return std::log(softmax(1.0)(row, i));
    };
    const auto l2 = [](const double* row, std::size_t i) {
        double sum = 0.0;
        for (std::size_t k = 0; k < 4; ++k) {
            sum += row[k] * row[k];
        }
        return row[i] / std::sqrt(sum);
    };
    const auto local = [](const double* row, std::size_t i) {
        double sum = 0.0;
        for (std::size_t k = i == 0 ? 0 : i - 1; k < std::min<std::size_t>(4, i + 2); ++k) {
            sum += row[k] * row[k];
        }
        return row[i] / std::pow(1.5 + 0.25 * sum, 0.75);
    };
    const OptionsMaker beta = [](Builder& builder) {
        return schema::CreateSoftmaxOptions(builder, 0.5F).Union();
    };
    const Reals rough = rounded(signed8({24}, 0.02F, 3, values));
    std::vector<Case> cases;
    const auto add = [&](const char* name, std::int32_t code, CaseTensor in, CaseTensor out,
                         BuiltinOptions type, const OptionsMaker& options, double steps) {
        cases.push_back(caseOf({.name = name,
                                .code = code,
                                .inputs = {in},
                                .isConstant = {},
                                .outputs = {out},
                                .optionsType = type,
                                .options = options,
                                .tolerance = 3e-6,
                                .steps = steps}));
    };
    add("SOFTMAX", 25, real({2, 3, 4}, values), real({2, 3, 4}, byRow(values, softmax(0.5))),
        BuiltinOptions::SoftmaxOptions, beta, 0);
    add("SOFTMAX 5", 25, real({1, 2, 1, 3, 4}, values),
        real({1, 2, 1, 3, 4}, byRow(values, softmax(0.5))), BuiltinOptions::SoftmaxOptions, beta,
        0);
    add("SOFTMAX int8", 25, signed8({6, 4}, 0.02F, 3, values),
        signed8({6, 4}, 1.0F / 256, -128, byRow(rough, softmax(0.5))),
        BuiltinOptions::SoftmaxOptions, beta, 1.0);
    add("SOFTMAX int8 of another scale", 25, signed8({6, 4}, 0.02F, 3, values),
        signed8({6, 4}, 1.0F / 128, -100, byRow(rough, softmax(0.5))),
        BuiltinOptions::SoftmaxOptions, beta, 1.0);
    add("LOG_SOFTMAX", 50, real({6, 4}, values), real({6, 4}, byRow(values, logSoftmax)),
        BuiltinOptions::NONE, {}, 0);
    add("LOG_SOFTMAX int8", 50, signed8({6, 4}, 0.02F, 3, values),
        signed8({6, 4}, 16.0F / 256, 127, byRow(rough, logSoftmax)), BuiltinOptions::NONE, {}, 1.0);
    add("L2_NORMALIZATION", 11, real({6, 4}, values), real({6, 4}, byRow(values, l2)),
        BuiltinOptions::NONE, {}, 0);
    add("L2_NORMALIZATION int8", 11, signed8({6, 4}, 0.02F, 3, values),
        signed8({6, 4}, 1.0F / 128, 0, byRow(rough, l2)), BuiltinOptions::NONE, {}, 1.5);
    add(
            "LOCAL_RESPONSE_NORMALIZATION", 13, real({1, 2, 3, 4}, values),
            real({1, 2, 3, 4}, byRow(values, local)),
            BuiltinOptions::LocalResponseNormalizationOptions,
            [](Builder& builder) {
                return schema::CreateLocalResponseNormalizationOptions(builder, 1, 1.5F, 0.25F,
                                                                       0.75F)
                        .Union();
            },
            0);
    runCases(cases);
}

TEST_SUITE_END();
