// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/example_request.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "tests/sim/conform/vector_fixture.h"
#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

/// addFile() with a second output, of three bytes.
Example bytesThenFloats() {
    auto json = addFile();
    auto& graph = json["models"][0]["main"];
    graph["operands"].push_back(operandJson("TENSOR_QUANT8_ASYMM", {3}, "SUBGRAPH_OUTPUT",
                                            binary(std::vector<std::uint8_t>{1, 2, 3})));
    graph["outputs"] = {4, 3};
    return exampleOf(json);
}

/// Writes a byte of a request's pool as a device would.
void write(const ExampleRequest& request, std::size_t pool, std::size_t offset) {
    const auto mapped = vnpu::hal::MappedPool::create(request.request().pools[pool].hidlMemory());
    REQUIRE(mapped.has_value());
    REQUIRE(offset < mapped->size());
    mapped->data()[offset] = std::byte{0};
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/example_request");

TEST_CASE("inputs are filled in and outputs are marked as unwritten [MP-3]") {
    const ExampleRequest request(exampleOf(addFile()));
    const auto& input = request.request().inputs[0];
    const auto pool = vnpu::hal::MappedPool::create(request.request().pools[0].hidlMemory());
    REQUIRE(pool.has_value());
    CHECK(input.location.poolIndex == 0);
    CHECK(input.location.length == 8);
    float value = 0.0F;
    std::memcpy(&value, pool->data() + input.location.offset + 4, sizeof(value));
    CHECK(value == 2.0F);
    const auto output = request.output(0);
    CHECK(output.size() == 8);
    CHECK(std::all_of(output.begin(), output.end(), [](std::byte b) { return b == kUnwritten; }));
    CHECK(request.request().outputs[0].location.poolIndex == 1);
}

TEST_CASE("an omitted input has no value and no room") {
    auto json = addFile();
    json["models"][0]["main"]["operands"][0]["data"] = nullptr;
    const ExampleRequest request(exampleOf(json));
    CHECK(request.request().inputs[0].hasNoValue);
    CHECK(request.request().inputs[0].location.length == 0);
    CHECK(request.request().pools[0].hidlMemory().size() == 1);
}

TEST_CASE("a result without elements gets an argument of one byte") {
    auto json = addFile();
    auto& output = json["models"][0]["main"]["operands"][3];
    output["dims"] = {0, 2};
    output["data"] = nlohmann::json::binary({});
    const ExampleRequest request(exampleOf(json));
    CHECK_FALSE(request.request().outputs[0].hasNoValue);
    CHECK(request.request().outputs[0].location.length == 1);
}

TEST_CASE("outputs follow one another at multiples of four") {
    const ExampleRequest request(bytesThenFloats());
    REQUIRE(request.request().pools.size() == 2);
    CHECK(request.request().outputs[0].location.offset == 0);
    CHECK(request.request().outputs[0].location.length == 3);
    CHECK(request.request().outputs[1].location.offset == 4);
    CHECK(request.request().outputs[1].location.length == 8);
}

TEST_CASE("each tight output is at the end of its own pool") {
    const ExampleRequest request(bytesThenFloats(), PoolKind::kAshmem, OutputRoom::kTight);
    REQUIRE(request.request().pools.size() == 3);
    for (std::uint32_t i = 0; i < 2; ++i) {
        const auto& location = request.request().outputs[i].location;
        CHECK(location.poolIndex == i + 1);
        CHECK(location.offset > 0);
        CHECK(location.offset % 4 == 0);
        CHECK(location.offset + location.length ==
              request.request().pools[i + 1].hidlMemory().size());
    }
    CHECK(request.output(0).size() == 3);
    CHECK(request.output(1).size() == 8);
}

TEST_CASE("the short output lacks one byte, the others none") {
    const ExampleRequest request(bytesThenFloats(), PoolKind::kAshmem, OutputRoom::kShort);
    CHECK(request.request().outputs[0].location.length == 2);
    CHECK(request.request().outputs[1].location.length == 8);
}

TEST_CASE("pools have the requested kind [MP-4]") {
    const ExampleRequest request(exampleOf(addFile()), PoolKind::kMmapFd);
    for (const auto& pool : request.request().pools) {
        CHECK(std::string(pool.hidlMemory().name()) == "mmap_fd");
    }
}

TEST_CASE("a byte written outside the outputs is found") {
    SUBCASE("between two") {
        const ExampleRequest request(bytesThenFloats());
        write(request, 1, 2);
        write(request, 1, 4);
        CHECK(request.findStrayByte() == "");
        write(request, 1, 3);
        CHECK(request.findStrayByte() ==
              "byte 3 of output pool 0 was written, no output lies there");
    }
    SUBCASE("before a tight one") {
        const ExampleRequest request(bytesThenFloats(), PoolKind::kAshmem, OutputRoom::kTight);
        const std::uint32_t offset = request.request().outputs[1].location.offset;
        write(request, 2, offset);
        CHECK(request.findStrayByte() == "");
        write(request, 2, offset - 1);
        CHECK(request.findStrayByte().find("of output pool 1") != std::string::npos);
    }
    SUBCASE("after a short one") {
        const ExampleRequest request(bytesThenFloats(), PoolKind::kAshmem, OutputRoom::kShort);
        write(request, 1, 2);
        CHECK(request.findStrayByte().find("byte 2 of") == 0);
    }
}

TEST_SUITE_END();
