// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/flavor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/sim/conform/vector_fixture.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using vnpu::driver::HalVersion;

}  // namespace

TEST_SUITE_BEGIN("sim/conform/flavor");

TEST_CASE("a flavor is described by path, version and differences from the default") {
    CHECK(describe({}) == "sync, HAL 1.3");
    CHECK(describe({.path = ExecutionPath::kFenced, .memory = MemoryKind::kDomains}) ==
          "fenced, HAL 1.3, domains");
    CHECK(describe({.path = ExecutionPath::kAsync,
                    .hal = HalVersion::k12,
                    .pools = PoolKind::kMmapFd,
                    .outputs = OutputKind::kShort,
                    .isCached = true,
                    .isMeasured = true}) ==
          "async, HAL 1.2, mmap_fd, short outputs, cache, timing");
    CHECK(describe({.interruption = Interruption::kRestart}) ==
          "sync, HAL 1.3, interrupted by restart");
}

TEST_CASE("a version has its own features and not those of later ones") {
    struct Row {
        Flavor flavor;
        HalVersion since;
    };
    const std::vector<Row> rows = {
            {{.path = ExecutionPath::kAsync}, HalVersion::k10},
            {{.path = ExecutionPath::kAsync, .pools = PoolKind::kMmapFd}, HalVersion::k10},
            {{.path = ExecutionPath::kAsync, .outputs = OutputKind::kTight}, HalVersion::k10},
            {{.path = ExecutionPath::kSync}, HalVersion::k12},
            {{.path = ExecutionPath::kAsync, .pools = PoolKind::kHardwareBufferBlob},
             HalVersion::k12},
            {{.path = ExecutionPath::kAsync, .outputs = OutputKind::kDynamic}, HalVersion::k12},
            {{.path = ExecutionPath::kAsync, .outputs = OutputKind::kShort}, HalVersion::k12},
            {{.path = ExecutionPath::kAsync, .isCached = true}, HalVersion::k12},
            {{.path = ExecutionPath::kAsync, .isMeasured = true}, HalVersion::k12},
            {{.path = ExecutionPath::kFenced}, HalVersion::k13},
            {{.path = ExecutionPath::kAsync, .memory = MemoryKind::kDomains}, HalVersion::k13},
            {{.path = ExecutionPath::kAsync, .isCoupled = true}, HalVersion::k13},
            {{.path = ExecutionPath::kAsync, .interruption = Interruption::kCheckpoint},
             HalVersion::k13}};
    for (Row row : rows) {
        for (const HalVersion version :
             {HalVersion::k10, HalVersion::k11, HalVersion::k12, HalVersion::k13}) {
            row.flavor.hal = version;
            CAPTURE(describe(row.flavor));
            CHECK(contradictionIn(row.flavor).empty() == (version >= row.since));
        }
    }
}

TEST_CASE("a contradiction is reported with the required version") {
    CHECK(contradictionIn({.path = ExecutionPath::kFenced, .hal = HalVersion::k12}) ==
          "HAL 1.2 has no fenced executions, expected HAL 1.3 or later");
}

TEST_CASE("a buffer of the device can be neither tight nor short [MD-2]") {
    Flavor flavor{.memory = MemoryKind::kDomains};
    flavor.outputs = OutputKind::kTight;
    CHECK_FALSE(contradictionIn(flavor).empty());
    flavor.outputs = OutputKind::kShort;
    CHECK_FALSE(contradictionIn(flavor).empty());
    flavor.outputs = OutputKind::kDynamic;
    CHECK(contradictionIn(flavor).empty());
}

TEST_CASE("all flavors are different, without contradictions, and cover every path and version") {
    const std::vector<Flavor> flavors = allFlavors();
    std::set<std::string> names;
    for (const Flavor& flavor : flavors) {
        CHECK(contradictionIn(flavor).empty());
        names.insert(describe(flavor));
    }
    CHECK(names.size() == flavors.size());
    for (const char* name :
         {"sync, HAL 1.3", "async, HAL 1.3", "fenced, HAL 1.3", "sync, HAL 1.2", "async, HAL 1.2",
          "async, HAL 1.1", "async, HAL 1.0", "fenced, HAL 1.3, domains",
          "sync, HAL 1.2, short outputs", "async, HAL 1.0, mmap_fd"}) {
        CHECK_MESSAGE(names.contains(name), name);
    }
    CHECK_FALSE(names.contains("sync, HAL 1.1"));
}

TEST_CASE("the C interface has pointers, bursts with domains, one version, and no interruptions") {
    const auto contradiction = [](Flavor flavor) {
        flavor.interface = ClientInterface::kNdk;
        return contradictionIn(flavor);
    };
    CHECK(contradiction({.memory = MemoryKind::kPointers}).empty());
    CHECK(contradiction({.path = ExecutionPath::kBurst, .memory = MemoryKind::kDomains}).empty());
    CHECK_FALSE(contradiction({.hal = HalVersion::k12}).empty());
    CHECK_FALSE(contradiction({.interruption = Interruption::kRestart}).empty());
    CHECK_FALSE(
            contradiction({.memory = MemoryKind::kDomains, .outputs = OutputKind::kShort}).empty());
    CHECK_FALSE(contradictionIn({.memory = MemoryKind::kPointers}).empty());
    CHECK_FALSE(contradictionIn({.path = ExecutionPath::kBurst, .memory = MemoryKind::kDomains})
                        .empty());
}

TEST_CASE("all flavors of the C interface are different and cover every path and memory") {
    const std::vector<Flavor> flavors = allFlavors(ClientInterface::kNdk);
    std::set<std::string> names;
    for (const Flavor& flavor : flavors) {
        CHECK(contradictionIn(flavor).empty());
        names.insert(describe(flavor));
    }
    CHECK(names.size() == flavors.size());
    // Four paths, each plain and with eleven differences.
    CHECK(names.size() == 48);
    for (const char* name :
         {"sync, NDK", "async, NDK", "fenced, NDK", "burst, NDK", "burst, NDK, domains",
          "sync, NDK, pointers", "async, NDK, hardware_buffer_blob", "fenced, NDK, cache"}) {
        CHECK_MESSAGE(names.contains(name), name);
    }
}

TEST_CASE("an example is omitted in versions before its suite's and before its own") {
    Example example = parseVectorFile("v.cbor", cborOf(addFile())).examples[0];
    const auto isLeftOut = [&](HalVersion version) {
        return !reasonToOmit(example, {.path = ExecutionPath::kAsync, .hal = version}).empty();
    };
    CHECK_FALSE(isLeftOut(HalVersion::k10));
    example.lowestHal = HalVersion::k11;
    CHECK(isLeftOut(HalVersion::k10));
    CHECK_FALSE(isLeftOut(HalVersion::k11));
    example.lowestHal.reset();
    example.suite = HalVersion::k12;
    CHECK(isLeftOut(HalVersion::k11));
    CHECK_FALSE(isLeftOut(HalVersion::k12));
}

TEST_CASE("an example is omitted in flavors that do not apply to it") {
    auto json = addFile();
    auto& output = json["models"][0]["main"]["operands"][3];
    const Flavor open{.outputs = OutputKind::kDynamic};
    const Flavor shortened{.outputs = OutputKind::kShort};
    const auto reason = [&](const Flavor& flavor) {
        return reasonToOmit(parseVectorFile("v.cbor", cborOf(json)).examples[0], flavor);
    };
    CHECK(reason(open).empty());
    CHECK(reason(shortened).empty());
    SUBCASE("a scalar's shape cannot be left open") {
        output = operandJson("FLOAT32", {}, "SUBGRAPH_OUTPUT", binary(std::vector<float>{1.0F}));
        CHECK_FALSE(reason(open).empty());
        CHECK_FALSE(reason(shortened).empty());
        CHECK(reason({}).empty());
    }
    SUBCASE("an output of one byte cannot be shortened") {
        output = operandJson("TENSOR_QUANT8_ASYMM", {1}, "SUBGRAPH_OUTPUT",
                             binary(std::vector<std::uint8_t>{1}));
        CHECK(reason(open).empty());
        CHECK_FALSE(reason(shortened).empty());
    }
    SUBCASE("examples that must fail are run only in plain flavors") {
        json["models"][0]["expect_failure"] = true;
        CHECK_FALSE(reason(open).empty());
        CHECK_FALSE(reason({.memory = MemoryKind::kDomains}).empty());
        CHECK(reason({}).empty());
        CHECK(reason({.isCached = true}).empty());
    }
    SUBCASE("floats have no twin") {
        CHECK_FALSE(reason({.isCoupled = true}).empty());
    }
}

TEST_SUITE_END();
