// SPDX-License-Identifier: Apache-2.0
// The NNAPI spec examples against the rules for models. They are not part of the repository.
#include "driver/validation/model_validation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "sim/conform/vector_model.h"
#include "tests/integration/shared_folder.h"

namespace {

using namespace vnpu::test;
using vnpu::driver::HalVersion;
using vnpu::driver::validateModel;
using vnpu::sim::Example;

constexpr std::size_t kAllModels = 6802;
constexpr std::size_t kOperations = 102;  // of HAL 1.3
/// Models that say which version can express them first, 1.1 at least and not above their suite's.
constexpr std::size_t kLaterModels = 4872;

std::vector<std::filesystem::path> vectorFiles(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".cbor") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// "V1_2" as a version.
HalVersion versionOf(const std::string& hal) {
    return static_cast<HalVersion>(hal.back() - '0');
}

/// What the models of a file say of the lowest version that can express them, in their order.
std::vector<std::string> lowestVersions(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(stream)),
                                          std::istreambuf_iterator<char>());
    std::vector<std::string> versions;
    const nlohmann::json content = nlohmann::json::from_cbor(bytes);
    for (const auto& model : content.at("models")) {
        versions.push_back(model.at("min_hal").get<std::string>());
    }
    return versions;
}

/// Counts over all examples.
struct Tally {
    std::size_t valid = 0;
    std::size_t refusedBelow = 0;
    std::set<vnpu::sim::nn::OperationType> operations;

    /// A model is valid in the version whose suite has it, and in none below its own.
    void add(const Example& example, HalVersion suite, const std::string& lowest) {
        const auto model = vnpu::sim::makeModel(example);
        const auto result = validateModel(model, suite);
        CHECK_MESSAGE(result.has_value(), example.name, ": ",
                      result ? std::string() : result.error().reason);
        valid += result ? 1 : 0;
        for (const auto& operation : model.main.operations) {
            operations.insert(operation.type);
        }
        if (example.expectsFailure || lowest == "UNKNOWN" || lowest == "V1_0" ||
            versionOf(lowest) > suite) {
            return;
        }
        const auto below = static_cast<HalVersion>(static_cast<int>(versionOf(lowest)) - 1);
        const bool isRefused = !validateModel(model, below).has_value();
        CHECK_MESSAGE(isRefused, example.name, " is valid before ", lowest);
        refusedBelow += isRefused ? 1 : 0;
    }
};

}  // namespace

TEST_SUITE_BEGIN("integration/model_validation");

// Those that are expected to fail do so in execution: the suites want their models valid.
TEST_CASE("every NNAPI example is a valid model in its HAL version, and not before [E-8]") {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    Tally tally;
    for (const auto& file : vectorFiles(folder)) {
        const auto vectors = vnpu::sim::readVectorFile(file.string());
        const auto lowest = lowestVersions(file);
        REQUIRE(lowest.size() == vectors.examples.size());
        for (std::size_t i = 0; i < lowest.size(); ++i) {
            tally.add(vectors.examples[i], versionOf(vectors.hal), lowest[i]);
        }
    }
    CHECK(tally.valid == kAllModels);
    CHECK(tally.refusedBelow == kLaterModels);
    CHECK(tally.operations.size() == kOperations);
}

TEST_SUITE_END();
