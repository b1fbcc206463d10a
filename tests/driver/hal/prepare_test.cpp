// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <vnpu/hal/caller_identity.h>

#include "tests/driver/support/model_builder.h"
#include "tests/driver/support/service.h"

using namespace vnpu::driver;
using namespace vnpu::driver::test;
namespace fw = vnpu::fw;
using nn::V1_1::ExecutionPreference;
using nn::V1_3::Priority;

TEST_SUITE_BEGIN("driver/hal/prepare");

TEST_CASE("an invalid model is refused by launch and callback alike [E-8]") {
    Service service;
    nn::V1_3::Model model = reluModel({1, 16});
    model.main.operands[1].scale = 0.0F;

    const PrepareOutcome outcome = service.prepare(model);

    CHECK_EQ(outcome.launch, ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(outcome.status, ErrorStatus::INVALID_ARGUMENT);
    CHECK_EQ(outcome.model, nullptr);
    CHECK_EQ(outcome.notifications, 1);
    CHECK(service.observer.hasLogged("prepareModel_1_3: INVALID_ARGUMENT: operand 1: scale"));
}

TEST_CASE("priorities outside LOW to HIGH are refused by launch and callback [Q-7]") {
    for (const std::int32_t priority : {-1, 3}) {
        Service service;
        const PrepareOutcome outcome =
                service.prepare(reluModel({1, 16}), static_cast<Priority>(priority));
        CHECK_EQ(outcome.launch, ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(outcome.status, ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(outcome.model, nullptr);
    }
}

TEST_CASE(
        "execution preferences outside the enumeration are refused by launch and callback [Q-7]") {
    for (const std::int32_t preference : {-1, 3}) {
        Service service;
        const PrepareOutcome outcome =
                service.prepare(reluModel({1, 16}), Priority::MEDIUM, {},
                                static_cast<ExecutionPreference>(preference));
        CHECK_EQ(outcome.launch, ErrorStatus::INVALID_ARGUMENT);
        CHECK_EQ(outcome.status, ErrorStatus::INVALID_ARGUMENT);
    }
}

TEST_CASE("a missing callback is refused [E-8]") {
    Service service;

    const ErrorStatus status =
            service.device->prepareModel_1_3(reluModel({1, 16}), ExecutionPreference::LOW_POWER,
                                             Priority::LOW, {}, {}, {}, {}, nullptr);

    CHECK_EQ(status, ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("an unsupported model is valid to launch and fails in the callback [E-8]") {
    Service service;
    service.compiler.refusal = "not on this device";

    const PrepareOutcome outcome = service.prepare(reluModel({1, 16}));

    CHECK_EQ(outcome.launch, ErrorStatus::NONE);
    CHECK_EQ(outcome.status, ErrorStatus::GENERAL_FAILURE);
    CHECK_EQ(outcome.model, nullptr);
    CHECK(service.observer.hasLogged("not on this device"));
    CHECK(service.isUntouched());
}

TEST_CASE("getSupportedOperations_1_3 answers per operation, and refuses invalid models [E-8]") {
    Service service;
    ErrorStatus status{};
    std::vector<bool> supported;
    const auto ask = [&](const nn::V1_3::Model& model) {
        const auto returned = service.device->getSupportedOperations_1_3(
                model,
                [&](ErrorStatus answer, const android::hardware::hidl_vec<bool>& operations) {
                    status = answer;
                    supported = std::vector<bool>(operations.begin(), operations.end());
                });
        CHECK(returned.isOk());
    };
    ask(reluModel({1, 16}));
    CHECK_EQ(status, ErrorStatus::NONE);
    CHECK_EQ(supported, std::vector<bool>{true});

    service.compiler.refusal = "no";
    ask(reluModel({1, 16}));
    CHECK_EQ(status, ErrorStatus::NONE);
    CHECK_EQ(supported, std::vector<bool>{false});

    nn::V1_3::Model invalid = reluModel({1, 16});
    invalid.main.operands[0].numberOfConsumers = 2;
    ask(invalid);
    CHECK_EQ(status, ErrorStatus::INVALID_ARGUMENT);
    CHECK(supported.empty());
}

TEST_CASE("a vendor's operation is unsupported, and its neighbors are not affected [E-8]") {
    ModelBuilder builder;
    const std::uint32_t x = builder.input({kByte, {4}, 1.0F});
    const std::uint32_t y = builder.output({kByte, {4}, 1.0F});
    builder.operation(nn::V1_3::OperationType::RELU, {x}, y);
    builder.operation(nn::V1_3::OperationType::OEM_OPERATION,
                      {x, builder.input({OperandType::OEM, {}})},
                      builder.output({OperandType::TENSOR_OEM_BYTE, {4}}));
    FakeDevicePort port;
    {
        const auto device = createDevice(port, DriverOptions{});  // with the actual compiler
        REQUIRE(device.has_value());
        ErrorStatus status{};
        std::vector<bool> supported;
        const auto returned = (*device)->getSupportedOperations_1_3(
                builder.build(),
                [&](ErrorStatus answer, const android::hardware::hidl_vec<bool>& operations) {
                    status = answer;
                    supported = std::vector<bool>(operations.begin(), operations.end());
                });
        CHECK(returned.isOk());
        CHECK_EQ(status, ErrorStatus::NONE);
        CHECK_EQ(supported, std::vector<bool>{true, false});
    }
    Service service;
    service.compiler.refusal = "not on this device";
    const PrepareOutcome outcome = service.prepare(builder.build());
    CHECK_EQ(outcome.launch, ErrorStatus::NONE);
    CHECK_EQ(outcome.status, ErrorStatus::GENERAL_FAILURE);
}

TEST_CASE("a deadline that has passed is missed permanently, although the launch succeeds [Q-6]") {
    Service service;
    service.port.advance(std::chrono::milliseconds(1));

    const PrepareOutcome outcome =
            service.prepare(reluModel({1, 16}), Priority::MEDIUM, at(std::chrono::milliseconds(1)));

    CHECK_EQ(outcome.launch, ErrorStatus::NONE);
    CHECK_EQ(outcome.status, ErrorStatus::MISSED_DEADLINE_PERSISTENT);
    CHECK_EQ(outcome.model, nullptr);
}

TEST_CASE("a deadline is as far in the future as on the caller's clock [Q-5]") {
    DriverOptions options;
    options.deadlineClock = [] { return std::chrono::hours(5); };
    Service service(options);

    CHECK_EQ(service.prepare(reluModel({1, 16}), Priority::MEDIUM,
                             at(std::chrono::hours(5) + std::chrono::seconds(1)))
                     .status,
             ErrorStatus::NONE);
    CHECK_EQ(
            service.prepare(reluModel({1, 16}), Priority::MEDIUM, at(std::chrono::hours(5))).status,
            ErrorStatus::MISSED_DEADLINE_PERSISTENT);
}

TEST_CASE("the latest possible deadline means no deadline [Q-7]") {
    Service service;
    nn::V1_3::OptionalTimePoint never;
    never.nanosecondsSinceEpoch(UINT64_MAX);

    CHECK_EQ(service.prepare(reluModel({1, 16}), Priority::MEDIUM, never).status,
             ErrorStatus::NONE);
}

TEST_CASE("each priority has its band, and models of one caller and priority share a ring [Q-1]") {
    Service service;
    const auto low = service.prepare(reluModel({1, 16}), Priority::LOW);
    const auto medium = service.prepare(reluModel({1, 16}), Priority::MEDIUM);
    const auto high = service.prepare(reluModel({1, 16}), Priority::HIGH);
    const auto another = service.prepare(reluModel({1, 16}), Priority::HIGH);
    REQUIRE_EQ(another.status, ErrorStatus::NONE);

    std::vector<std::uint32_t> bands;
    for (const fw::Message& message : service.port.messages()) {
        if (message.type == fw::MessageType::kCreateRing) {
            bands.push_back(message.value);
        }
    }

    CHECK_EQ(bands, std::vector<std::uint32_t>{1, 2, 3});
    CHECK_EQ(service.counters().liveRings, 3);
    CHECK_EQ(service.counters().liveContexts, 1);
}

TEST_CASE("callers with different UIDs have contexts of their own [Q-1]") {
    Service service;
    const CallerUid first(10001);
    const auto one = service.prepare(reluModel({1, 16}));
    const CallerUid second(10002);
    const auto two = service.prepare(reluModel({1, 16}));

    REQUIRE_EQ(two.status, ErrorStatus::NONE);
    CHECK_EQ(service.counters().liveContexts, 2);
    CHECK_EQ(service.observer.calls().back().uid, 10002);
}

TEST_CASE(
        "when all contexts are taken the next caller is refused for now, and served later [Q-6]") {
    Service service;  // three contexts
    std::vector<PrepareOutcome> prepared;
    for (std::uint32_t uid = 1; uid <= 3; ++uid) {
        const CallerUid caller(uid);
        prepared.push_back(service.prepare(reluModel({1, 16})));
    }
    const CallerUid fourth(4);
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);

    prepared[1].model = nullptr;

    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::NONE);
}

TEST_CASE(
        "without a ring left the next priority is refused for now, and nothing stays behind "
        "[Q-6]") {
    Service service;  // four rings
    std::vector<PrepareOutcome> prepared;
    for (const Priority priority : {Priority::LOW, Priority::MEDIUM, Priority::HIGH}) {
        prepared.push_back(service.prepare(reluModel({1, 16}), priority));
    }
    const CallerUid other(77);
    prepared.push_back(service.prepare(reluModel({1, 16}), Priority::LOW));
    REQUIRE_EQ(prepared.back().status, ErrorStatus::NONE);
    const std::uint64_t before = service.counters().dmaBytes;

    CHECK_EQ(service.prepare(reluModel({1, 16}), Priority::HIGH).status,
             ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);
    CHECK_EQ(service.counters().dmaBytes, before);
}

TEST_CASE("a model that can never fit the device's memory is refused for good [Q-6]") {
    Service service;
    service.compiler.scratchBytes = 2 * FakeDevicePort::kMemoryBytes;

    const PrepareOutcome outcome = service.prepare(reluModel({1, 16}));

    CHECK_EQ(outcome.status, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    CHECK(service.isUntouched());
}

TEST_CASE("a model that does not fit beside others is refused for now [Q-6]") {
    Service service;
    service.compiler.scratchBytes = FakeDevicePort::kMemoryBytes * 3 / 4;
    PrepareOutcome first = service.prepare(reluModel({1, 16}));
    REQUIRE_EQ(first.status, ErrorStatus::NONE);

    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT);

    first.model = nullptr;
    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::NONE);
}

TEST_CASE("a refusal by the firmware fails the preparation and leaves nothing behind [E-7]") {
    for (const auto type : {fw::MessageType::kCreateContext, fw::MessageType::kCreateRing}) {
        Service service;
        service.port.refuse(type, fw::MessageStatus::kBadAddress);

        const PrepareOutcome outcome = service.prepare(reluModel({1, 16}));

        CHECK_EQ(outcome.status, ErrorStatus::GENERAL_FAILURE);
        CHECK_EQ(outcome.model, nullptr);
        CHECK(service.isUntouched());
    }
}

TEST_CASE("a model with more regions than a job can have fails its preparation [E-1]") {
    Service service;
    service.compiler.regionCountToClaim = 65;

    CHECK_EQ(service.prepare(reluModel({1, 16})).status, ErrorStatus::GENERAL_FAILURE);
    CHECK(service.isUntouched());
}

TEST_CASE("the compiled form of a prepared model is visible for models of this driver only [E-1]") {
    Service service;
    const PrepareOutcome prepared = service.prepare(reluModel({1, 16}));

    const auto compiled = compiledModelOf(prepared.model);

    REQUIRE_NE(compiled, nullptr);
    CHECK_EQ(compiled->outputs[0].sizeBytes, 16);
    CHECK_EQ(compiledModelOf(nullptr), nullptr);
}

TEST_CASE("capabilities are positive and sorted by type, without SUBGRAPH [E-8]") {
    Service service;
    const auto returned = service.device->getCapabilities_1_3(
            [](ErrorStatus status, const nn::V1_3::Capabilities& capabilities) {
                CHECK_EQ(status, ErrorStatus::NONE);
                CHECK_EQ(capabilities.operandPerformance.size(), 17);
                for (std::size_t i = 0; i < capabilities.operandPerformance.size(); ++i) {
                    const auto& entry = capabilities.operandPerformance[i];
                    CHECK_GT(entry.info.execTime, 0.0F);
                    CHECK_GT(entry.info.powerUsage, 0.0F);
                    CHECK_NE(entry.type, nn::V1_3::OperandType::SUBGRAPH);
                    CHECK((i == 0 || capabilities.operandPerformance[i - 1].type < entry.type));
                }
                CHECK_GT(capabilities.ifPerformance.execTime, 0.0F);
                CHECK_GT(capabilities.whilePerformance.execTime, 0.0F);
            });
    CHECK(returned.isOk());
}

TEST_CASE("capabilities of earlier versions agree on the types that they have [E-8]") {
    Service service;
    nn::V1_0::Capabilities told10;
    nn::V1_1::Capabilities told11;
    nn::V1_2::Capabilities told12;
    CHECK(service.device->getCapabilities([&](auto, const auto& told) { told10 = told; }).isOk());
    CHECK(service.device->getCapabilities_1_1([&](auto, const auto& told) { told11 = told; })
                  .isOk());
    CHECK(service.device->getCapabilities_1_2([&](auto, const auto& told) { told12 = told; })
                  .isOk());
    CHECK_GT(told10.float32Performance.execTime, 0.0F);
    CHECK_EQ(told10.float32Performance, told11.float32Performance);
    CHECK_EQ(told10.quantized8Performance, told11.quantized8Performance);
    CHECK_GT(told11.relaxedFloat32toFloat16Performance.powerUsage, 0.0F);
    CHECK_EQ(told12.operandPerformance.size(), 16);
    for (std::size_t i = 0; i < told12.operandPerformance.size(); ++i) {
        const auto& entry = told12.operandPerformance[i];
        CHECK_GT(entry.info.execTime, 0.0F);
        CHECK_LE(entry.info.execTime, 1.0F);  // known, not the maximum
        CHECK((i == 0 || told12.operandPerformance[i - 1].type < entry.type));
    }
}

TEST_CASE("a 1.0 model is prepared by the same rules [E-8]") {
    Service service;
    nn::V1_0::Operand input;
    input.type = nn::V1_0::OperandType::TENSOR_QUANT8_ASYMM;
    input.dimensions = {1, 16};
    input.numberOfConsumers = 1;
    input.scale = 0.5F;
    input.lifetime = nn::V1_0::OperandLifeTime::MODEL_INPUT;
    nn::V1_0::Operand output = input;
    output.numberOfConsumers = 0;
    output.lifetime = nn::V1_0::OperandLifeTime::MODEL_OUTPUT;
    nn::V1_0::Model model;
    model.operands = {input, output};
    model.operations = {{.type = nn::V1_0::OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    model.inputIndexes = {0};
    model.outputIndexes = {1};
    const auto ask = [&] {
        nn::V1_0::ErrorStatus told{};
        const auto returned = service.device->getSupportedOperations(
                model, [&](nn::V1_0::ErrorStatus status, const android::hardware::hidl_vec<bool>&) {
                    told = status;
                });
        CHECK(returned.isOk());
        return told;
    };
    CHECK_EQ(ask(), nn::V1_0::ErrorStatus::NONE);

    model.operands[0].type = static_cast<nn::V1_0::OperandType>(6);  // BOOL came with 1.2
    CHECK_EQ(ask(), nn::V1_0::ErrorStatus::INVALID_ARGUMENT);
}

TEST_CASE("the device has no extensions [E-8]") {
    Service service;
    const auto returned = service.device->getSupportedExtensions(
            [](nn::V1_0::ErrorStatus status,
               const android::hardware::hidl_vec<nn::V1_2::Extension>& extensions) {
                CHECK_EQ(status, nn::V1_0::ErrorStatus::NONE);
                CHECK_EQ(extensions.size(), 0);
            });
    CHECK(returned.isOk());
}

TEST_SUITE_END();
