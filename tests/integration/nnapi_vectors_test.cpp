// SPDX-License-Identifier: Apache-2.0
// The NNAPI example models through `vnpu conform`. They are not part of the repository.
#include <doctest/doctest.h>

#include <vector>

#include "sim/conform/conform_run.h"
#include "tests/integration/supported_examples.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"
#include "tests/support/source_folder.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::test;
using vnpu::driver::HalVersion;

/// A flavor and the minimum number of examples in it.
struct FlavorExpectation {
    Flavor flavor;
    std::size_t leastPassed = 0;
};

/// The folder of vectors, or empty if there is none.
std::string vectorFolder() {
    const auto folder = sharedFolder() / "nnapi_vectors";
    if (!std::filesystem::exists(folder)) {
        MESSAGE("skipped: no vectors in ", folder.string(), " (VNPU_SHARED)");
        return "";
    }
    return folder.string();
}

/// Runs all examples in all these flavors on one device.
void checkVectors(const std::vector<FlavorExpectation>& expectations) {
    const std::string folder = vectorFolder();
    if (folder.empty()) {
        return;
    }
    simCase([&] {
        CaseSession session("conform", {});
        ConformOrder order{.folder = folder, .cases = session, .config = "edge", .flavors = {}};
        for (const FlavorExpectation& expectation : expectations) {
            order.flavors.push_back(expectation.flavor);
        }
        const std::vector<ConformTally> tallies = runConformance(order);
        REQUIRE(tallies.size() == expectations.size());
        for (std::size_t i = 0; i < tallies.size(); ++i) {
            CAPTURE(describe(tallies[i].flavor));
            for (const ConformNote& failure : tallies[i].failed) {
                MESSAGE(failure.example, ": ", failure.detail);
            }
            const ConformSum sum = sumOf({tallies[i]});
            CHECK(sum.failed == 0);
            CHECK(sum.unsupported <= kUnsupported);
            CHECK(sum.passed >= expectations[i].leastPassed);
            CHECK(sum.passed + sum.failed + sum.unsupported + sum.omitted == kAllModels);
        }
    });
}

}  // namespace

TEST_SUITE_BEGIN("integration/nnapi_vectors");

TEST_CASE("no supported NNAPI example fails on any path [E-8]") {
    checkVectors({{{.path = ExecutionPath::kSync}, kSupported},
                  {{.path = ExecutionPath::kAsync, .isMeasured = true}, kSupported},
                  {{.path = ExecutionPath::kFenced, .isMeasured = true}, kSupported}});
}

TEST_CASE("no NNAPI example fails in memory domains [MD-2] [MD-4] [MD-5]") {
    checkVectors({{{.path = ExecutionPath::kFenced, .memory = MemoryKind::kDomains}, 6747},
                  {{.path = ExecutionPath::kAsync,
                    .memory = MemoryKind::kDomains,
                    .outputs = OutputKind::kDynamic},
                   6729}});
}

TEST_CASE("no NNAPI example fails in files or hardware buffers [MP-4]") {
    checkVectors(
            {{{.path = ExecutionPath::kAsync, .pools = PoolKind::kMmapFd}, kSupported},
             {{.path = ExecutionPath::kSync, .pools = PoolKind::kHardwareBufferBlob}, kSupported}});
}

TEST_CASE("no NNAPI example fails with dynamic, tight or short outputs [MP-3]") {
    checkVectors({{{.path = ExecutionPath::kAsync, .outputs = OutputKind::kDynamic}, 6729},
                  {{.path = ExecutionPath::kFenced, .outputs = OutputKind::kTight}, kSupported},
                  {{.path = ExecutionPath::kSync, .outputs = OutputKind::kShort}, 6448},
                  {{.path = ExecutionPath::kFenced, .outputs = OutputKind::kShort}, 6448}});
}

TEST_CASE("no NNAPI example fails in an earlier HAL version that supports it [E-8]") {
    checkVectors({{{.path = ExecutionPath::kAsync, .hal = HalVersion::k10}, 291},
                  {{.path = ExecutionPath::kAsync, .hal = HalVersion::k11}, 778},
                  {{.path = ExecutionPath::kSync, .hal = HalVersion::k12, .isCached = true}, 4811},
                  {{.path = ExecutionPath::kAsync,
                    .hal = HalVersion::k12,
                    .outputs = OutputKind::kDynamic},
                   4767}});
}

TEST_CASE("an 8-bit NNAPI example ends like its twin, signed or not [E-8]") {
    checkVectors({{{.path = ExecutionPath::kSync, .isCoupled = true}, 692},
                  {{.path = ExecutionPath::kFenced, .isCoupled = true}, 692}});
}

TEST_CASE("no supported NNAPI example fails in bursts [E-8] [B-5]") {
    checkVectors({{{.path = ExecutionPath::kBurst, .isMeasured = true}, kSupported},
                  {{.path = ExecutionPath::kBurst,
                    .hal = HalVersion::k12,
                    .outputs = OutputKind::kShort},
                   4580}});
}

TEST_CASE("the last line of conform has the counts of models") {
    if (vectorFolder().empty()) {
        return;
    }
    const ProgramResult result =
            runVnpu({"conform", vectorFolder() + "/V1_0/add.cbor", "--filter", "^add$"});
    CHECK(result.exitCode == 0);
    const std::string last = "1 passed, 0 failed, 0 unsupported\n";
    REQUIRE(result.output.size() >= last.size());
    CHECK(result.output.substr(result.output.size() - last.size()) == last);
}

TEST_SUITE_END();
