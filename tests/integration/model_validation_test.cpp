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
constexpr auto kUnsigned = vnpu::sim::nn::OperandType::TENSOR_QUANT8_ASYMM;
constexpr std::size_t kOperations = 102;  // of HAL 1.3
/// Models that say which version can express them first, 1.1 at least and not above their suite's.
constexpr std::size_t kLaterModels = 4872;
/// Models of one operation with unsigned 8-bit tensors, as the suite of 1.3 counts them.
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

/// Whether the suite of 1.3 runs the model with signed 8-bit types as well. The operations left out
/// take the bytes of such tensors for something else, or have no signed form.
bool isCoupled(const Example& example, const vnpu::sim::nn::Model& model) {
    using Op = vnpu::sim::nn::OperationType;
    const std::set<Op> kExempt = {Op::HASHTABLE_LOOKUP, Op::LSH_PROJECTION, Op::PAD_V2, Op::CAST,
                                  Op::QUANTIZED_16BIT_LSTM};
    if (example.expectsFailure || model.main.operations.size() != 1 ||
        kExempt.count(model.main.operations[0].type) != 0) {
        return false;
    }
    return std::any_of(model.main.operands.begin(), model.main.operands.end(),
                       [](const auto& operand) { return operand.type == kUnsigned; });
}

void makeSigned(vnpu::sim::nn::Subgraph& subgraph) {
    for (auto& operand : subgraph.operands) {
        if (operand.type == kUnsigned) {
            operand.type = vnpu::sim::nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
            operand.zeroPoint -= 128;
        }
    }
}

/// Counts over all examples.
struct Tally {
    std::size_t valid = 0;
    std::size_t refusedBelow = 0;
    std::size_t coupled = 0;
    std::set<vnpu::sim::nn::OperationType> operations;

    /// The suite of 1.3 has all models, and all with open dimensions of their outputs.
    static void checkLatest(const std::string& name, vnpu::sim::nn::Model model) {
        const auto asItIs = validateModel(model, HalVersion::k13);
        CHECK_MESSAGE(asItIs.has_value(), name,
                      " in 1.3: ", asItIs ? std::string() : asItIs.error().reason);
        for (const std::uint32_t output : model.main.outputIndexes) {
            auto& dimensions = model.main.operands[output].dimensions;
            std::fill(dimensions.begin(), dimensions.end(), 0);
        }
        const auto open = validateModel(model, HalVersion::k13);
        CHECK_MESSAGE(open.has_value(), name,
                      " with open outputs: ", open ? std::string() : open.error().reason);
    }

    /// What is valid in unsigned types is so in signed ones.
    void addSigned(const std::string& name, vnpu::sim::nn::Model model) {
        makeSigned(model.main);
        std::for_each(model.referenced.begin(), model.referenced.end(), makeSigned);
        const auto result = validateModel(model, HalVersion::k13);
        CHECK_MESSAGE(result.has_value(), name,
                      " in signed types: ", result ? std::string() : result.error().reason);
        ++coupled;
    }

    /// A model is valid in the version whose suite has it, and in none below its own.
    void add(const Example& example, HalVersion suite, const std::string& lowest) {
        const auto model = vnpu::sim::makeModel(example);
        const auto result = validateModel(model, suite);
        CHECK_MESSAGE(result.has_value(), example.name, ": ",
                      result ? std::string() : result.error().reason);
        valid += result ? 1 : 0;
        checkLatest(example.name, model);
        if (isCoupled(example, model)) {
            addSigned(example.name, model);
        }
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
    CHECK(tally.coupled == kCoupledModels);
}

TEST_SUITE_END();
