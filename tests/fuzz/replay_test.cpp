// SPDX-License-Identifier: Apache-2.0
// Runs the fuzz targets without a fuzzer, on their corpora and on slightly changed inputs from
// these. A fault aborts the process, as under a fuzzer.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"
#include "tests/support/sim_case.h"
#include "tests/support/source_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace vnpu::fuzz;
using Input = std::vector<uint8_t>;

constexpr unsigned kSeed = 1;
constexpr size_t kRuns = 10'000;            // chosen: below a second each
constexpr size_t kRunsOfModels = 2000;      // chosen: likewise, as an import takes longer
constexpr size_t kRunsOfCalls = 300;        // chosen: likewise, as models are executed
constexpr size_t kRunsOfConnection = 1000;  // chosen: likewise, with one connection per run

/// In the order of their names.
std::vector<Input> corpusOf(const Target& target) {
    std::vector<fs::path> paths;
    for (const auto& entry :
         fs::directory_iterator(vnpu::test::sourceFolder() / "tests/fuzz/corpus" / target.name)) {
        paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Input> inputs;
    for (const fs::path& path : paths) {
        std::ifstream file(path, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return inputs;
}

/// Changes some bytes and sometimes appends the end of another input.
Input mutate(Input input, const Input& other, std::mt19937& random) {
    if (random() % 4 == 0 && !other.empty()) {
        input.resize(random() % (input.size() + 1));
        input.insert(input.end(),
                     other.begin() + static_cast<std::ptrdiff_t>(random() % other.size()),
                     other.end());
    }
    for (size_t count = random() % 8; count > 0 && !input.empty(); --count) {
        input[random() % input.size()] = static_cast<uint8_t>(random());
    }
    return input;
}

void replay(const Target& target, size_t runs) {
    const std::vector<Input> corpus = corpusOf(target);
    REQUIRE_FALSE(corpus.empty());
    for (const Input& input : corpus) {
        target.run(input);
    }
    std::mt19937 random(kSeed);
    for (size_t i = 0; i < runs; ++i) {
        const Input& input = corpus[random() % corpus.size()];
        target.run(mutate(input, corpus[random() % corpus.size()], random));
    }
}

}  // namespace

TEST_SUITE_BEGIN("fuzz");

TEST_CASE("any packets, memories and counters of a burst are harmless [B-5]") {
    replay(kBurst, kRuns);
}

TEST_CASE("any descriptor and counters of a queue are harmless [B-3]") {
    replay(kMessageQueue, kRuns);
}

TEST_CASE("any arguments and results of a call are harmless, and arrive as they are [E-5]") {
    replay(kCall, kRuns);
}

TEST_CASE("for any data from a peer, others are served and none of its objects remain [E-5]") {
    replay(kConnection, kRunsOfConnection);
}

TEST_CASE("any picture, sound, array or metadata is decoded or refused in one line [E-5]") {
    replay(kMediaFile, kRuns);
}

TEST_CASE("any sequence of calls of the C interface is answered with codes") {
    // The library's device is a SystemC model.
    vnpu::test::simCase([] { replay(kNdkCalls, kRunsOfCalls); });
}

TEST_CASE("any .onnx file is imported or refused [E-5]") {
    replay(kOnnxFile, kRunsOfModels);
}

TEST_CASE("any .tflite file is imported or refused in one line [E-5]") {
    replay(kTfliteFile, kRunsOfModels);
}

TEST_CASE("any messages of a virtual machine to the card are harmless [issue 28.5]") {
    replay(kPciProxy, kRuns);
}

TEST_CASE("any recording is read or refused in one line") {
    replay(kRecording, kRunsOfModels);
}

TEST_CASE("any block of coded weights is decoded as described or refused") {
    replay(kWeightBlock, kRuns);
}

TEST_SUITE_END();
