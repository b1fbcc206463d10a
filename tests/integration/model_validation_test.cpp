// SPDX-License-Identifier: Apache-2.0
// The NNAPI example models against the rules for models. They are not part of the repository.
#include "driver/validation/model_validation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sim/conform/quantization_twin.h"
#include "sim/conform/vector_model.h"
#include "tests/integration/supported_examples.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::test;
using vnpu::driver::HalVersion;
using vnpu::driver::validateModel;
using vnpu::sim::Example;

constexpr std::size_t kOperations = 102;  // of HAL 1.3
/// Models that name the first version that can express them, at least 1.1 and not above their
/// suite's.
constexpr std::size_t kLaterModels = 4872;
/// Models of one operation with unsigned 8-bit tensors, as counted by the suite of 1.3.
constexpr std::size_t kCoupledModels = 692;

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

/// Counts over all examples.
struct Tally {
    std::size_t valid = 0;
    std::size_t refusedBelow = 0;
    std::size_t coupled = 0;
    std::set<vnpu::sim::nn::OperationType> operations;

    /// The suite of 1.3 contains all models, and all with open output dimensions.
    static void checkLatest(const std::string& name, vnpu::sim::nn::Model model) {
        const auto asItIs = validateModel(model, HalVersion::k13);
        CHECK_MESSAGE(asItIs.has_value(), name,
                      " in 1.3: ", asItIs ? std::string() : asItIs.error().reason);
        vnpu::sim::leaveOutputsOpen(model);
        const auto open = validateModel(model, HalVersion::k13);
        CHECK_MESSAGE(open.has_value(), name,
                      " with open outputs: ", open ? std::string() : open.error().reason);
    }

    /// A model that is valid in unsigned types is also valid in signed ones.
    void addSigned(const Example& example) {
        const auto model = vnpu::sim::makeModel(vnpu::sim::makeSignedTwin(example));
        const auto result = validateModel(model, HalVersion::k13);
        CHECK_MESSAGE(result.has_value(), example.name,
                      " in signed types: ", result ? std::string() : result.error().reason);
        ++coupled;
    }

    /// A model is valid in the version of its suite and in none below its own.
    void add(const Example& example) {
        const auto model = vnpu::sim::makeModel(example);
        const auto result = validateModel(model, example.suite);
        CHECK_MESSAGE(result.has_value(), example.name, ": ",
                      result ? std::string() : result.error().reason);
        valid += result ? 1 : 0;
        checkLatest(example.name, model);
        if (!example.expectsFailure && vnpu::sim::isCoupled(example)) {
            addSigned(example);
        }
        for (const auto& operation : model.main.operations) {
            operations.insert(operation.type);
        }
        const HalVersion lowest = example.lowestHal.value_or(HalVersion::k10);
        if (example.expectsFailure || lowest == HalVersion::k10 || lowest > example.suite) {
            return;
        }
        const auto below = static_cast<HalVersion>(static_cast<int>(lowest) - 1);
        const bool isRefused = !validateModel(model, below).has_value();
        CHECK_MESSAGE(isRefused, example.name, " is valid before ", nameOf(lowest));
        refusedBelow += isRefused ? 1 : 0;
    }
};

}  // namespace

TEST_SUITE_BEGIN("integration/model_validation");

// Examples that are expected to fail do so during execution: the suites require their models to be
// valid.
TEST_CASE(
        "every NNAPI example is a valid model in its HAL version, but not in earlier ones [E-8]") {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return;
    }
    Tally tally;
    for (const auto& file : vectorFiles(folder)) {
        const auto vectors = vnpu::sim::readVectorFile(file.string());
        for (const Example& example : vectors.examples) {
            tally.add(example);
        }
    }
    CHECK(tally.valid == kAllModels);
    CHECK(tally.refusedBelow == kLaterModels);
    CHECK(tally.operations.size() == kOperations);
    CHECK(tally.coupled == kCoupledModels);
}

TEST_SUITE_END();
