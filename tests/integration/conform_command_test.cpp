// SPDX-License-Identifier: Apache-2.0
// `vnpu conform` on a model of two floats plus a constant.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/sim/conform/vector_fixture.h"
#include "tests/support/program.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;

/// A folder with the model, or with one whose expected result is wrong.
class Vectors {
  public:
    explicit Vectors(float result = 11.0F) {
        Json json = vnpu::sim::test::addFile();
        json["models"][0]["main"]["operands"][3]["data"] =
                vnpu::sim::test::binary(std::vector<float>{result, 22.0F});
        const std::vector<std::uint8_t> cbor = Json::to_cbor(json);
        writeFile(folder_ / "add.cbor", {cbor.begin(), cbor.end()});
    }

    const std::filesystem::path& folder() const { return folder_.path(); }
    ProgramResult conform(std::vector<std::string> options) const {
        options.insert(options.begin(), {"conform", folder_.path().string()});
        return runVnpu(options);
    }

  private:
    TemporaryFolder folder_;
};

std::string lastLine(const std::string& output) {
    const std::size_t begin = output.rfind('\n', output.size() - 2);
    return output.substr(begin == std::string::npos ? 0 : begin + 1);
}

}  // namespace

TEST_SUITE_BEGIN("integration/conform_command");

TEST_CASE("each option selects a flavor in which the model passes") {
    const Vectors vectors;
    const std::vector<std::vector<std::string>> options = {
            {"--path", "fenced", "--memory", "domains"},
            {"--path", "async", "--hal", "1.0"},
            {"--pools", "mmap_fd", "--outputs", "tight"},
            {"--pools", "hardware_buffer_blob", "--outputs", "short", "--hal", "1.2"},
            {"--outputs", "dynamic", "--timing"},
            {"--cache"}};
    for (const auto& one : options) {
        CAPTURE(one.back());
        const ProgramResult result = vectors.conform(one);
        CHECK(result.exitCode == 0);
        CHECK(result.output == "1 passed, 0 failed, 0 unsupported\n");
    }
}

TEST_CASE("a flavor that the HAL does not have is an input error") {
    const Vectors vectors;
    const ProgramResult result = vectors.conform({"--hal", "1.1"});
    CHECK(result.exitCode == 2);
    CHECK(result.errors.find("HAL 1.1 has no synchronous executions, expected HAL 1.2 or later") !=
          std::string::npos);
    CHECK(vectors.conform({"--memory", "domains", "--outputs", "short"}).exitCode == 2);
    CHECK(vectors.conform({"--outputs", "loose"}).exitCode == 2);
    CHECK(vectors.conform({"--all-flavors", "--cache"}).exitCode == 2);
    CHECK(vectors.conform({"--hal", "1.4"}).exitCode == 2);
}

TEST_CASE("a model to which the flavor does not apply is omitted and counted separately") {
    const ProgramResult result = Vectors().conform({"--coupled"});
    CHECK(result.exitCode == 0);
    CHECK(result.output ==
          "1 models left out: they have no meaning in this flavor\n"
          "0 passed, 0 failed, 0 unsupported\n");
}

TEST_CASE(
        "an interrupted model must end like an undisturbed one, with the number of interruptions "
        "[Q-3]") {
    for (const char* how : {"checkpoint", "restart"}) {
        CAPTURE(how);
        const ProgramResult result = Vectors().conform({"--interrupt", how, "--json"});
        CHECK(result.exitCode == 0);
        const Json json = Json::parse(result.output);
        CHECK(json["passed"] == 1);
        CHECK(json["flavors"][0]["interruptions"] > 0);
        CHECK(json["flavors"][0]["undisturbed"] == 0);
    }
    // A single operation has no boundary between operations.
    const ProgramResult result = Vectors().conform({"--interrupt", "boundary", "-v"});
    CHECK(result.exitCode == 0);
    CHECK(result.output ==
          "undisturbed add_two\n"
          "0 interruptions; 1 models were not interrupted\n"
          "1 passed, 0 failed, 0 unsupported\n");
    const ProgramResult old = Vectors().conform({"--interrupt", "restart", "--hal", "1.2"});
    CHECK(old.exitCode == 2);
    CHECK(old.errors.find("HAL 1.2 has no priorities") != std::string::npos);
    CHECK(Vectors().conform({"--interrupt", "never"}).exitCode == 2);
    CHECK(Vectors().conform({"--interrupt", "restart", "--service"}).exitCode == 2);
}

TEST_CASE("all versions means those that support the rest of the flavor") {
    const ProgramResult result = Vectors().conform({"--hal", "all", "--path", "async", "--cache"});
    CHECK(result.exitCode == 0);
    CHECK(result.output.find("async, HAL 1.2, cache") != std::string::npos);
    CHECK(result.output.find("async, HAL 1.3, cache") != std::string::npos);
    CHECK(result.output.find("HAL 1.1") == std::string::npos);
    CHECK(lastLine(result.output) == "2 passed, 0 failed, 0 unsupported\n");
}

TEST_CASE("all flavors are printed as a table with their sum, and failures with their flavor") {
    const ProgramResult good = Vectors().conform({"--all-flavors"});
    CHECK(good.exitCode == 0);
    CHECK(good.output.find("flavor") == 0);
    CHECK(good.output.find("fenced, HAL 1.3, domains") != std::string::npos);
    CHECK(good.output.find("FAILED") == std::string::npos);
    CHECK(lastLine(good.output).find(" passed, 0 failed, 0 unsupported\n") != std::string::npos);

    const ProgramResult bad = Vectors(12.0F).conform({"--all-flavors"});
    CHECK(bad.exitCode == 1);
    CHECK(bad.output.find("FAILED add_two (async, HAL 1.0, mmap_fd): output 0: element 0 is 11, "
                          "expected 12") != std::string::npos);
    CHECK(lastLine(bad.output).find(", 0 failed, ") == std::string::npos);
}

TEST_CASE("the JSON object has the sums, and those of each flavor") {
    const ProgramResult result =
            Vectors(12.0F).conform({"--hal", "all", "--path", "async", "--json"});
    CHECK(result.exitCode == 1);
    const Json json = Json::parse(result.output);
    CHECK(json["passed"] == 0);
    CHECK(json["failed"] == 4);
    CHECK(json["unsupported"] == 0);
    CHECK(json["omitted"] == 0);
    REQUIRE(json["flavors"].size() == 4);
    CHECK(json["flavors"][0]["flavor"] == "async, HAL 1.0");
    CHECK(json["flavors"][0]["failed"] == 1);
    REQUIRE(json["failures"].size() == 4);
    CHECK(json["failures"][3]["model"] == "add_two");
    CHECK(json["failures"][3]["flavor"] == "async, HAL 1.3");
}

TEST_CASE("on a device with wrong results, each file names model, output, element and values") {
    const Vectors vectors;
    const CommandFolder folder;
    // A service, because the device of `conform` itself has no faults.
    const std::string script = folder.write(
            "conform.sh",
            fmt::format("{0} serve --socket {1} --device {2} > /dev/null & service=$!\n"
                        "until [ -S {1} ] || ! kill -0 $service; do sleep 0.02; done\n"
                        "{0} conform {3} --service {1} --junit {4} --json-lines {5}\n"
                        "code=$?\n"
                        "kill $service\n"
                        "wait $service\n"
                        "exit $code\n",
                        VNPU_PROGRAM, folder / "s",
                        folder.write("device.toml", "[[fault]]\nkind = \"wrong-result\"\n"),
                        vectors.folder().string(), folder / "junit.xml", folder / "lines"));
    CHECK(folder.system("sh " + script) == 1);
    const Json line = Json::parse(folder.read("lines"));
    const std::string message = line["message"];
    CAPTURE(message);
    CHECK(line["name"] == "add_two");
    CHECK(line["result"] == "failed");
    CHECK(message.starts_with("output 0: element 0 is "));
    CHECK(message.find(", expected 11 +- ") != std::string::npos);
    CHECK(message.find(" (2 of 2 elements differ)") != std::string::npos);
    CHECK(folder.read("out").find("FAILED add_two: " + message) != std::string::npos);
    const std::string junit = folder.read("junit.xml");
    CHECK(junit.find("<testcase name=\"add_two\"") != std::string::npos);
    CHECK(junit.find("<failure message=\"" + message + "\"") != std::string::npos);
}

TEST_SUITE_END();
