// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "sim/base/error.h"
#include "sim/base/random.h"
#include "sim/import/graph/value.h"
#include "sim/import/tflite/importer.h"
#include "tests/sim/import/tflite_fixture.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

enum class Outcome { kImported, kRefused };

/// Anything but a network or an InputError fails the test.
Outcome outcomeOf(std::vector<std::byte> bytes) {
    try {
        importTflite("hostile.tflite", std::move(bytes));
        return Outcome::kImported;
    } catch (const InputError&) {
        return Outcome::kRefused;
    }
}

/// Several operators of different kinds, so that many tables can be hit.
TestFile mixedFile() {
    TestFile file = convolutionFile();
    TestTensor pooled = file.tensors[3];
    pooled.shape = {1, 2, 2, 3};
    TestTensor flat = pooled;
    flat.shape = {1, 12};
    TestTensor axes{.shape = {1},
                    .type = schema::TensorType::INT32,
                    .data = bytesOf(std::vector<std::int32_t>{1})};
    TestTensor mean = flat;
    mean.shape = {1};
    file.tensors.insert(file.tensors.end(), {pooled, flat, axes, mean});
    file.operators.push_back({kMaxPool2d,
                              {3},
                              {4},
                              schema::BuiltinOptions::Pool2DOptions,
                              [](flatbuffers::FlatBufferBuilder& builder) {
                                  return schema::CreatePool2DOptions(
                                                 builder, schema::Padding::VALID, 2, 2, 2, 2)
                                          .Union();
                              }});
    file.operators.push_back({kReshape, {4}, {5}});
    file.operators.push_back({kMean, {5, 6}, {7}});
    file.outputs = {7};
    return file;
}

}  // namespace

TEST_SUITE_BEGIN("sim/import/tflite_hostile");

TEST_CASE(
        "a sparse tensor of hundreds of millions of elements, of which few are stored, is "
        "refused") {
    const auto path = vnpu::test::sourceFolder() / "tests/fuzz/corpus/tflite_file/sparse_giant";
    const graph::Report report = examineTflite(path.string()).report;
    CHECK(graph::summarize(report).find("stores less than one element in 1000") !=
          std::string::npos);
}

TEST_CASE("the constants that an import computes are bounded together") {
    const graph::Value constant =
            graph::constantOf(graph::kReal, {1U << 24U}, graph::Bytes(std::size_t{1} << 26U));
    graph::FoldedConstants folded;
    for (int i = 0; i < 16; ++i) {
        folded.add(constant);  // 1 GiB together
    }
    CHECK_THROWS_AS(folded.add(constant), graph::Refusal);
}

TEST_CASE("the file of the following cases is a good one") {
    CHECK(outcomeOf(mixedFile().bytes()) == Outcome::kImported);
}

TEST_CASE("a file cut off at any length is refused or still whole, and nothing crashes") {
    const std::vector<std::byte> whole = mixedFile().bytes();
    std::size_t imported = 0;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        std::vector<std::byte> part(whole.begin(),
                                    whole.begin() + static_cast<std::ptrdiff_t>(length));
        imported += outcomeOf(std::move(part)) == Outcome::kImported ? 1 : 0;
    }
    CHECK(imported < 16);  // at most the padding at the end can go
}

TEST_CASE("any single byte set to 0, 1, 127, 128 or 255 is refused or imported") {
    const std::vector<std::byte> good = mixedFile().bytes();
    std::size_t imported = 0, refused = 0;
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const unsigned value : {0U, 1U, 127U, 128U, 255U}) {
            std::vector<std::byte> bad = good;
            bad[at] = static_cast<std::byte>(value);
            ++(outcomeOf(std::move(bad)) == Outcome::kImported ? imported : refused);
        }
    }
    CHECK(imported > 0);  // at least where the value is that of the good file
    CHECK(refused > 0);
}

TEST_CASE("seeded bit flips are refused or imported") {
    const std::vector<std::byte> good = mixedFile().bytes();
    Random random(2024);
    std::size_t refused = 0;
    constexpr int kTrials = 20000;
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<std::byte> bad = good;
        for (std::uint64_t flips = 1 + random.next() % 8; flips > 0; --flips) {
            bad[random.next() % bad.size()] ^= static_cast<std::byte>(1U << random.next() % 8);
        }
        refused += outcomeOf(std::move(bad)) == Outcome::kRefused ? 1 : 0;
    }
    CHECK(refused > kTrials / 10);
}

TEST_SUITE_END();
