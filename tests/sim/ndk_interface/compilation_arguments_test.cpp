// SPDX-License-Identifier: Apache-2.0
// Wrong arguments of the functions for compilations and bursts.
#include <doctest/doctest.h>

#include <limits>

#include "tests/sim/ndk_interface/ndk_fixture.h"

namespace {

using namespace vnpu::test;
using Step = SumModel::Step;

const std::uint8_t kToken[32] = {1, 2, 3};

std::string create(ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
                   std::uint32_t count) {
    auto* compilation = reinterpret_cast<ANeuralNetworksCompilation*>(1);
    const int result = ndk().compilationCreateForDevices(model, devices, count, &compilation);
    if (result == ANEURALNETWORKS_NO_ERROR) {
        ndk().compilationFree(compilation);
    } else if (result != ANEURALNETWORKS_UNEXPECTED_NULL) {
        CHECK(compilation == nullptr);
    }
    return code(result);
}

}  // namespace

TEST_SUITE_BEGIN("sim/ndk_interface/compilation_arguments");

TEST_CASE("create refuses null and a model that is not finished") {
    ndkCase([] {
        const SumModel model;
        const SumModel unfinished(Step::kIdentified);
        ANeuralNetworksCompilation* compilation = nullptr;
        CHECK(code(ndk().compilationCreate(nullptr, &compilation)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationCreate(model.get(), nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationCreate(unfinished.get(), &compilation)) == "BAD_STATE");
        CHECK(compilation == nullptr);
    });
}

TEST_CASE("createForDevices refuses null, no device, repetitions and an unfinished model") {
    ndkCase([] {
        const SumModel model;
        const SumModel unfinished(Step::kIdentified);
        const ANeuralNetworksDevice* const devices[] = {firstDevice(), cpuDevice(), firstDevice()};
        const ANeuralNetworksDevice* const withNull[] = {firstDevice(), nullptr};
        CHECK(create(nullptr, devices, 1) == "UNEXPECTED_NULL");
        CHECK(create(model.get(), nullptr, 1) == "UNEXPECTED_NULL");
        CHECK(create(model.get(), withNull, 2) == "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationCreateForDevices(model.get(), devices, 1, nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(create(model.get(), devices, 0) == "BAD_DATA");
        CHECK(create(model.get(), devices, 3) == "BAD_DATA");
        CHECK(create(unfinished.get(), devices, 1) == "BAD_STATE");
        CHECK(create(model.get(), devices, 2) == "NO_ERROR");
    });
}

TEST_CASE("setPreference takes the three preferences") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = newCompilation(model.get());
        CHECK(code(ndk().compilationSetPreference(nullptr, 0)) == "UNEXPECTED_NULL");
        for (const std::int32_t wrong : {-1, 3, std::numeric_limits<std::int32_t>::max()}) {
            CAPTURE(wrong);
            CHECK(code(ndk().compilationSetPreference(compilation.get(), wrong)) == "BAD_DATA");
        }
        for (const std::int32_t good :
             {ANEURALNETWORKS_PREFER_LOW_POWER, ANEURALNETWORKS_PREFER_FAST_SINGLE_ANSWER,
              ANEURALNETWORKS_PREFER_SUSTAINED_SPEED}) {
            CAPTURE(good);
            CHECK(code(ndk().compilationSetPreference(compilation.get(), good)) == "NO_ERROR");
        }
    });
}

TEST_CASE("setPriority takes the three priorities") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = newCompilation(model.get());
        CHECK(code(ndk().compilationSetPriority(nullptr, ANEURALNETWORKS_PRIORITY_LOW)) ==
              "UNEXPECTED_NULL");
        for (const int wrong : {-1, 0, 1, 89, 111}) {
            CAPTURE(wrong);
            CHECK(code(ndk().compilationSetPriority(compilation.get(), wrong)) == "BAD_DATA");
        }
        for (const int good : {ANEURALNETWORKS_PRIORITY_LOW, ANEURALNETWORKS_PRIORITY_MEDIUM,
                               ANEURALNETWORKS_PRIORITY_HIGH}) {
            CAPTURE(good);
            CHECK(code(ndk().compilationSetPriority(compilation.get(), good)) == "NO_ERROR");
        }
    });
}

TEST_CASE("setCaching refuses null") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = newCompilation(model.get());
        CHECK(code(ndk().compilationSetCaching(nullptr, "/tmp", kToken)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationSetCaching(compilation.get(), nullptr, kToken)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationSetCaching(compilation.get(), "/tmp", nullptr)) ==
              "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationSetCaching(compilation.get(), "/tmp", kToken)) == "NO_ERROR");
    });
}

TEST_CASE("setTimeout is for exactly one chosen device") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation forOne = newCompilation(model.get());
        const NdkCompilation forAll = newCompilation(model.get(), true);
        CHECK(code(ndk().compilationSetTimeout(nullptr, 1)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationSetTimeout(forAll.get(), 1'000'000'000)) == "BAD_DATA");
        CHECK(code(ndk().compilationSetTimeout(forOne.get(), 1'000'000'000)) == "NO_ERROR");
        CHECK(code(ndk().compilationSetTimeout(forOne.get(), 0)) == "NO_ERROR");
        ANeuralNetworksCompilation* made = nullptr;
        const ANeuralNetworksDevice* const two[] = {firstDevice(), cpuDevice()};
        REQUIRE(ndk().compilationCreateForDevices(model.get(), two, 2, &made) ==
                ANEURALNETWORKS_NO_ERROR);
        const NdkCompilation forTwo(made, ndk().compilationFree);
        CHECK(code(ndk().compilationSetTimeout(forTwo.get(), 1'000'000'000)) == "BAD_DATA");
    });
}

TEST_CASE("a compilation finishes once and cannot change afterwards") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation compilation = newCompilation(model.get());
        CHECK(code(ndk().compilationFinish(nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().compilationFinish(compilation.get())) == "NO_ERROR");
        CHECK(code(ndk().compilationFinish(compilation.get())) == "BAD_STATE");
        CHECK(code(ndk().compilationSetPreference(compilation.get(), 0)) == "BAD_STATE");
        CHECK(code(ndk().compilationSetPriority(compilation.get(), ANEURALNETWORKS_PRIORITY_LOW)) ==
              "BAD_STATE");
        CHECK(code(ndk().compilationSetCaching(compilation.get(), "/tmp", kToken)) == "BAD_STATE");
        CHECK(code(ndk().compilationSetTimeout(compilation.get(), 1'000'000'000)) == "BAD_STATE");
    });
}

TEST_CASE("an execution and a burst need a finished compilation") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation unfinished = newCompilation(model.get());
        const NdkCompilation compilation = compile(model.get());
        ANeuralNetworksExecution* execution = nullptr;
        CHECK(code(ndk().executionCreate(nullptr, &execution)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionCreate(compilation.get(), nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().executionCreate(unfinished.get(), &execution)) == "BAD_STATE");
        CHECK(execution == nullptr);
        ANeuralNetworksBurst* burst = nullptr;
        CHECK(code(ndk().burstCreate(nullptr, &burst)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().burstCreate(compilation.get(), nullptr)) == "UNEXPECTED_NULL");
        CHECK(code(ndk().burstCreate(unfinished.get(), &burst)) == "BAD_STATE");
        CHECK(burst == nullptr);
    });
}

TEST_CASE("one model is compiled several times, and each compilation is executed") {
    ndkCase([] {
        const SumModel model;
        const NdkCompilation onDevice = compile(model.get(), {firstDevice()});
        const NdkCompilation onCpu = compile(model.get(), {cpuDevice()});
        const NdkCompilation onBoth = compile(model.get(), {firstDevice(), cpuDevice()});
        const NdkCompilation onAny = newCompilation(model.get(), true);
        REQUIRE(ndk().compilationFinish(onAny.get()) == ANEURALNETWORKS_NO_ERROR);
        for (const auto* compilation : {&onDevice, &onCpu, &onBoth, &onAny}) {
            const NdkExecution execution = newExecution(compilation->get());
            SumArguments arguments;
            arguments.giveTo(execution.get());
            CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
            CHECK(arguments.areSummed());
        }
    });
}

TEST_CASE("a model may be freed before its compilation, and that before its execution") {
    ndkCase([] {
        SumArguments arguments;
        NdkExecution execution(nullptr, ndk().executionFree);
        {
            const SumModel model;
            const NdkCompilation compilation = compile(model.get());
            execution = newExecution(compilation.get());
        }
        arguments.giveTo(execution.get());
        CHECK(code(ndk().executionCompute(execution.get())) == "NO_ERROR");
        CHECK(arguments.areSummed());
    });
}

TEST_SUITE_END();
