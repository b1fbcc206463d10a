// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/program.h"

namespace {

using vnpu::test::ProgramResult;
using vnpu::test::runVnpu;
using vnpu::test::TemporaryFolder;
using vnpu::test::writeFile;

/// Checks for exit code 2 and one line that contains all `parts`.
void checkRefusal(const ProgramResult& result, const std::vector<std::string>& parts) {
    CHECK(result.exitCode == 2);
    CHECK_MESSAGE(std::count(result.errors.begin(), result.errors.end(), '\n') == 1, result.errors);
    for (const std::string& part : parts) {
        CHECK_MESSAGE(result.errors.find(part) != std::string::npos, part, " in: ", result.errors);
    }
}

}  // namespace

TEST_SUITE_BEGIN("integration/bad_input");

TEST_CASE("an invalid model file is reported with its name") {
    const TemporaryFolder folder;
    writeFile(folder / "bad.tflite", "this is not a model at all, whatever its name says");
    checkRefusal(runVnpu({"infer", (folder / "bad.tflite").string()}), {"bad.tflite"});
}

TEST_CASE("a missing model is reported with its name") {
    checkRefusal(runVnpu({"infer", "/nonexistent/model.tflite"}), {"/nonexistent/model.tflite"});
}

TEST_CASE("an unknown network is reported with the known ones") {
    checkRefusal(runVnpu({"infer", "zoo:mobilenet_v9"}), {"mobilenet_v9", "mobilenet_v2"});
}

TEST_CASE("an input of the wrong size is reported with both sizes [MP-3]") {
    const TemporaryFolder folder;
    writeFile(folder / "short.bin", std::string(100, 'x'));
    checkRefusal(runVnpu({"infer", "zoo:ds_cnn", "--input", (folder / "short.bin").string()}),
                 {"short.bin", "100", "490"});
}

TEST_CASE("a misspelled key of a scenario is reported with its place and the nearest key") {
    const TemporaryFolder folder;
    writeFile(folder / "typo.toml",
              "[scenario]\nname = \"x\"\nduratoin = \"1 s\"\nconfig = \"edge\"\n");
    checkRefusal(runVnpu({"run", (folder / "typo.toml").string()}),
                 {"typo.toml:3", "duratoin", "duration"});
}

TEST_CASE("a scenario that is not TOML is reported with the line") {
    const TemporaryFolder folder;
    writeFile(folder / "broken.toml", "[scenario]\nname = \"x\n");
    checkRefusal(runVnpu({"run", (folder / "broken.toml").string()}), {"broken.toml:2"});
}

TEST_CASE("a configuration out of range is reported with line and range") {
    const TemporaryFolder folder;
    writeFile(folder / "device.toml", "name = \"mine\"\nbase = \"edge\"\n[mac]\nrows = 0\n");
    checkRefusal(runVnpu({"info", "--config", (folder / "device.toml").string()}),
                 {"device.toml", "rows"});
}

TEST_CASE("a device too small for the model is reported with the missing size [Q-6]") {
    const TemporaryFolder folder;
    writeFile(folder / "tiny.toml",
              "name = \"tiny\"\nbase = \"edge\"\n[sram]\nkib = 4\nbanks = "
              "1\n[mac]\naccumulator_kib = 1\n");
    const auto result = runVnpu(
            {"infer", "zoo:vgg16", "--timing-only", "--config", (folder / "tiny.toml").string()});
    checkRefusal(result, {"RESOURCE_EXHAUSTED_PERSISTENT"});
}

TEST_CASE("vectors that are not CBOR are reported with the file's name") {
    const TemporaryFolder folder;
    writeFile(folder / "bad.cbor", "\xff\xff\xff");
    checkRefusal(runVnpu({"conform", folder.path().string()}), {"bad.cbor"});
}

TEST_SUITE_END();
