// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace {

using namespace vnpu::test;
using Json = nlohmann::json;

Json inferJson(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "infer");
    arguments.emplace_back("--json");
    const ProgramResult result = runVnpu(arguments);
    REQUIRE_MESSAGE(result.exitCode == 0, result.errors);
    return Json::parse(result.output);
}

const std::vector<std::string> kConfigs = {"edge", "mobile", "nvdla-large", "tpu128"};

}  // namespace

TEST_SUITE_BEGIN("integration/infer_command");

TEST_CASE("the same command gives the same bytes and cycles [E-4]") {
    const TemporaryFolder first, second;
    const Json a = inferJson({"zoo:resnet8", "--output", first.path().string(), "--seed", "3"});
    const Json b = inferJson({"zoo:resnet8", "--output", second.path().string(), "--seed", "3"});
    CHECK(a["runs"] == b["runs"]);
    CHECK(readFile(first.path() / "out0.bin") == readFile(second.path() / "out0.bin"));
}

TEST_CASE("results do not depend on the configuration, but times do [E-3]") {
    std::vector<std::string> outputs;
    std::vector<Json> cycles;
    for (const std::string& config : kConfigs) {
        const TemporaryFolder folder;
        const Json json =
                inferJson({"zoo:ds_cnn", "--config", config, "--output", folder.path().string()});
        outputs.push_back(readFile(folder.path() / "out0.bin"));
        cycles.push_back(json["runs"][0]["cycles"]);
        CHECK(outputs.back() == outputs.front());
    }
    CHECK(cycles[0] > cycles[1]);
}

TEST_CASE("an interrupted execution gives the same bytes and reports the interruptions [Q-3]") {
    const Json json =
            inferJson({"zoo:ds_cnn", "--interrupt", "checkpoint", "--checkpoint-cycles", "1"});
    CHECK(json["interruptions"] > 10);
    const ProgramResult text = runVnpu({"infer", "zoo:resnet8", "--interrupt", "restart"});
    CHECK(text.exitCode == 0);
    CHECK(text.output.find(" interruptions (restart): the same bytes\n") != std::string::npos);
    const ProgramResult timing =
            runVnpu({"infer", "zoo:ds_cnn", "--interrupt", "boundary", "--timing-only"});
    CHECK(timing.exitCode == 2);
    CHECK(timing.errors.find("--interrupt compares values") != std::string::npos);
}

TEST_CASE("timing-only mode keeps all times [E-3]") {
    for (const std::string& config : kConfigs) {
        for (const char* model : {"zoo:ds_cnn", "zoo:resnet8", "zoo:mobilenet_v2"}) {
            CAPTURE(config);
            CAPTURE(model);
            const Json with = inferJson({model, "--config", config, "--repeat", "2"});
            const Json without =
                    inferJson({model, "--config", config, "--repeat", "2", "--timing-only"});
            CHECK(with["runs"] == without["runs"]);
        }
    }
}

TEST_CASE("the device cannot be faster than its peak [E-3]") {
    // edge: 16 x 16 multiply-accumulates a cycle.
    const Json json = inferJson({"zoo:mobilenet_v1"});
    CHECK(json["macs"] == 568'741'376);
    CHECK(json["runs"][0]["cycles"].get<std::uint64_t>() > 568'741'376 / 256);
}

TEST_CASE("an input of the wrong size is an input error with both sizes") {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "in.bin").string();
    std::ofstream(file) << std::string(100, 'x');
    const ProgramResult result = runVnpu({"infer", "zoo:ds_cnn", "--input", file});
    CHECK(result.exitCode == 2);
    CHECK(result.errors == "vnpu: input 0 (input): " + file + " has 100 bytes, expected 490\n");
}

TEST_CASE("unreadable files and unknown names are input errors") {
    CHECK(runVnpu({"infer", "nothing.tflite"}).exitCode == 2);
    CHECK(runVnpu({"infer", "zoo:nothing"}).exitCode == 2);
    CHECK(runVnpu({"infer", "zoo:ds_cnn", "--config", "nothing"}).exitCode == 2);
    CHECK(runVnpu({"infer", "zoo:ds_cnn", "--repeat", "0"}).exitCode == 2);
    CHECK(runVnpu({"infer", "zoo:ds_cnn", "--timing-only", "--output", "x"}).exitCode == 2);
    CHECK(runVnpu({"infer"}).exitCode == 2);
    CHECK(runVnpu({"conform", "nothing"}).exitCode == 2);
}

TEST_CASE("disasm prints each operation's commands") {
    const ProgramResult all = runVnpu({"disasm", "zoo:ds_cnn"});
    REQUIRE(all.exitCode == 0);
    CHECK(all.output.find("; operation 0 CONV_2D conv0") != std::string::npos);
    CHECK(all.output.find("mac.conv") != std::string::npos);
    const ProgramResult one = runVnpu({"disasm", "zoo:ds_cnn", "--operation", "1"});
    REQUIRE(one.exitCode == 0);
    CHECK(one.output.find("; operation 0 ") == std::string::npos);
    CHECK(one.output.find("; operation 1 DEPTHWISE_CONV_2D") != std::string::npos);
    CHECK(runVnpu({"disasm", "zoo:ds_cnn", "--operation", "13"}).exitCode == 2);
}

TEST_CASE("disasm reports checkpoints and the used SRAM [Q-3]") {
    const ProgramResult none = runVnpu({"disasm", "zoo:ds_cnn", "--checkpoint-cycles", "0"});
    REQUIRE(none.exitCode == 0);
    CHECK(none.output.find("; 0 checkpoints, at most ") != std::string::npos);
    CHECK(none.output.find(" of 64 blocks, ") != std::string::npos);
    CHECK(none.output.find(" controller checkpoint ") == std::string::npos);
    const ProgramResult many = runVnpu({"disasm", "zoo:ds_cnn", "--checkpoint-cycles", "1000"});
    REQUIRE(many.exitCode == 0);
    CHECK(many.output.find("; 0 checkpoints") == std::string::npos);
    CHECK(many.output.find(" controller checkpoint ") != std::string::npos);
}

TEST_CASE("check tries all models on one device and says which do not run") {
    const ProgramResult result = runVnpu(
            {"check", "zoo:ds_cnn", "/dev/null", "zoo:mlp-no-such", "zoo:ds_cnn-float", "--json"});
    CHECK(result.exitCode == 1);
    const Json models = Json::parse(result.output);
    REQUIRE(models.size() == 4);
    CHECK(models[0]["runs"] == true);
    CHECK(models[1]["runs"] == false);
    CHECK(models[2]["error"].get<std::string>().find("there is no such network") !=
          std::string::npos);
    CHECK(models[3]["runs"] == true);
    CHECK(models[3]["macs"] == models[0]["macs"]);
}

TEST_CASE("models lists the networks and the supported operations") {
    const ProgramResult networks = runVnpu({"models", "--json"});
    REQUIRE(networks.exitCode == 0);
    CHECK(Json::parse(networks.output).size() == 15);
    const ProgramResult operations = runVnpu({"models", "--ops", "--json"});
    REQUIRE(operations.exitCode == 0);
    std::size_t convolutions = 0;
    for (const Json& entry : Json::parse(operations.output)) {
        if (entry["operation"] == "CONV_2D") {
            ++convolutions;
            CHECK(entry["place"] == "tiled");
            CHECK(entry["engines"][0] == "mac");
        }
    }
    // floats of two sizes, 8 bits of both signs, per tensor and per channel
    CHECK(convolutions >= 6);
}

TEST_CASE("--port refuses files that are no raw node, and options of a simulated device") {
    const auto refusalOf = [](std::vector<std::string> options) {
        options.insert(options.begin(), {"infer", "zoo:ds_cnn", "--port"});
        const ProgramResult result = runVnpu(options);
        CHECK(result.exitCode == 2);
        return result.errors;
    };
    CHECK(refusalOf({"/dev/null"}).find("/dev/null: is no raw node of the vnpu kernel driver") !=
          std::string::npos);
    CHECK(refusalOf({"/no/such/node"}).find("/no/such/node: cannot be opened") !=
          std::string::npos);
    CHECK(refusalOf({"/dev/null", "--timing-only"}).find("without --interrupt and --timing-only") !=
          std::string::npos);
}

TEST_SUITE_END();
