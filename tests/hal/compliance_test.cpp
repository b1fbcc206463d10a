// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/conversion.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using android::hardware::hidl_memory;
using vnpu::hal::checkCompliance;
using vnpu::hal::HalVersion;
using namespace android::hardware::neuralnetworks::V1_3;
namespace nn = android::hardware::neuralnetworks;

constexpr HalVersion kVersions[] = {HalVersion::k10, HalVersion::k11, HalVersion::k12,
                                    HalVersion::k13};

/// Two operations, each from one operand to another.
Model twoOperations(OperationType first, OperationType second) {
    const Operand tensor{.type = OperandType::TENSOR_FLOAT32,
                         .lifetime = OperandLifeTime::SUBGRAPH_INPUT};
    return {.main = {.operands = std::vector<Operand>(4, tensor),
                     .operations = {{.type = first, .inputs = {0}, .outputs = {1}},
                                    {.type = second, .inputs = {2}, .outputs = {3}}}}};
}

Model plain() {
    return twoOperations(OperationType::RELU, OperationType::RELU);
}

std::string reasonOf(const Model& model, HalVersion version) {
    return checkCompliance(model, version).reason.value_or("");
}

TEST_SUITE_BEGIN("hal/compliance");

TEST_CASE("an operation is there since its version") {
    const std::pair<OperationType, HalVersion> operations[] = {
            {OperationType::TANH, HalVersion::k10},
            {OperationType::TRANSPOSE, HalVersion::k11},
            {OperationType::RESIZE_NEAREST_NEIGHBOR, HalVersion::k12},
            {OperationType::RANK, HalVersion::k13}};
    for (const auto& [operation, since] : operations) {
        for (const HalVersion version : kVersions) {
            const auto compliance =
                    checkCompliance(twoOperations(OperationType::RELU, operation), version);
            CHECK(static_cast<bool>(compliance) == (version >= since));
            CHECK(compliance.operations ==
                  (version >= since ? std::set<uint32_t>{} : std::set<uint32_t>{1}));
        }
    }
    CHECK(reasonOf(twoOperations(OperationType::RANK, OperationType::RELU), HalVersion::k12) ==
          "operation 0 is RANK, which HAL 1.2 does not have");
}

TEST_CASE("an operand's type is there since its version") {
    const std::pair<OperandType, HalVersion> types[] = {
            {OperandType::TENSOR_QUANT8_ASYMM, HalVersion::k10},
            {OperandType::TENSOR_OEM_BYTE, HalVersion::k10},
            {OperandType::TENSOR_FLOAT16, HalVersion::k12},
            {OperandType::TENSOR_QUANT8_ASYMM_SIGNED, HalVersion::k13}};
    for (const auto& [type, since] : types) {
        Model model = plain();
        model.main.operands[3].type = type;
        for (const HalVersion version : kVersions) {
            const auto compliance = checkCompliance(model, version);
            CHECK(static_cast<bool>(compliance) == (version >= since));
            CHECK(compliance.operations.count(0) == 0);
        }
    }
}

TEST_CASE("an operand that no operation has spoils all of the model") {
    Model model = plain();
    model.main.operands.resize(5);
    model.main.operands[4].type = OperandType::BOOL;
    const auto compliance = checkCompliance(model, HalVersion::k11);
    CHECK(*compliance.reason == "operand 4 has type BOOL, which HAL 1.1 does not have");
    CHECK(compliance.operations == std::set<uint32_t>{0, 1});
}

TEST_CASE("numbers that no version has are in none") {
    Model model = plain();
    model.main.operands[0].type = static_cast<OperandType>(16);
    CHECK(reasonOf(model, HalVersion::k13) ==
          "operand 0 has type 0x10, which HAL 1.3 does not have");
    model = plain();
    model.main.operands[0].lifetime = OperandLifeTime::SUBGRAPH;
    CHECK(reasonOf(model, HalVersion::k13).empty());
    CHECK(reasonOf(model, HalVersion::k12) ==
          "operand 0 has lifetime SUBGRAPH, which HAL 1.2 does not have");
}

TEST_CASE("extensions exist since 1.2, subgraphs since 1.3") {
    Model model = twoOperations(static_cast<OperationType>(0x50001), OperationType::RELU);
    CHECK(reasonOf(model, HalVersion::k12).empty());
    CHECK(reasonOf(model, HalVersion::k11) ==
          "operation 0 is 0x50001, which HAL 1.1 does not have");
    model = plain();
    model.extensionNameToPrefix = {{.name = "a.b", .prefix = 5}};
    CHECK(reasonOf(model, HalVersion::k10) ==
          "model names extensions, which HAL 1.0 does not have");
    model = plain();
    model.main.operands[0].extraParams.extension({1});
    CHECK(reasonOf(model, HalVersion::k11) ==
          "operand 0 has extra parameters, which HAL 1.1 does not have");
    model = plain();
    model.referenced = {plain().main};
    CHECK(reasonOf(model, HalVersion::k13).empty());
    CHECK(reasonOf(model, HalVersion::k12) == "model has subgraphs, which HAL 1.2 does not have");
    model.referenced[0].operations[1].type = static_cast<OperationType>(-1);
    CHECK_FALSE(reasonOf(model, HalVersion::k13).empty());
}

TEST_CASE("computing with 16-bit floats may be allowed in any version") {
    Model model = plain();
    model.relaxComputationFloat32toFloat16 = true;
    CHECK(checkCompliance(model, HalVersion::k10));
}

TEST_CASE("hardware buffers exist since 1.2, tokens since 1.3") {
    Request request{.pools = {Request::MemoryPool()}};
    request.pools[0].hidlMemory(hidl_memory("mmap_fd", nullptr, 1));
    CHECK(checkCompliance(request, HalVersion::k10));
    request.pools[0].hidlMemory(hidl_memory("hardware_buffer_blob", nullptr, 1));
    CHECK(checkCompliance(request, HalVersion::k12));
    CHECK(*checkCompliance(request, HalVersion::k11).reason ==
          "pool 0 is a \"hardware_buffer_blob\", which HAL 1.1 does not have");
    request.pools[0].token(1);
    CHECK(checkCompliance(request, HalVersion::k13));
    CHECK(*checkCompliance(request, HalVersion::k12).reason ==
          "pool 0 is a token, which HAL 1.2 does not have");
}

TEST_CASE("models and requests of earlier versions are checked as well") {
    nn::V1_0::Model model{.operations = {{.type = nn::V1_0::OperationType::TANH}}};
    CHECK(checkCompliance(model, HalVersion::k10));
    model.operations[0].type = static_cast<nn::V1_0::OperationType>(30);  // DIV
    CHECK_FALSE(checkCompliance(model, HalVersion::k10));
    CHECK(checkCompliance(model, HalVersion::k11));
    CHECK(checkCompliance(nn::V1_0::Request{}, HalVersion::k10));
}

TEST_SUITE_END();

}  // namespace
