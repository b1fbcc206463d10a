// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/vector_model.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/sim/conform/vector_fixture.h"
#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;

}  // namespace

TEST_SUITE_BEGIN("sim/conform/vector_model");

TEST_CASE("copied constants go to operandValues and referenced ones to pool 0 [MP-1] [MP-2]") {
    const nn::Model model = makeModel(exampleOf(addFile()));
    const nn::Operand& referenced = model.main.operands[1];
    const nn::Operand& copied = model.main.operands[2];
    CHECK(copied.location.length == 4);
    CHECK(model.operandValues.size() == 4);
    REQUIRE(model.pools.size() == 1);
    CHECK(referenced.location.length == 8);
    const auto pool = vnpu::hal::MappedPool::create(model.pools[0]);
    REQUIRE(pool.has_value());
    float value = 0.0F;
    std::memcpy(&value, pool->data() + referenced.location.offset + 4, sizeof(value));
    CHECK(value == 20.0F);
}

TEST_CASE("constants begin at multiples of four with their own length") {
    auto json = addFile();
    auto& operands = json["models"][0]["main"]["operands"];
    operands[1] = operandJson("TENSOR_QUANT8_ASYMM", {3}, "CONSTANT_COPY",
                              binary(std::vector<std::uint8_t>{1, 2, 3}));
    const nn::Model model = makeModel(exampleOf(json));
    CHECK(model.pools.size() == 0);
    CHECK(model.main.operands[1].location.length == 3);
    CHECK(model.main.operands[2].location.offset == 4);
    CHECK(model.operandValues.size() == 8);
}

TEST_CASE("a referenced subgraph is identified by its index") {
    auto json = addFile();
    auto& example = json["models"][0];
    example["referenced"] = nlohmann::json::array({example["main"], example["main"]});
    for (int i = 0; i < 2; ++i) {
        for (auto& operand : example["referenced"][static_cast<std::size_t>(i)]["operands"]) {
            const std::string lifetime = operand["lifetime"];
            if (lifetime == "SUBGRAPH_INPUT" || lifetime == "SUBGRAPH_OUTPUT") {
                operand["data"] = nullptr;
            }
        }
    }
    example["main"]["operands"][2] =
            operandJson("SUBGRAPH", {}, "SUBGRAPH", binary(std::vector<std::uint32_t>{1}));
    const nn::Model model = makeModel(exampleOf(json));
    CHECK(model.main.operands[2].location.offset == 1);
    CHECK(model.main.operands[2].location.length == 0);
    CHECK(model.referenced.size() == 2);
    // Main's eight bytes come first, then those of each subgraph.
    CHECK(model.referenced[0].operands[1].location.offset == 8);
    CHECK(model.referenced[1].operands[1].location.offset == 16);
}

TEST_CASE("referenced constants lie in the requested kind of pool [MP-4]") {
    const nn::Model model = makeModel(exampleOf(addFile()), PoolKind::kHardwareBufferBlob);
    REQUIRE(model.pools.size() == 1);
    CHECK(std::string(model.pools[0].name()) == "hardware_buffer_blob");
    const auto pool = vnpu::hal::MappedPool::create(model.pools[0]);
    REQUIRE(pool.has_value());
    float value = 0.0F;
    std::memcpy(&value, pool->data() + model.main.operands[1].location.offset, sizeof(value));
    CHECK(value == 10.0F);
}

TEST_CASE("outputs left open keep their rank, and nothing else is left open") {
    nn::Model model = makeModel(exampleOf(addFile()));
    leaveOutputsOpen(model);
    CHECK(model.main.operands[3].dimensions == android::hardware::hidl_vec<std::uint32_t>{0, 0});
    CHECK(model.main.operands[0].dimensions == android::hardware::hidl_vec<std::uint32_t>{1, 2});
}

TEST_SUITE_END();
