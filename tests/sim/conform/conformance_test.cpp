// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/conformance.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/base/error.h"
#include "sim/config/load_config.h"
#include "tests/sim/client/fake_device.h"
#include "tests/sim/conform/vector_fixture.h"
#include "tests/support/sim_case.h"
#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using Status = nn::ErrorStatus;

Example failingExample() {
    auto json = addFile();
    json["models"][0]["expect_failure"] = true;
    return exampleOf(json);
}

/// Makes the device write these two floats as result.
void answerWith(FakeContext& context, float first, float second) {
    context.behavior.onExecute = [=](const nn::Request& request) {
        const auto pool = vnpu::hal::MappedPool::create(request.pools[1].hidlMemory());
        REQUIRE(pool.has_value());
        const float values[] = {first, second};
        std::memcpy(pool->data(), values, sizeof(values));
    };
}

ExampleOutcome runOn(FakeContext& context, const Example& example, const Flavor& flavor = {}) {
    return runExample(halSessions(context), example, flavor);
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/conformance");

TEST_CASE("a correct result passes") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    CHECK(runOn(context, exampleOf(addFile())).verdict == VectorVerdict::kPassed);
    CHECK(context.behavior.synchronousCalls == 1);
}

TEST_CASE("a wrong result fails with the first difference") {
    FakeContext context;
    answerWith(context, 11.0F, 23.0F);
    const ExampleOutcome outcome = runOn(context, exampleOf(addFile()));
    CHECK(outcome.verdict == VectorVerdict::kFailed);
    CHECK(outcome.detail.find("output 0: element 1 is 23, expected 22 +- ") == 0);
}

TEST_CASE("an ignored output is not compared") {
    FakeContext context;
    auto json = addFile();
    json["models"][0]["main"]["operands"][3]["ignored"] = true;
    CHECK(runOn(context, exampleOf(json)).verdict == VectorVerdict::kPassed);
}

TEST_CASE("reported shapes must be sufficient and correct") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    context.behavior.outputShapes = {nn12::OutputShape{{1, 2}, true}};
    CHECK(runOn(context, exampleOf(addFile())).verdict == VectorVerdict::kPassed);
    context.behavior.outputShapes = {nn12::OutputShape{{2, 1}, true}};
    CHECK(runOn(context, exampleOf(addFile())).detail == "output 0: shape is 2x1, expected 1x2");
    context.behavior.outputShapes = {nn12::OutputShape{{1, 2}, false}};
    CHECK(runOn(context, exampleOf(addFile())).detail == "output 0: reported as insufficient");
}

TEST_CASE("shapes must be reported if the model leaves them open") {
    FakeContext context;
    auto json = addFile();
    auto& output = json["models"][0]["main"]["operands"][3];
    output["dims"] = {0, 2};
    output["data"] = nlohmann::json::binary({});
    CHECK(runOn(context, exampleOf(json)).detail == "0 output shapes, expected 1");
    context.behavior.outputShapes = {nn12::OutputShape{{0, 2}, true}};
    CHECK(runOn(context, exampleOf(json)).verdict == VectorVerdict::kPassed);
}

TEST_CASE("refusals and errors of a valid model are failures that name the step") {
    FakeContext context;
    context.behavior.executeStatus = Status::GENERAL_FAILURE;
    CHECK(runOn(context, exampleOf(addFile())).detail ==
          "execution: GENERAL_FAILURE, expected NONE");
    context.behavior.prepareStatus = Status::INVALID_ARGUMENT;
    CHECK(runOn(context, exampleOf(addFile())).detail ==
          "preparation: INVALID_ARGUMENT, expected NONE");
    context.behavior.supportStatus = Status::INVALID_ARGUMENT;
    CHECK(runOn(context, exampleOf(addFile())).detail ==
          "getSupportedOperations: INVALID_ARGUMENT, expected NONE");
}

TEST_CASE("a model that must fail passes by being refused at any step") {
    FakeContext context;
    CHECK(runOn(context, failingExample()).detail == "execution: NONE, expected a failure");
    context.behavior.executeStatus = Status::GENERAL_FAILURE;
    CHECK(runOn(context, failingExample()).verdict == VectorVerdict::kPassed);
    context.behavior.outputShapes = {nn12::OutputShape{{1, 2}, true}};
    CHECK(runOn(context, failingExample()).detail ==
          "execution failed as expected, but reports output shapes");
    context.behavior.prepareStatus = Status::INVALID_ARGUMENT;
    CHECK(runOn(context, failingExample()).verdict == VectorVerdict::kPassed);
    context.behavior.supportStatus = Status::INVALID_ARGUMENT;
    CHECK(runOn(context, failingExample()).verdict == VectorVerdict::kPassed);
}

TEST_CASE("an endless loop must miss its deadline") {
    auto json = addFile();
    json["models"][0]["expect_failure"] = true;
    json["models"][0]["main"]["operations"][0]["type"] = "WHILE";
    const Example example = exampleOf(json);
    FakeContext context;
    context.behavior.executeStatus = Status::GENERAL_FAILURE;
    CHECK(runOn(context, example).detail ==
          "execution: GENERAL_FAILURE, expected a missed deadline");
    context.behavior.executeStatus = Status::MISSED_DEADLINE_PERSISTENT;
    CHECK(runOn(context, example).verdict == VectorVerdict::kPassed);
    CHECK(context.behavior.loopTimeout.nanoseconds() == 1'000'000);
}

TEST_CASE("times that were not requested are a failure") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    context.behavior.tellsTimesUnasked = true;
    CHECK(runOn(context, exampleOf(addFile())).detail == "times are reported, expected none");
    CHECK(runOn(context, exampleOf(addFile()), {.isMeasured = true}).verdict ==
          VectorVerdict::kPassed);
    context.behavior.timing = {9, 7};
    CHECK(runOn(context, exampleOf(addFile()), {.isMeasured = true}).detail ==
          "9 us on the device, more than 7 us in the driver");
}

TEST_CASE("a driver must report the shapes that the client leaves open") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    const Flavor flavor{.outputs = OutputKind::kDynamic};
    CHECK(runOn(context, exampleOf(addFile()), flavor).detail == "0 output shapes, expected 1");
    context.behavior.outputShapes = {nn12::OutputShape{{1, 2}, true}};
    CHECK(runOn(context, exampleOf(addFile()), flavor).verdict == VectorVerdict::kPassed);
}

TEST_CASE("a short output is insufficient at first, and correct once it has room") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    const auto answer = context.behavior.onExecute;
    int executions = 0;
    bool admitsShortness = true;
    context.behavior.onExecute = [&](const nn::Request& request) {
        ++executions;
        const bool isShort = request.outputs[0].location.length == 7;
        context.behavior.executeStatus =
                isShort && admitsShortness ? Status::OUTPUT_INSUFFICIENT_SIZE : Status::NONE;
        context.behavior.outputShapes = {nn12::OutputShape{{1, 2}, !isShort}};
        if (!isShort) {
            answer(request);
        }
    };
    const Flavor flavor{.outputs = OutputKind::kShort};
    CHECK(runOn(context, exampleOf(addFile()), flavor).verdict == VectorVerdict::kPassed);
    CHECK(executions == 2);
    admitsShortness = false;
    CHECK(runOn(context, exampleOf(addFile()), flavor).detail ==
          "execution: NONE, expected OUTPUT_INSUFFICIENT_SIZE");
}

TEST_CASE("a byte written outside an output is a failure") {
    FakeContext context;
    auto json = addFile();
    auto& output = json["models"][0]["main"]["operands"][3];
    output["dims"] = {1, 1};
    output["data"] = binary(std::vector<float>{11.0F});
    context.behavior.onExecute = [](const nn::Request& request) {
        const auto pool = vnpu::hal::MappedPool::create(request.pools[1].hidlMemory());
        REQUIRE(pool.has_value());
        const float value = 11.0F;
        const std::size_t offset = request.outputs[0].location.offset;
        std::memcpy(pool->data() + offset, &value, sizeof(value));
        pool->data()[offset - 1] = std::byte{0};
    };
    const ExampleOutcome outcome = runOn(context, exampleOf(json), {.outputs = OutputKind::kTight});
    CHECK(outcome.detail.find("was written, no output lies there") != std::string::npos);
}

TEST_CASE("cache files are passed to preparation and retrieval") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    const Flavor flavor{.isCached = true};
    CHECK(runOn(context, exampleOf(addFile()), flavor).detail ==
          "device asks for no cache files, expected some");
    context.behavior.cacheFiles = 2;
    CHECK(runOn(context, exampleOf(addFile()), flavor).verdict == VectorVerdict::kPassed);
    CHECK(context.behavior.savedFiles == 4);
    CHECK(context.behavior.loadedFiles == 4);
    context.behavior.cacheStatus = Status::GENERAL_FAILURE;
    CHECK(runOn(context, exampleOf(addFile()), flavor).detail ==
          "preparation from the cache: GENERAL_FAILURE, expected NONE");
    CHECK(runOn(context, exampleOf(addFile())).verdict == VectorVerdict::kPassed);
    CHECK(context.behavior.savedFiles == 0);
}

TEST_CASE("a device that requests too many cache files is an error") {
    FakeContext context;
    context.behavior.cacheFiles = 33;
    CHECK_THROWS_AS(runOn(context, exampleOf(addFile()), {.isCached = true}), std::runtime_error);
}

TEST_CASE("a buffer that is not allocated is a failure [MD-1]") {
    FakeContext context;
    answerWith(context, 11.0F, 22.0F);
    CHECK(runOn(context, exampleOf(addFile()), {.memory = MemoryKind::kDomains}).detail ==
          "allocate for input 0: GENERAL_FAILURE, token 0, expected NONE and a buffer");
}

TEST_CASE("inapplicable examples are omitted, with the reason") {
    FakeContext context;
    const ExampleOutcome outcome = runOn(context, exampleOf(addFile()), {.isCoupled = true});
    CHECK(outcome.verdict == VectorVerdict::kOmitted);
    CHECK(outcome.detail == "has no quantization to couple");
}

TEST_CASE("a twin with another outcome is a failure that reports both outcomes") {
    FakeContext context;
    auto json = addFile();
    auto& operands = json["models"][0]["main"]["operands"];
    for (const std::size_t i : {0U, 1U, 3U}) {
        operands[i]["type"] = "TENSOR_QUANT8_ASYMM";
        operands[i]["data"] = binary(std::vector<std::uint8_t>{1, 2});
    }
    context.behavior.onExecute = [](const nn::Request& request) {
        const auto pool = vnpu::hal::MappedPool::create(request.pools[1].hidlMemory());
        REQUIRE(pool.has_value());
        pool->data()[0] = std::byte{1};
        pool->data()[1] = std::byte{2};
    };
    const ExampleOutcome outcome = runOn(context, exampleOf(json), {.isCoupled = true});
    CHECK(outcome.verdict == VectorVerdict::kFailed);
    CHECK(outcome.detail.find("TENSOR_QUANT8_ASYMM: passed; TENSOR_QUANT8_ASYMM_SIGNED: output 0: "
                              "element 0 is 1, expected -127 +- 1") == 0);
}

TEST_CASE("vector files are found below a folder, in order") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "vnpu_conformance_test";
    fs::remove_all(folder);
    fs::create_directories(folder / "b");
    CHECK_THROWS_AS(findVectorFiles(folder.string()), InputError);
    for (const char* name : {"b/2.cbor", "b/1.cbor", "a.cbor", "notes.txt"}) {
        std::ofstream(folder / name) << "x";
    }
    const std::vector<std::string> expected = {(folder / "a.cbor").string(),
                                               (folder / "b/1.cbor").string(),
                                               (folder / "b/2.cbor").string()};
    CHECK(findVectorFiles(folder.string()) == expected);
    CHECK(findVectorFiles(expected[0]) == std::vector<std::string>{expected[0]});
    fs::remove_all(folder);
    CHECK_THROWS_AS(findVectorFiles(folder.string()), InputError);
}

TEST_CASE("an example runs on the simulated device in every flavor [E-8]") {
    vnpu::test::simCase([] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("conform", 10000, [](ClientContext& context) {
            const Example example = exampleOf(addFile());
            for (const Flavor& flavor : allFlavors()) {
                CAPTURE(describe(flavor));
                const ExampleOutcome outcome = runExample(halSessions(context), example, flavor);
                if (flavor.isCoupled) {
                    CHECK(outcome.verdict == VectorVerdict::kOmitted);
                } else {
                    CHECK(outcome.detail == "");
                    CHECK(outcome.verdict == VectorVerdict::kPassed);
                }
            }
        });
        platform.run();
    });
}

TEST_CASE("unsupported examples are reported with the driver's reason [E-8]") {
    vnpu::test::simCase([] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("conform", 10000, [](ClientContext& context) {
            auto json = addFile();
            auto& graph = json["models"][0]["main"];
            // The device supports tensors of up to eight dimensions.
            const std::vector<std::uint32_t> nine(9, 1);
            graph["operands"][0] =
                    operandJson("TENSOR_FLOAT32", nine, "SUBGRAPH_INPUT", binary<float>({1}));
            graph["operands"][3] =
                    operandJson("INT32", {}, "SUBGRAPH_OUTPUT", binary<std::int32_t>({9}));
            graph["operands"][3]["consumers"] = 0;
            graph["operations"][0] = {{"type", "RANK"}, {"inputs", {0}}, {"outputs", {3}}};
            graph["operands"].erase(1);
            graph["operands"].erase(1);
            graph["operations"][0]["outputs"] = {1};
            graph["inputs"] = {0};
            graph["outputs"] = {1};
            const ExampleOutcome outcome = runExample(halSessions(context), exampleOf(json), {});
            CHECK(outcome.verdict == VectorVerdict::kUnsupported);
            CHECK(outcome.unsupportedOperation == "RANK");
            CHECK(outcome.detail.find("operation 0 (RANK)") == 0);
            CHECK(outcome.detail.find("operand 0 has rank 9") != std::string::npos);
        });
        platform.run();
    });
}

TEST_SUITE_END();
