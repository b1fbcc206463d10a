// SPDX-License-Identifier: Apache-2.0
// Trained models through `vnpu infer` against the outputs of independent interpreters: reference
// output "ref" of each case, byte for byte where quantized, and every layer of one case. The models
// are not part of the repository.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "tests/support/program.h"
#include "tests/support/source_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace vnpu::test;
using Json = nlohmann::json;

constexpr double kFloatTolerance = 1e-4;  // of the range of the reference output
constexpr double kStepsOf16Bit = 3;       // chosen: interpreters are 22 and 51 steps apart

const std::vector<std::string> kQuantized = {"ad01_toycar_int8",
                                             "hello_world_int8",
                                             "kws_dscnn_int8",
                                             "micro_speech_int8",
                                             "mobilenet_v1_0.25_128_uint8",
                                             "mobilenet_v1_0.25_224_uint8",
                                             "mobilenet_v1_1.0_224_features_uint8",
                                             "mobilenet_v1_1.0_224_head_uint8",
                                             "mnist_lstm_int8",
                                             "mobilenet_v2_1.0_224_uint8",
                                             "person_detect_int8",
                                             "resnet8_cifar10_int8",
                                             "streaming_wakeword_int8",
                                             "vww96_int8"};
const std::vector<std::string> kFloat = {"ad01_toycar_float",
                                         "hello_world_float",
                                         "kwt1_float",
                                         "mnist_lstm_float",
                                         "mobilenet_v1_0.25_224_float",
                                         "nl_classifier_float",
                                         "resnet8_cifar10_float",
                                         "vww96_float"};

/// The folder of one model.
class GoldenModel {
  public:
    explicit GoldenModel(const std::string& name) : folder_(sharedFolder() / "models" / name) {
        std::ifstream file(golden() / "manifest.json");
        manifest_ = Json::parse(file);
    }

    fs::path golden() const { return folder_ / "golden"; }
    const Json& cases() const { return manifest_["cases"]; }

    std::string modelFile() const {
        for (const auto& entry : fs::directory_iterator(folder_)) {
            if (entry.path().extension() == ".tflite") {
                return entry.path().string();
            }
        }
        FAIL("no .tflite file in " << folder_);
        return "";
    }

    /// The case whose layers are stored.
    const Json& layerCase() const {
        for (const Json& entry : cases()) {
            if (entry["name"] == manifest_["layers"]["case"]) {
                return entry;
            }
        }
        FAIL("the manifest names no case for the layers of " << folder_);
        return cases()[0];
    }

    /// Runs `vnpu infer` with the inputs of a case and more arguments.
    void infer(const Json& entry, std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"infer", modelFile()});
        for (const Json& input : entry["inputs"]) {
            arguments.insert(arguments.end(),
                             {"--input", (golden() / input.get<std::string>()).string()});
        }
        const ProgramResult result = runVnpu(arguments);
        CHECK_MESSAGE(result.exitCode == 0, folder_.string(), ": ", result.errors);
    }

  private:
    fs::path folder_;
    Json manifest_;
};

bool isMissing() {
    if (fs::exists(sharedFolder() / "models")) {
        return false;
    }
    MESSAGE("skipped: no models in ", sharedFolder().string(), " (VNPU_SHARED)");
    return true;
}

std::size_t countDifferences(const std::string& a, const std::string& b) {
    REQUIRE(a.size() == b.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        count += a[i] != b[i] ? 1 : 0;
    }
    return count;
}

/// The largest difference as a share of the range of `expected`.
double relativeError(const std::string& actual, const std::string& expected) {
    REQUIRE(actual.size() == expected.size());
    std::vector<float> have(actual.size() / sizeof(float)), want(have.size());
    std::memcpy(have.data(), actual.data(), actual.size());
    std::memcpy(want.data(), expected.data(), expected.size());
    const auto [least, greatest] = std::minmax_element(want.begin(), want.end());
    double range = double{*greatest} - double{*least};
    if (range == 0.0) {
        range = std::max(1.0, std::abs(double{*greatest}));
    }
    double error = 0.0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        error = std::max(error, std::abs(double{have[i]} - double{want[i]}) / range);
    }
    return error;
}

template <typename Check>
void checkCases(const std::string& name, const Check& check) {
    const GoldenModel model(name);
    for (const Json& entry : model.cases()) {
        CAPTURE(name);
        CAPTURE(entry["name"].get<std::string>());
        const TemporaryFolder folder;
        model.infer(entry, {"--output", folder.path().string()});
        const Json& references = entry["outputs"]["ref"];
        for (std::size_t i = 0; i < references.size(); ++i) {
            check(readFile(folder.path() / ("out" + std::to_string(i) + ".bin")),
                  readFile(model.golden() / references[i].get<std::string>()));
        }
    }
}

/// The number of the operation in a file name "op07_...".
std::string operationOf(const fs::path& path) {
    return path.filename().string().substr(0, 4);
}

std::map<std::string, fs::path> layerFiles(const fs::path& folder) {
    std::map<std::string, fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        files[operationOf(entry.path())] = entry.path();
    }
    return files;
}

}  // namespace

TEST_SUITE_BEGIN("integration/golden_models");

TEST_CASE("quantized models give the reference's bytes [E-2]") {
    if (isMissing()) {
        return;
    }
    for (const std::string& name : kQuantized) {
        checkCases(name, [](const auto& actual, const auto& expected) {
            CHECK(countDifferences(actual, expected) == 0);
        });
    }
}

TEST_CASE("float models are within 1e-4 of the reference's range [E-2]") {
    if (isMissing()) {
        return;
    }
    for (const std::string& name : kFloat) {
        checkCases(name, [](const auto& actual, const auto& expected) {
            CHECK(relativeError(actual, expected) < kFloatTolerance);
        });
    }
}

/// The largest difference of two sets of values.
double largestDifference(const std::string& actual, const std::string& expected, bool areFloats) {
    REQUIRE(actual.size() == expected.size());
    double difference = 0.0;
    for (std::size_t i = 0; i + (areFloats ? 4 : 1) <= actual.size(); i += areFloats ? 4 : 1) {
        float have = static_cast<signed char>(actual[i]),
              want = static_cast<signed char>(expected[i]);
        if (areFloats) {
            std::memcpy(&have, actual.data() + i, sizeof(have));
            std::memcpy(&want, expected.data() + i, sizeof(want));
        }
        difference = std::max(difference, std::abs(double{have} - double{want}));
    }
    return difference;
}

TEST_CASE("an LSTM with 16-bit states is closer to the reference than other interpreters [E-2]") {
    if (isMissing()) {
        return;
    }
    checkCases("dtln_noise_suppression_int8", [](const auto& actual, const auto& expected) {
        CHECK(largestDifference(actual, expected, false) <= kStepsOf16Bit);
    });
}

TEST_CASE("a model that only moves bytes equals TensorFlow Lite [E-2]") {
    if (isMissing()) {
        return;
    }
    const GoldenModel model("split_concat_uint8");
    for (const Json& entry : model.cases()) {
        const TemporaryFolder folder;
        model.infer(entry, {"--output", folder.path().string()});
        const Json& references = entry["outputs"]["tflite"];
        REQUIRE(references.size() == 5);
        for (std::size_t i = 0; i < references.size(); ++i) {
            CHECK(countDifferences(readFile(folder.path() / ("out" + std::to_string(i) + ".bin")),
                                   readFile(model.golden() / references[i].get<std::string>())) ==
                  0);
        }
    }
}

TEST_CASE("a key point detector is as close to interpreters as they are to each other [E-2]") {
    if (isMissing()) {
        return;
    }
    const GoldenModel model("movenet_lightning_mixed");
    // Key points found in noise depend on the last bit; those of a person do not.
    const Json& entry = model.cases()[0];
    REQUIRE(entry["name"] == "squat");
    const TemporaryFolder folder;
    model.infer(entry, {"--output", folder.path().string()});
    const std::string actual = readFile(folder.path() / "out0.bin");
    double nearest = 1e9;
    for (const char* interpreter : {"tflite", "litert"}) {
        const std::string file = entry["outputs"][interpreter][0].get<std::string>();
        nearest =
                std::min(nearest, largestDifference(actual, readFile(model.golden() / file), true));
    }
    CHECK(nearest <= 0.3237);  // source: the manifest, tflite and litert on sample cases
}

TEST_CASE("every stored layer of the quantized models equals the reference [E-2]") {
    if (isMissing()) {
        return;
    }
    for (const std::string& name : kQuantized) {
        const GoldenModel model(name);
        if (!fs::exists(model.golden() / "layers")) {
            continue;
        }
        const TemporaryFolder folder;
        model.infer(model.layerCase(), {"--layers", folder.path().string()});
        const auto actual = layerFiles(folder.path());
        for (const auto& stored : layerFiles(model.golden() / "layers")) {
            const std::string& operation = stored.first;
            CAPTURE(name);
            CAPTURE(operation);
            REQUIRE(actual.contains(operation));
            CHECK(countDifferences(readFile(actual.at(operation)), readFile(stored.second)) == 0);
        }
    }
}

TEST_SUITE_END();
