// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/hal_session.h"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>

#include "sim/config/load_config.h"
#include "sim/conform/cache_files.h"
#include "sim/conform/example_request.h"
#include "sim/conform/vector_model.h"
#include "tests/sim/client/fake_device.h"
#include "tests/sim/conform/vector_fixture.h"
#include "tests/support/sim_case.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::sim::test;
using vnpu::driver::HalVersion;
using Status = nn::ErrorStatus;

constexpr HalVersion kVersions[] = {HalVersion::k10, HalVersion::k11, HalVersion::k12,
                                    HalVersion::k13};

Example addExample() {
    return parseVectorFile("v.cbor", cborOf(addFile())).examples[0];
}

void onEdge(const std::function<void(ClientContext&)>& body) {
    vnpu::test::simCase([&] {
        Platform platform({.config = loadConfig("edge")});
        platform.addClient("test", 10000, body);
        platform.run();
    });
}

float firstResult(const ExampleRequest& request) {
    float value = 0.0F;
    std::memcpy(&value, request.output(0).data(), sizeof(value));
    return value;
}

}  // namespace

TEST_SUITE_BEGIN("sim/conform/hal_session");

TEST_CASE("a client of any version queries support, prepares and executes [E-8]") {
    onEdge([](ClientContext& context) {
        for (const HalVersion version : kVersions) {
            CAPTURE(nameOf(version));
            const auto session = openHalSession(context, version);
            const nn::Model model = makeModel(addExample());
            const SupportAnswer answer = session->askSupport(model);
            CHECK(answer.status == Status::NONE);
            CHECK(answer.operations == std::vector<bool>{true});
            REQUIRE(session->prepare(model, {}) == Status::NONE);
            const ExampleRequest request(addExample());
            const CallResult result = session->execute(
                    request.request(), {.path = ExecutionPath::kAsync, .measuresTiming = true});
            CHECK(result.status == Status::NONE);
            CHECK(result.end > result.begin);
            CHECK(firstResult(request) == 11.0F);
            // Shapes and times came with 1.2.
            CHECK(result.outputShapes.empty() == (version < HalVersion::k12));
            CHECK((result.timing.timeOnDevice == UINT64_MAX) == (version < HalVersion::k12));
        }
    });
}

TEST_CASE("from 1.2 on there are synchronous executions, from 1.3 on fenced ones [E-8]") {
    onEdge([](ClientContext& context) {
        for (const HalVersion version : kVersions) {
            CAPTURE(nameOf(version));
            const auto session = openHalSession(context, version);
            REQUIRE(session->prepare(makeModel(addExample()), {}) == Status::NONE);
            const ExampleRequest request(addExample());
            CHECK((session->execute(request.request(), {.path = ExecutionPath::kSync}).status ==
                   Status::NONE) == (version >= HalVersion::k12));
            CHECK((session->execute(request.request(), {.path = ExecutionPath::kFenced}).status ==
                   Status::NONE) == (version >= HalVersion::k13));
        }
    });
}

TEST_CASE("from 1.2 on a compilation is saved and loaded from files [E-8]") {
    onEdge([](ClientContext& context) {
        for (const HalVersion version : {HalVersion::k12, HalVersion::k13}) {
            CAPTURE(nameOf(version));
            const auto session = openHalSession(context, version);
            const CacheHandles files = createCacheFiles(context);
            CHECK(files.model.size() + files.data.size() > 0);
            CHECK(session->prepareFromCache(files) == Status::GENERAL_FAILURE);  // still empty
            REQUIRE(session->prepare(makeModel(addExample()), files) == Status::NONE);
            REQUIRE(session->prepareFromCache(files) == Status::NONE);
            const ExampleRequest request(addExample());
            CHECK(session->execute(request.request(), {.path = ExecutionPath::kAsync}).status ==
                  Status::NONE);
            CHECK(firstResult(request) == 11.0F);
        }
    });
}

TEST_CASE("a request that a version cannot express is an invalid argument, without a call") {
    FakeContext context;  // its methods of versions before 1.3 return a transport error
    nn::Model model = makeModel(addExample());
    model.main.operands[0].type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    for (const HalVersion version : {HalVersion::k10, HalVersion::k11, HalVersion::k12}) {
        CAPTURE(nameOf(version));
        const auto session = openHalSession(context, version);
        CHECK(session->askSupport(model).status == Status::INVALID_ARGUMENT);
        CHECK(session->prepare(model, {}) == Status::INVALID_ARGUMENT);
        CHECK(session->askSupport(makeModel(addExample())).status == Status::GENERAL_FAILURE);
        CHECK(session->prepare(makeModel(addExample()), {}) == Status::GENERAL_FAILURE);
    }
}

TEST_CASE("only a session of 1.3 provides a prepared model of 1.3 [MD-1]") {
    onEdge([](ClientContext& context) {
        for (const HalVersion version : kVersions) {
            const auto session = openHalSession(context, version);
            REQUIRE(session->prepare(makeModel(addExample()), {}) == Status::NONE);
            CHECK((session->preparedModel() != nullptr) == (version == HalVersion::k13));
        }
    });
}

TEST_SUITE_END();
