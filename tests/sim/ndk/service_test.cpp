// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <list>
#include <thread>
#include <vector>

#include "tests/sim/ndk/test_model.h"
#include "tests/sim/ndk/test_service.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

enum class Way { kAtOnce, kBurst, kBackground, kFenced };

/// The code of an execution of affineModel, in whichever call it appears.
int computeBy(Way way, const OwnedCompilation& compilation, const OwnedBurst& burst,
              std::vector<float>& output) {
    const std::vector<float> input = ramp(output.size());
    const std::size_t bytes = output.size() * sizeof(float);
    OwnedExecution execution;
    if (ANeuralNetworksExecution_create(compilation.get(), execution.place()) != 0 ||
        ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(), bytes) != 0 ||
        ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(), bytes) !=
                0) {
        return -1;
    }
    OwnedEvent event;
    int code = -1;
    switch (way) {
        case Way::kAtOnce:
            return ANeuralNetworksExecution_compute(execution.get());
        case Way::kBurst:
            return ANeuralNetworksExecution_burstCompute(execution.get(), burst.get());
        case Way::kBackground:
            code = ANeuralNetworksExecution_startCompute(execution.get(), event.place());
            break;
        case Way::kFenced:
            code = ANeuralNetworksExecution_startComputeWithDependencies(execution.get(), nullptr,
                                                                         0, 0, event.place());
    }
    return code == ANEURALNETWORKS_NO_ERROR ? ANeuralNetworksEvent_wait(event.get()) : code;
}

/// A thread that computes until something else than success is the answer.
class Computing {
  public:
    Computing(Way way, const OwnedCompilation& compilation) {
        burstCode_ = ANeuralNetworksBurst_create(compilation.get(), burst_.place());
        thread_ = std::thread([this, way, &compilation] {
            std::vector<float> output(40);
            while (true) {
                const int code = computeBy(way, compilation, burst_, output);
                isRight_ = isRight_ && (code != 0 || output == affine(ramp(40)));
                code_ = code;
                ++computed_;
                computed_.notify_all();
                if (code != ANEURALNETWORKS_NO_ERROR) {
                    return;
                }
            }
        });
    }

    void awaitFirst() const { computed_.wait(0); }
    /// The last code, or -1 after a wrong result.
    int end() {
        thread_.join();
        return burstCode_ == ANEURALNETWORKS_NO_ERROR && isRight_ ? code_ : -1;
    }

  private:
    OwnedBurst burst_;
    int burstCode_ = -1;
    std::atomic<int> computed_ = 0;
    bool isRight_ = true;  // of thread_, as is code_
    int code_ = -1;
    std::thread thread_;
};

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/service");

TEST_CASE("every device of a service is a device of the interface") {
    simCase([] {
        TestService service;
        service.start({"--config", "edge", "--config", "mobile"});
        const TestModel model = affineModel(40);
        for (const char* name : {"vnpu-edge", "vnpu-mobile"}) {
            REQUIRE(findDevice(name) != nullptr);
            const OwnedCompilation compilation = compileFor(model, findDevice(name));
            std::vector<float> output(40);
            CHECK(computeFloats(compilation, ramp(40), output) == ANEURALNETWORKS_NO_ERROR);
            CHECK(output == affine(ramp(40)));
        }
    });
}

TEST_CASE("a service that ends gives DEAD_OBJECT, and a new compilation works when it is back") {
    simCase([] {
        TestService service;
        service.start();
        const TestModel model = affineModel(40);
        ANeuralNetworksDevice* const device = findDevice("vnpu-edge");
        const OwnedCompilation before = compileFor(model, device);
        OwnedBurst burst;
        REQUIRE(ANeuralNetworksBurst_create(before.get(), burst.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        std::vector<float> output(40);
        REQUIRE(computeFloats(before, ramp(40), output) == ANEURALNETWORKS_NO_ERROR);
        service.kill();

        CHECK(computeFloats(before, ramp(40), output) == ANEURALNETWORKS_DEAD_OBJECT);
        OwnedExecution execution;
        const std::vector<float> input = ramp(40);
        REQUIRE(ANeuralNetworksExecution_create(before.get(), execution.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksExecution_setInput(execution.get(), 0, nullptr, input.data(), 160) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksExecution_setOutput(execution.get(), 0, nullptr, output.data(),
                                                   160) == ANEURALNETWORKS_NO_ERROR);
        CHECK(ANeuralNetworksExecution_burstCompute(execution.get(), burst.get()) ==
              ANEURALNETWORKS_DEAD_OBJECT);
        OwnedCompilation without;
        REQUIRE(ANeuralNetworksCompilation_createForDevices(
                        model.get(), &device, 1, without.place()) == ANEURALNETWORKS_NO_ERROR);
        CHECK(ANeuralNetworksCompilation_finish(without.get()) == ANEURALNETWORKS_DEAD_OBJECT);

        service.start();
        CHECK(ANeuralNetworksDevice_wait(device) == ANEURALNETWORKS_NO_ERROR);
        CHECK(computeFloats(before, ramp(40), output) == ANEURALNETWORKS_DEAD_OBJECT);
        const OwnedCompilation after = compileFor(model, device);
        std::fill(output.begin(), output.end(), 0.0F);
        CHECK(computeFloats(after, ramp(40), output) == ANEURALNETWORKS_NO_ERROR);
        CHECK(output == affine(ramp(40)));
    });
}

TEST_CASE("a service that ends under executions of any kind gives all of them DEAD_OBJECT") {
    simCase([] {
        TestService service;
        service.start({"--config", "edge", "--config", "mobile"});
        const TestModel model = affineModel(40);
        const std::array devices = {findDevice("vnpu-edge"), findDevice("vnpu-mobile")};
        const std::array before = {compileFor(model, devices[0]), compileFor(model, devices[1])};
        std::list<Computing> threads;
        for (const Way way : {Way::kAtOnce, Way::kBurst, Way::kBackground, Way::kFenced}) {
            for (const OwnedCompilation& compilation : before) {
                threads.emplace_back(way, compilation);
            }
        }
        for (const Computing& thread : threads) {
            thread.awaitFirst();
        }
        service.kill();
        for (Computing& thread : threads) {
            CHECK(thread.end() == ANEURALNETWORKS_DEAD_OBJECT);
        }

        service.start({"--config", "edge", "--config", "mobile"});
        for (ANeuralNetworksDevice* const device : devices) {
            std::vector<float> output(40);
            CHECK(computeFloats(compileFor(model, device), ramp(40), output) ==
                  ANEURALNETWORKS_NO_ERROR);
            CHECK(output == affine(ramp(40)));
        }
    });
}

TEST_CASE("without chosen devices the CPU stands in for a service that ends") {
    simCase([] {
        TestService service;
        service.start();
        const TestModel model = affineModel(40);
        OwnedCompilation compilation;
        REQUIRE(ANeuralNetworksCompilation_create(model.get(), compilation.place()) ==
                ANEURALNETWORKS_NO_ERROR);
        REQUIRE(ANeuralNetworksCompilation_finish(compilation.get()) == ANEURALNETWORKS_NO_ERROR);
        service.kill();
        std::vector<float> output(40);
        CHECK(computeFloats(compilation, ramp(40), output) == ANEURALNETWORKS_NO_ERROR);
        CHECK(output == affine(ramp(40)));
    });
}

TEST_SUITE_END();

}  // namespace vnpu::test
