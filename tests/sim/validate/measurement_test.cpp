// SPDX-License-Identifier: Apache-2.0
#include "sim/validate/measurement.h"

#include <doctest/doctest.h>

#include "sim/base/error.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;

ProcessResult endedWith(int code) {
    ProcessResult result;
    result.isExited = true;
    result.code = code;
    return result;
}

TEST_SUITE_BEGIN("sim/validate/measurement");

TEST_CASE("requests and answers are unchanged by conversion to JSON and back [E-3]") {
    const LayerShape layer{9, 8, 3, 2, 5, 6, 1, 0};
    const SyntheticWork work{{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, std::uint64_t{1} << 40U}},
                             true};
    const SingleOperation operation{OperationKind::kLookupFloat, 2, 3, 4};
    const MeasureRequest request{
            "base = \"edge\"\n",
            {ZooModel{"ds_cnn", 3}, layer, work, operation, NvdlaModel{"alexnet", true}},
            "latency-tenth",
            false};
    const MeasureRequest read = measureRequestFrom(toJson(request));
    CHECK(read.config == request.config);
    CHECK(read.mutant == "latency-tenth");
    CHECK_FALSE(read.hasCheckpoints);
    REQUIRE(read.models.size() == 5);
    CHECK(std::get<ZooModel>(read.models[0]).name == "ds_cnn");
    CHECK(std::get<ZooModel>(read.models[0]).batch == 3);
    CHECK((std::get<LayerShape>(read.models[1]) == layer));
    CHECK(std::get<SyntheticWork>(read.models[2]).layers == work.layers);
    CHECK(std::get<SyntheticWork>(read.models[2]).inLargestTiles);
    CHECK((std::get<SingleOperation>(read.models[3]) == operation));
    CHECK((std::get<NvdlaModel>(read.models[4]) == NvdlaModel{"alexnet", true}));

    ProcessResult result = endedWith(0);
    result.output = toJson(std::vector<Measurement>{
            {"", 1, 7, 2, 3, 4, 5, 6, {{8, 9, 10, 11, 12, 13.5, 14, 15}, {}}}, {.error = "no"}});
    const auto back = measurementsOf(result, 2);
    CHECK(back[0].error.empty());
    CHECK(back[0].cycles == 1);
    CHECK(back[0].jobCycles == 7);
    CHECK(back[0].macActiveCycles == 2);
    CHECK(back[0].macOperations == 3);
    CHECK(back[0].bytesRead == 4);
    CHECK(back[0].bytesWritten == 5);
    CHECK(back[0].estimatedCycles == 6);
    REQUIRE(back[0].operations.size() == 2);
    CHECK((back[0].operations[0] == OperationWork{8, 9, 10, 11, 12, 13.5, 14, 15}));
    CHECK((back[0].operations[1] == OperationWork{}));
    CHECK(back[1].error == "no");
}

TEST_CASE("invalid requests and answers are reported [E-3]") {
    for (const char* text : {"", "{", "[]", "{}", "{\"config\": \"\", \"models\": [{}]}",
                             "{\"config\": \"\", \"models\": [], \"mutant\": \"none\"}",
                             "{\"config\": \"\", \"models\": [{\"layer\": [1]}]}",
                             "{\"config\": \"\", \"models\": [{\"work\": [[1]]}]}"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(measureRequestFrom(text), InputError);
    }
    // A kind of operation that there is not.
    const auto unknown =
            measureRequestFrom(R"({"config": "base = \"edge\"\n", "models": [{"kind": 3, "model":)"
                               R"( {"kind": 99, "rows": 1, "depth": 1, "columns": 1}}]})");
    CHECK_THROWS_AS(operationNetwork(std::get<SingleOperation>(unknown.models[0])), InputError);
    ProcessResult result = endedWith(0);
    for (const char* text : {"", "[]", "{}", "[{}, {}]"}) {
        result.output = text;
        const auto answers = measurementsOf(result, 2);
        REQUIRE(answers.size() == 2);
        CHECK(answers[1].error == "it wrote no answer");
    }
    result = endedWith(2);
    result.errors = "vnpu: bad thing\n";
    CHECK(measurementsOf(result, 1).front().error == "bad thing");
}

TEST_CASE("a layer on the device takes the closed form's MAC cycles [E-3]") {
    vnpu::test::simCase([] {
        // 40 x 40 x 48 products on 16 x 16: 3 * 3 folds of 2*16 + 16 + 40 - 2 = 86.
        const auto runs =
                measure({"base = \"ws16\"\n", {LayerShape{1, 1, 1, 1, 48, 40, 1, 40}}, ""});
        REQUIRE(runs.size() == 1);
        CHECK(runs[0].error.empty());
        CHECK(runs[0].macActiveCycles == 9 * 86);
        CHECK(runs[0].macOperations == 40 * 40 * 48);
        CHECK(runs[0].cycles > runs[0].macActiveCycles);
        CHECK(runs[0].jobCycles > runs[0].cycles);
        // Input and filter at least, results exactly: some 1,600 bytes.
        CHECK(runs[0].bytesRead >= 48 * 40 + 40 * 48);
        CHECK(runs[0].bytesWritten >= 40 * 40);
    });
}

TEST_CASE("Winograd takes 16 steps for 2 x 2 outputs of a 3 x 3 filter [E-3]") {
    vnpu::test::simCase([] {
        // 8 x 8 outputs, 64 channels, 32 kernels on 64 x 32: 16 tiles of 16 steps; without, 64
        // outputs of 9.
        const LayerShape layer{10, 10, 3, 3, 64, 32, 1, 0};
        const auto runs = measure({"base = \"nvdla-2048\"\n", {layer}, ""});
        CHECK(runs.at(0).macActiveCycles == 16 * 16);
    });
}

TEST_CASE("a model that the device refuses has the reason instead of numbers [E-3]") {
    vnpu::test::simCase([] {
        const LayerShape small{1, 1, 1, 1, 16, 16, 1, 16};
        const auto runs =
                measure({"base = \"edge\"\n[dram]\nmib = 1\n", {ZooModel{"vgg16", 1}, small}, ""});
        REQUIRE(runs.size() == 2);
        CHECK_FALSE(runs[0].error.empty());
        CHECK(runs[1].error.empty());
    });
}

TEST_CASE("a mutant stands for the device, whose configuration stays the same [E-3]") {
    vnpu::test::simCase([] {
        // As above on an array of half the columns: 3 * 5 folds of 2*16 + 8 + 40 - 2 = 78.
        const auto runs = measure(
                {"base = \"ws16\"\n", {LayerShape{1, 1, 1, 1, 48, 40, 1, 40}}, "columns-half"});
        REQUIRE(runs.size() == 1);
        CHECK(runs[0].macActiveCycles == 15 * 78);
    });
}

TEST_SUITE_END();

}  // namespace
