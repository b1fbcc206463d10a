// SPDX-License-Identifier: Apache-2.0
// Operators of shapes and indices, which become constants; types of constants; spectra.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/import/tflite/importer.h"
#include "sim/models/operand_types.h"
#include "tests/sim/import/run_cases.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::BuiltinOptions2;
using schema::TensorType;
using Builder = flatbuffers::FlatBufferBuilder;

CaseTensor row(Reals values) {
    const auto count = static_cast<std::int32_t>(values.size());
    return integer({count}, std::move(values));
}

/// A folded operator, whose integer results are added to an input of zeros: NNAPI gives no
/// constants back.
Case folded(OneOperator op) {
    Case test = caseOf(op);
    const CaseTensor& out = op.outputs[0];
    const auto zero = static_cast<std::int32_t>(test.file.tensors.size());
    test.file.tensors.push_back(out.tensor);
    test.file.tensors.push_back(out.tensor);
    test.file.operators.push_back({0, {test.file.outputs[0], zero}, {zero + 1}});
    test.file.inputs.push_back(zero);
    test.inputs.push_back(Reals(out.values.size(), 0.0));
    test.file.outputs = {zero + 1};
    test.expected = {out.values};
    return test;
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/constant");

TEST_CASE("SHAPE, RANK, RANGE, FILL and the like become constants") {
    std::vector<Case> cases;
    const auto add = [&](const char* name, std::int32_t code, std::vector<CaseTensor> inputs,
                         CaseTensor out, std::vector<bool> isConstant) {
        cases.push_back(folded({.name = name,
                                .code = code,
                                .inputs = std::move(inputs),
                                .isConstant = std::move(isConstant),
                                .outputs = {std::move(out)}}));
    };
    const std::vector<bool> all(4, true);
    add("SHAPE", 77, {real({2, 3, 4}, Reals(24))}, row({2, 3, 4}), {false});
    add("RANK", 110, {real({2, 3, 4}, Reals(24))}, integer({}, {3}), {false});
    add("RANGE", 96, {integer({}, {2}), integer({}, {11}), integer({}, {3})}, row({2, 5, 8}), all);
    add("RANGE down", 96, {real({}, {1}), real({}, {0}), real({}, {-0.25})},
        real({4}, {1, 0.75, 0.5, 0.25}), all);
    add("FILL", 94, {row({2, 2}), integer({}, {7})}, integer({2, 2}, {7, 7, 7, 7}), all);
    add("ZEROS_LIKE", 93, {integer({2, 2}, {7, 7, 7, 7})}, integer({2, 2}, {0, 0, 0, 0}), {false});
    add("BROADCAST_ARGS", 145, {row({3, 1}), row({2, 1, 4})}, row({2, 3, 4}), all);
    add("WHERE", 109, {truth({2, 2}, {0, 1, 1, 1})}, integer({3, 2}, {0, 1, 1, 0, 1, 1}), all);
    add("UNIQUE", 103, {row({4, 2, 4, 9, 2})}, row({4, 2, 9}), all);
    Case iota = folded({.name = "STABLEHLO_IOTA",
                        .code = 196,
                        .inputs = {},
                        .isConstant = {},
                        .outputs = {integer({2, 3}, {0, 1, 2, 0, 1, 2})},
                        .options2Type = BuiltinOptions2::StablehloIotaOptions,
                        .options2 = [](Builder& builder) {
                            return schema::CreateStablehloIotaOptions(builder, 1).Union();
                        }});
    cases.push_back(iota);
    runCases(cases);
}

TEST_CASE("arithmetic of shapes folds, so that a reshape by it is known") {
    // x of 2 x 3 x 4 becomes [SHAPE(x)[0], -1].
    Case test;
    test.name = "shape arithmetic";
    const auto constant = [](CaseTensor tensor) {
        tensor.tensor.data = bytesOfCase(tensor);
        return tensor.tensor;
    };
    TestTensor open = real({2, 12}).tensor;
    open.signature = {-1, 12};
    test.file.tensors = {real({2, 3, 4}).tensor,      row({0, 0, 0}).tensor, constant(row({0})),
                         constant(row({1})),          constant(row({1})),    integer({}).tensor,
                         constant(integer({}, {-1})), row({0, 0}).tensor,    open};
    test.file.inputs = {0};
    test.file.outputs = {8};
    test.file.operators = {
            {77, {0}, {1}},
            {45,
             {1, 2, 3, 4},
             {5},
             BuiltinOptions::StridedSliceOptions,
             [](Builder& builder) {
                 return schema::CreateStridedSliceOptions(builder, 0, 0, 0, 0, 1).Union();
             }},
            {83,
             {5, 6},
             {7},
             BuiltinOptions::PackOptions,
             [](Builder& builder) { return schema::CreatePackOptions(builder, 2, 0).Union(); }},
            {22, {0, 7}, {8}}};
    test.inputs = {counting(24)};
    test.expected = {counting(24)};
    Case longer = test;
    longer.options.shapes["t"] = {5, 3, 4};
    longer.inputs = {counting(60)};
    longer.expected = {counting(60)};
    runCases({test, longer});
    const Network network =
            importTflite("net.tflite", longer.file.bytes(), {.shapes = {{"t", {5, 3, 4}}}});
    CHECK(network.outputs[0].dimensions == std::vector<std::uint32_t>{5, 12});
    CHECK(network.model.main.operations.size() == 1);
}

TEST_CASE("constants of every type give their values") {
    std::vector<Case> cases;
    const Reals zeros(4, 0.0), values = {-2, 0, 1.5, 3};
    const auto add = [&](const char* name, TestTensor tensor, std::vector<std::byte> data) {
        tensor.data = std::move(data);
        Case test = caseOf({.name = name,
                            .code = 0,
                            .inputs = {real({4}, values), real({4}, zeros)},
                            .isConstant = {true, false},
                            .outputs = {real({4}, values)}});
        test.file.tensors[0] = tensor;
        test.file.tensors[0].name = "packed";
        // By DEQUANTIZE, as converters write it.
        test.file.tensors.push_back(real({4}).tensor);
        test.file.operators.insert(test.file.operators.begin(), {6, {0}, {3}});
        test.file.operators[1].inputs = {3, 1};
        cases.push_back(test);
    };
    add("float16", {.shape = {4}, .type = TensorType::FLOAT16},
        bytesOf(std::vector<std::uint16_t>{0xC000, 0x0000, 0x3E00, 0x4200}));
    add("bfloat16", {.shape = {4}, .type = TensorType::BFLOAT16},
        bytesOf(std::vector<std::uint16_t>{0xC000, 0x0000, 0x3FC0, 0x4040}));
    add("float64", {.shape = {4}, .type = TensorType::FLOAT64},
        bytesOf(std::vector<double>{-2, 0, 1.5, 3}));
    add("int8", {.shape = {4}, .type = TensorType::INT8, .scales = {0.5F}, .zeroPoints = {1}},
        bytesOf(std::vector<std::int8_t>{-3, 1, 4, 7}));
    add("int4", {.shape = {4}, .type = TensorType::INT4, .scales = {0.5F}, .zeroPoints = {0}},
        bytesOf(std::vector<std::uint8_t>{0x0C, 0x63}));
    add("int16", {.shape = {4}, .type = TensorType::INT16, .scales = {0.5F}, .zeroPoints = {0}},
        bytesOf(std::vector<std::int16_t>{-4, 0, 3, 6}));
    // A vector of which two elements are stored.
    TestTensor sparse{.shape = {4}, .type = TensorType::FLOAT32};
    sparse.sparsity = [](Builder& builder) {
        const auto segments = schema::CreateInt32Vector(
                builder, builder.CreateVector(std::vector<std::int32_t>{0, 3}));
        const auto indices = schema::CreateInt32Vector(
                builder, builder.CreateVector(std::vector<std::int32_t>{0, 2, 3}));
        const auto level = schema::CreateDimensionMetadata(
                builder, schema::DimensionType::SPARSE_CSR, 0,
                schema::SparseIndexVector::Int32Vector, segments.Union(),
                schema::SparseIndexVector::Int32Vector, indices.Union());
        const auto order = builder.CreateVector(std::vector<std::int32_t>{0});
        const auto levels = builder.CreateVector(std::vector{level});
        return schema::CreateSparsityParameters(builder, order, 0, levels);
    };
    add("sparse", sparse, bytesOf(std::vector<float>{-2, 1.5F, 3}));
    cases.back().file.operators[0].code = 124;  // DENSIFY
    runCases(cases);
}

TEST_CASE("SEGMENT_SUM and the unsorted segments reduce rows") {
    const Reals rows = {1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<Case> cases;
    cases.push_back(caseOf({.name = "SEGMENT_SUM",
                            .code = 125,
                            .inputs = {real({4, 2}, rows), row({0, 0, 2, 2})},
                            .isConstant = {false, true},
                            .outputs = {real({3, 2}, {4, 6, 0, 0, 12, 14})}}));
    const auto unsorted = [&](const char* name, std::int32_t code, Reals expected) {
        cases.push_back(
                caseOf({.name = name,
                        .code = code,
                        .inputs = {real({4, 2}, rows), row({1, 0, 1, -1}), integer({}, {2})},
                        .isConstant = {false, true, true},
                        .outputs = {real({2, 2}, std::move(expected))}}));
    };
    unsorted("UNSORTED_SEGMENT_SUM", 155, {3, 4, 6, 8});
    unsorted("UNSORTED_SEGMENT_PROD", 153, {3, 4, 5, 12});
    unsorted("UNSORTED_SEGMENT_MAX", 154, {3, 4, 5, 6});
    unsorted("UNSORTED_SEGMENT_MIN", 157, {3, 4, 1, 2});
    runCases(cases);
}

TEST_CASE("RFFT2D with COMPLEX_ABS, REAL and IMAG") {
    constexpr int kLength = 8, kBins = kLength / 2 + 1;
    const Reals signal = noise(2 * 6);  // two rows of six, padded to eight
    Reals parts[3];
    for (int r = 0; r < 2; ++r) {
        for (int bin = 0; bin < kBins; ++bin) {
            double re = 0.0, im = 0.0;
            for (int i = 0; i < 6; ++i) {
                const double angle = -2 * std::numbers::pi * bin * i / kLength;
                re += signal[static_cast<std::size_t>(6 * r + i)] * std::cos(angle);
                im += signal[static_cast<std::size_t>(6 * r + i)] * std::sin(angle);
            }
            parts[0].push_back(std::hypot(re, im));
            parts[1].push_back(re);
            parts[2].push_back(im);
        }
    }
    std::vector<Case> cases;
    constexpr std::int32_t kCodes[] = {135, 134, 133};
    for (int i = 0; i < 3; ++i) {
        Case test = caseOf({.name = "RFFT2D",
                            .code = 131,
                            .inputs = {real({2, 1, 6}, signal), row({1, kLength})},
                            .isConstant = {false, true},
                            .outputs = {real({2, 1, kBins}, parts[i])},
                            .tolerance = 3e-6});
        test.file.tensors.push_back(
                {.shape = {2, 1, kBins}, .type = TensorType::COMPLEX64, .name = "spectrum"});
        test.file.operators[0].outputs = {3};
        test.file.operators.push_back({kCodes[i], {3}, {2}});
        cases.push_back(test);
    }
    runCases(cases);
}

TEST_CASE("MULTINOMIAL and LSH_PROJECTION become NNAPI's operations") {
    OneOperator draw{.name = "MULTINOMIAL",
                     .code = 149,
                     .inputs = {real({1, 3}, {-100, 100, -100}), integer({}, {4})},
                     .isConstant = {false, true},
                     .outputs = {integer({1, 4}, {1, 1, 1, 1})},
                     .optionsType = BuiltinOptions::RandomOptions,
                     .options = [](Builder& builder) {
                         return schema::CreateRandomOptions(builder, 1, 2).Union();
                     }};
    runCases({caseOf(draw)});
    const Case projection = caseOf({.name = "LSH_PROJECTION",
                                    .code = 15,
                                    .inputs = {real({2, 3}, noise(6)), integer({4}, {1, 2, 3, 4})},
                                    .isConstant = {true, false},
                                    .outputs = {integer({2}, {0, 0})}});
    const Network network = importTflite("net.tflite", projection.file.bytes());
    CHECK(network.model.main.operations[0].type == nn::OperationType::LSH_PROJECTION);
}

TEST_SUITE_END();
