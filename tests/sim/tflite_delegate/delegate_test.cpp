// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "sim/import/tflite/operators.h"
#include "sim/models/operand_types.h"
#include "sim/service/service_process.h"
#include "tests/sim/import/run_cases.h"
#include "tests/sim/tflite_delegate/delegate_fixture.h"
#include "tests/sim/tflite_delegate/fake_interpreter.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"
#include "tests/support/source_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace vnpu::sim::test;
using schema::BuiltinOptions;
using schema::TensorType;
using vnpu::test::readFile;
using vnpu::test::runProgram;
using vnpu::test::simCase;
using vnpu::test::TemporaryFolder;
using Builder = flatbuffers::FlatBufferBuilder;

constexpr std::int32_t kCustom = 32, kAbs = 101, kNeg = 59, kLshProjection = 15;

std::vector<std::byte> bytesOfFile(const fs::path& path) {
    const std::string text = readFile(path);
    const auto view = std::as_bytes(std::span(text));
    return {view.begin(), view.end()};
}

std::string errorsOf(const FakeInterpreter& interpreter) {
    return interpreter.errors().empty() ? "no error" : interpreter.errors().back();
}

void requireReady(FakeInterpreter& interpreter, abi::TfLiteDelegate& delegate) {
    REQUIRE_MESSAGE(interpreter.apply(delegate) == abi::kTfLiteOk, errorsOf(interpreter));
    REQUIRE_MESSAGE(interpreter.allocate() == abi::kTfLiteOk, errorsOf(interpreter));
}

std::vector<float> floatsOf(FakeInterpreter& interpreter, int tensor) {
    const auto bytes = interpreter.bytes(tensor);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

void fillFloats(FakeInterpreter& interpreter, int tensor, const std::vector<float>& values) {
    interpreter.fill(tensor, std::as_bytes(std::span(values)));
}

/// A chain of unary operators on four floats: tensor i becomes tensor i + 1.
TestFile chain(const std::vector<TestOperator>& operators) {
    TestFile file;
    for (std::size_t i = 0; i <= operators.size(); ++i) {
        file.tensors.push_back({.shape = {1, 4}, .name = "t" + std::to_string(i)});
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        TestOperator op = operators[i];
        op.inputs = {static_cast<std::int32_t>(i)};
        op.outputs = {static_cast<std::int32_t>(i) + 1};
        file.operators.push_back(op);
    }
    file.inputs = {0};
    file.outputs = {static_cast<std::int32_t>(operators.size())};
    return file;
}

const TestOperator kAbsolute = {.code = kAbs, .inputs = {}, .outputs = {}};
const TestOperator kNegative = {.code = kNeg, .inputs = {}, .outputs = {}};
const TestOperator kAddOne = {.code = kCustom, .inputs = {}, .outputs = {}, .customName = "AddOne"};

void addOne(FakeInterpreter& self, const abi::TfLiteNode& node) {
    std::vector<float> values = floatsOf(self, *node.inputs->begin());
    for (float& value : values) {
        value += 1.0F;
    }
    fillFloats(self, *node.outputs->begin(), values);
}

}  // namespace

TEST_SUITE_BEGIN("sim/tflite_delegate/delegate");

TEST_CASE("nodes that the device does not execute stay, and the rest is divided around them") {
    simCase([] {
        const TemporaryFolder folder;
        const auto delegate = createDelegate({{"report", (folder / "report").string()}});
        FakeInterpreter interpreter(chain({kAbsolute, kNegative, kAddOne, kAbsolute}).bytes());
        interpreter.customs["AddOne"] = addOne;
        requireReady(interpreter, *delegate);
        CHECK(interpreter.plan() == std::vector<int>{4, 2, 5});
        fillFloats(interpreter, 0, {1.0F, -2.0F, 3.0F, -0.5F});
        REQUIRE(interpreter.invoke() == abi::kTfLiteOk);
        CHECK(floatsOf(interpreter, 4) == std::vector<float>{0.0F, 1.0F, 2.0F, 0.5F});
        CHECK(readFile(folder / "report") ==
              "3 of 4 nodes are delegated, as 2 kernels\n"
              "node 2 CUSTOM \"AddOne\" stays with the interpreter: is a custom operator that only "
              "the maker of the model knows\n");
    });
}

TEST_CASE("shapes that nodes compute are constants for the nodes behind them") {
    // RESHAPE to the shape that SHAPE gives: neither could be imported alone.
    constexpr std::int32_t kShape = 77;
    simCase([] {
        TestFile file = chain({kAbsolute});
        file.tensors.push_back({.shape = {2}, .type = TensorType::INT32, .name = "shape"});
        file.tensors.push_back({.shape = {1, 4}, .name = "result"});
        file.operators.push_back({.code = kShape, .inputs = {0}, .outputs = {2}});
        file.operators.push_back({.code = kReshape, .inputs = {1, 2}, .outputs = {3}});
        file.outputs = {3};
        const auto delegate = createDelegate();
        FakeInterpreter interpreter(file.bytes());
        requireReady(interpreter, *delegate);
        CHECK(interpreter.plan() == std::vector<int>{3});
        fillFloats(interpreter, 0, {-1.0F, 2.0F, -3.0F, 4.0F});
        REQUIRE(interpreter.invoke() == abi::kTfLiteOk);
        CHECK(floatsOf(interpreter, 3) == std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F});
    });
}

TEST_CASE("a graph without a node for the device is left as it is") {
    simCase([] {
        const auto delegate = createDelegate();
        FakeInterpreter interpreter(chain({kAddOne}).bytes());
        requireReady(interpreter, *delegate);
        CHECK(interpreter.plan() == std::vector<int>{0});
        CHECK(interpreter.errors().empty());
    });
}

TEST_CASE("two interpreters share a delegate") {
    simCase([] {
        const auto delegate = createDelegate();
        FakeInterpreter first(chain({kAbsolute}).bytes());
        FakeInterpreter second(chain({kNegative}).bytes());
        requireReady(first, *delegate);
        requireReady(second, *delegate);
        fillFloats(first, 0, {-1.0F, 2.0F, -3.0F, 4.0F});
        fillFloats(second, 0, {-1.0F, 2.0F, -3.0F, 4.0F});
        REQUIRE(first.invoke() == abi::kTfLiteOk);
        REQUIRE(second.invoke() == abi::kTfLiteOk);
        CHECK(floatsOf(first, 1) == std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F});
        CHECK(floatsOf(second, 1) == std::vector<float>{1.0F, -2.0F, 3.0F, -4.0F});
        std::string mistake;
        CHECK(createDelegate({{"config", "mobile"}}, mistake) == nullptr);
        CHECK(mistake.find("already has a device of configuration edge") != std::string::npos);
    });
}

TEST_CASE("with dynamic tensors, kernels follow the shapes of their inputs") {
    simCase([] {
        const auto delegate = createDelegate({{"allow_dynamic_tensors", "1"}});
        CHECK(delegate->flags == abi::kTfLiteDelegateFlagsAllowDynamicTensors);
        FakeInterpreter interpreter(chain({kAbsolute, kNegative}).bytes());
        requireReady(interpreter, *delegate);
        interpreter.resize(0, {2, 3});
        REQUIRE(interpreter.allocate() == abi::kTfLiteOk);
        CHECK(std::vector<int>(interpreter.tensor(2).dims->begin(),
                               interpreter.tensor(2).dims->end()) == std::vector<int>{2, 3});
        fillFloats(interpreter, 0, {-1.0F, 2.0F, -3.0F, 4.0F, -5.0F, 6.0F});
        REQUIRE(interpreter.invoke() == abi::kTfLiteOk);
        CHECK(floatsOf(interpreter, 2) ==
              std::vector<float>{-1.0F, -2.0F, -3.0F, -4.0F, -5.0F, -6.0F});
    });
}

TEST_CASE("a failure is an error with a reason, and a later call succeeds") {
    simCase([] {
        const auto delegate = createDelegate();
        FakeInterpreter interpreter(chain({kAbsolute}).bytes());
        requireReady(interpreter, *delegate);
        abi::TfLiteTensor& input = interpreter.tensor(0);
        SUBCASE("the input has no memory") {
            void* const data = std::exchange(input.data, nullptr);
            CHECK(interpreter.invoke() == abi::kTfLiteError);
            CHECK(errorsOf(interpreter) ==
                  "vnpu: tensor #0 t0 has 16 bytes and no memory, expected 16");
            input.data = data;
        }
        SUBCASE("the input has another size") {
            const std::size_t bytes = std::exchange(input.bytes, 12);
            CHECK(interpreter.invoke() == abi::kTfLiteError);
            CHECK(errorsOf(interpreter) == "vnpu: tensor #0 t0 has 12 bytes, expected 16");
            input.bytes = bytes;
        }
        CHECK(interpreter.invoke() == abi::kTfLiteOk);
    });
}

TEST_CASE("wrong structures of an interpreter are refused") {
    simCase([] {
        const TemporaryFolder folder;
        const auto delegate = createDelegate({{"report", (folder / "report").string()}});
        FakeInterpreter interpreter(chain({kAbsolute, kNegative}).bytes());
        std::string expected;
        const auto refused = [&](const std::string& reason) {
            REQUIRE(interpreter.apply(*delegate) == abi::kTfLiteOk);
            CHECK(interpreter.plan() == std::vector<int>{0, 1});
            CHECK_MESSAGE(readFile(folder / "report").find(reason) != std::string::npos,
                          readFile(folder / "report"));
        };
        SUBCASE("a type that the format does not have") {
            interpreter.tensor(1).type = static_cast<abi::TfLiteType>(77);
            refused("tensor #1 t1 has type 77, expected 1 to 19");
        }
        SUBCASE("a negative dimension") {
            interpreter.resize(1, {1, 4});
            interpreter.tensor(1).dims->values()[1] = -7;
            interpreter.tensor(0).dims->values()[1] = -7;
            refused("dimension 1 is -7");
        }
        SUBCASE("a quantization of another kind") {
            interpreter.tensor(1).quantization.type = static_cast<abi::TfLiteQuantizationType>(2);
            refused("has quantization of kind 2");
        }
        SUBCASE("an operator of the future") {
            interpreter.registration(0).builtin_code = 4000;
            interpreter.registration(1).builtin_code = 4001;
            refused("is an operator that the format did not have when this was written");
        }
        SUBCASE("nodes of another delegate") {
            interpreter.node(0).delegate = delegate.get();
            interpreter.node(1).delegate = delegate.get();
            refused("belongs to another delegate");
        }
    });
}

TEST_CASE("an operator without the parameters that it needs stays with the interpreter") {
    simCase([] {
        const auto delegate = createDelegate();
        FakeInterpreter interpreter(convolutionFile().bytes());
        interpreter.node(0).builtin_data = nullptr;
        REQUIRE(interpreter.apply(*delegate) == abi::kTfLiteOk);
        CHECK(interpreter.plan() == std::vector<int>{0});
    });
}

TEST_CASE("a compilation is kept in the cache and used by the next process") {
    simCase([] {
        const TemporaryFolder folder;
        const auto run = [&] {
            const auto delegate = createDelegate(
                    {{"cache_dir", (folder / "cache").string()}, {"cache_token", "chain"}});
            FakeInterpreter interpreter(chain({kAbsolute, kNegative}).bytes());
            requireReady(interpreter, *delegate);
            fillFloats(interpreter, 0, {-1.0F, 2.0F, -3.0F, 4.0F});
            REQUIRE(interpreter.invoke() == abi::kTfLiteOk);
            return floatsOf(interpreter, 2);
        };
        const std::vector<float> expected = {-1.0F, -2.0F, -3.0F, -4.0F};
        CHECK(run() == expected);
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder / "cache")) {
            files.push_back(entry.path());
            // A file that is read only is not written anew.
            fs::last_write_time(entry.path(), fs::file_time_type{});
        }
        REQUIRE(!files.empty());
        CHECK(run() == expected);
        for (const fs::path& file : files) {
            CHECK(fs::last_write_time(file) == fs::file_time_type{});
        }
        fs::resize_file(files[0], 10);  // damaged
        CHECK(run() == expected);
        CHECK(fs::file_size(files[0]) > 10);
    });
}

TEST_CASE("variables keep their values between inferences, until they are reset") {
    const fs::path folder = vnpu::test::sharedFolder() / "models/dtln_noise_suppression_int8";
    if (!fs::exists(folder)) {
        MESSAGE("skipped: no ", folder);
        return;
    }
    simCase([&] {
        const fs::path model = folder / "dtln_noise_suppression.tflite";
        const fs::path input = folder / "golden/random0_in0.bin";
        const TemporaryFolder outputs;
        const auto inferred = [&](const std::string& repeat) {
            const auto result = vnpu::test::runVnpu({"infer", model, "--input", input, "--repeat",
                                                     repeat, "--output", outputs.path()});
            REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
            return bytesOfFile(outputs / "out0.bin");
        };
        const auto first = inferred("1"), second = inferred("2");
        CHECK(first != second);
        const auto delegate = createDelegate();
        FakeInterpreter interpreter(bytesOfFile(model));
        requireReady(interpreter, *delegate);
        interpreter.fill(interpreter.inputs()[0], bytesOfFile(input));
        const auto invoked = [&] {
            REQUIRE(interpreter.invoke() == abi::kTfLiteOk);
            return interpreter.copy(interpreter.outputs()[0]);
        };
        CHECK(invoked() == first);
        CHECK(invoked() == second);
        interpreter.resetVariables();
        CHECK(invoked() == first);
    });
}

TEST_CASE("a delegate uses the device of a service, and reports its end") {
    simCase([] {
        vnpu::sim::ServiceProcess service(VNPU_DELEGATE_SERVICE, {"--config", "mobile"});
        const auto delegate = createDelegate({{"socket", service.socketPath()}});
        FakeInterpreter interpreter(chain({kAbsolute}).bytes());
        requireReady(interpreter, *delegate);
        CHECK(interpreter.plan() == std::vector<int>{1});
        fillFloats(interpreter, 0, {-1.0F, 2.0F, -3.0F, 4.0F});
        REQUIRE(interpreter.invoke() == abi::kTfLiteOk);
        CHECK(floatsOf(interpreter, 1) == std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F});
        ::kill(service.process().id(), SIGKILL);
        CHECK(interpreter.invoke() == abi::kTfLiteError);
        CHECK_MESSAGE(errorsOf(interpreter).starts_with("vnpu: the execution ended with "),
                      errorsOf(interpreter));
        FakeInterpreter next(chain({kAbsolute}).bytes());
        CHECK(next.apply(*delegate) == abi::kTfLiteError);
        CHECK(errorsOf(next) == "vnpu: the device does not say what it supports: no connection");
        CHECK(next.plan() == std::vector<int>{0});
    });
}

namespace {

/// The name of the first case of a model, by alphabet.
std::string firstCase(const fs::path& golden) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(golden)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with("_in0.bin")) {
            names.insert(name.substr(0, name.find("_in0.bin")));
        }
    }
    REQUIRE_MESSAGE(!names.empty(), golden);
    return *names.begin();
}

void checkModel(abi::TfLiteDelegate& delegate, const fs::path& file) {
    const fs::path golden = file.parent_path() / "golden";
    const std::string inputs = firstCase(golden);
    FakeInterpreter interpreter(bytesOfFile(file));
    requireReady(interpreter, delegate);
    CHECK_MESSAGE(interpreter.plan().size() == 1, file);
    CHECK_MESSAGE(interpreter.kernelCount() == 1, file);
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {"infer", file.string(), "--output",
                                          folder.path().string()};
    for (std::size_t i = 0; i < interpreter.inputs().size(); ++i) {
        const fs::path input = golden / fmt::format("{}_in{}.bin", inputs, i);
        interpreter.fill(interpreter.inputs()[i], bytesOfFile(input));
        arguments.insert(arguments.end(), {"--input", input.string()});
    }
    REQUIRE_MESSAGE(interpreter.invoke() == abi::kTfLiteOk, errorsOf(interpreter));
    const auto inferred = vnpu::test::runVnpu(arguments);
    REQUIRE_MESSAGE(inferred.exitCode == 0, inferred.errors);
    for (std::size_t i = 0; i < interpreter.outputs().size(); ++i) {
        const bool isSame = interpreter.copy(interpreter.outputs()[i]) ==
                            bytesOfFile(folder / fmt::format("out{}.bin", i));
        CHECK_MESSAGE(isSame, file, " output ", i);
    }
}

}  // namespace

TEST_CASE("all nodes of the shared models are delegated, with the bytes of `vnpu infer`") {
    const fs::path models = vnpu::test::sharedFolder() / "models";
    if (!fs::exists(models)) {
        MESSAGE("skipped: no ", models);
        return;
    }
    simCase([&] {
        const auto delegate = createDelegate();
        int count = 0;
        for (const auto& folder : fs::directory_iterator(models)) {
            if (!folder.is_directory() || !fs::exists(folder.path() / "golden")) {
                continue;
            }
            for (const auto& entry : fs::directory_iterator(folder)) {
                if (entry.path().extension() == ".tflite") {
                    checkModel(*delegate, entry.path());
                    ++count;
                }
            }
        }
        CHECK(count == 25);
    });
}

TEST_CASE("LSH_PROJECTION is delegated") {
    simCase([] {
        TestFile file;
        file.tensors = {{.shape = {4, 2}, .data = bytesOf(std::vector<float>(8, 0.5F))},
                        {.shape = {3, 2}, .type = TensorType::INT32, .name = "in"},
                        {.shape = {8}, .type = TensorType::INT32, .name = "out"}};
        file.operators = {{.code = kLshProjection, .inputs = {0, 1}, .outputs = {2}}};
        file.inputs = {1};
        file.outputs = {2};
        const auto delegate = createDelegate();
        FakeInterpreter interpreter(file.bytes());
        requireReady(interpreter, *delegate);
        CHECK(interpreter.plan() == std::vector<int>{1});
        CHECK(interpreter.invoke() == abi::kTfLiteOk);
    });
}

TEST_CASE("the importer's cases give their results through the delegate") {
    const TemporaryFolder folder;
    const fs::path coverage = folder / "coverage";
    REQUIRE(::setenv("VNPU_CASES_BY_DELEGATE", coverage.c_str(), 1) == 0);
    const auto result = runProgram(fs::read_symlink("/proc/self/exe"),
                                   {"--test-suite=sim/import/constant,sim/import/control,"
                                    "sim/import/elementwise,"
                                    "sim/import/movement,sim/import/recurrent,"
                                    "sim/import/reduction,sim/import/window"});
    REQUIRE(::unsetenv("VNPU_CASES_BY_DELEGATE") == 0);
    CHECK_MESSAGE(result.exitCode == 0, result.output);
    std::set<std::int32_t> passed;
    std::istringstream text(readFile(coverage));
    for (std::int32_t code = 0; text >> code;) {
        passed.insert(code);
    }
    for (const vnpu::sim::tflite::Row* row : vnpu::sim::tflite::allRows()) {
        // The importer has no case that executes LSH_PROJECTION; the case above delegates it.
        if (row->import != nullptr && !staysWithInterpreter(row->code) &&
            row->code != kLshProjection) {
            CHECK_MESSAGE(passed.contains(row->code), row->name);
        }
    }
    MESSAGE(passed.size(), " operators");
}

TEST_SUITE_END();
