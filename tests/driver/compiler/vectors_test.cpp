// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "tests/driver/compiler/test_device.h"
#include "tests/driver/compiler/vector_file.h"

namespace vnpu::driver::test {
namespace {

struct Tally {
    int passed = 0, unsupported = 0, failed = 0, asSigned = 0;
    std::map<std::string, int> reasons;
};

/// Compiles and runs one model; adds to the tally and tells what went wrong.
std::string check(const VectorModel& vector, const DeviceInfo& device, std::uint32_t seed,
                  Tally& tally) {
    const auto reasons = findUnsupported(vector.model);
    const auto refused = std::find_if(reasons.begin(), reasons.end(),
                                      [](const std::string& reason) { return !reason.empty(); });
    const std::vector<PoolView> pools =
            vector.hasPool ? std::vector<PoolView>{vector.pool} : std::vector<PoolView>{};
    const auto compiled = compile(vector.model, pools, device);
    if (refused != reasons.end() || vector.expectsFailure) {
        ++tally.unsupported;
        ++tally.reasons[refused != reasons.end() ? *refused : "expected to fail"];
        return compiled && !vector.expectsFailure ? "compiled in spite of: " + *refused : "";
    }
    if (!compiled) {
        return "refused by compile: " + compiled.error().reason;
    }
    const InterpretedRun run = interpret(*compiled, device, pools, vector.inputs, seed);
    if (!run.error.empty()) {
        return run.error;
    }
    for (std::size_t i = 0; i < vector.outputs.size(); ++i) {
        if (vector.outputs[i].empty()) {
            continue;
        }
        if (std::string difference = compareOutput(vector, i, run.outputs[i]);
            !difference.empty()) {
            return difference;
        }
    }
    ++tally.passed;
    return "";
}

/// With open output dimensions the compiler must find the same shapes, or say that it cannot.
std::string checkOpenOutputs(VectorModel vector, const DeviceInfo& device) {
    auto& main = vector.model.main;
    std::vector<std::vector<std::uint32_t>> expected;
    for (const std::uint32_t o : main.outputIndexes) {
        expected.push_back(main.operands[o].dimensions);
        for (std::uint32_t& dimension : main.operands[o].dimensions) {
            dimension = 0;
        }
    }
    const std::vector<PoolView> pools{vector.pool};
    const auto compiled = compile(vector.model, pools, device);
    if (!compiled) {
        return compiled.error().status == ErrorStatus::GENERAL_FAILURE
                       ? ""
                       : "with open outputs: " + compiled.error().reason;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (compiled->outputs[i].dimensions != expected[i]) {
            return "another shape with open outputs";
        }
    }
    return "";
}

Tally checkAll(const std::filesystem::path& folder, const DeviceInfo& device) {
    Tally tally;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".cbor") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::uint32_t seed = 1;
    for (const auto& file : files) {
        for (const VectorModel& vector : readVectorFile(file)) {
            const int passed = tally.passed;
            std::string problem = check(vector, device, seed++, tally);
            if (tally.passed > passed) {
                problem = checkOpenOutputs(vector, device);
            }
            if (problem.empty() && hasSignedVariant(vector) && !vector.expectsFailure) {
                Tally second;
                problem = check(toSigned(vector), device, seed++, second);
                tally.asSigned += second.passed;
                if (problem.empty() && (second.passed > 0) != (tally.passed > passed)) {
                    problem = "refused in one of the signed and unsigned forms";
                }
            }
            if (!problem.empty()) {
                ++tally.failed;
                FAIL_CHECK(vector.name << ": " << problem);
            }
        }
    }
    return tally;
}

}  // namespace

TEST_SUITE("driver/compiler/vectors") {
    TEST_CASE("every NNAPI example of a supported operation gives its expected outputs [E-2]") {
        const auto folder = vectorFolder();
        if (!folder) {
            MESSAGE("skipped: no vectors");
            return;
        }
        const Tally tally = checkAll(*folder, edgeDevice());
        MESSAGE(tally.passed << " passed, " << tally.failed << " failed, " << tally.unsupported
                             << " unsupported; " << tally.asSigned << " passed as signed");
        if (std::getenv("VNPU_REASONS") != nullptr) {
            for (const auto& [reason, count] : tally.reasons) {
                MESSAGE(count << " x " << reason);
            }
        }
        CHECK(tally.failed == 0);
        CHECK(tally.passed > 1000);
    }
}

}  // namespace vnpu::driver::test
