// SPDX-License-Identifier: Apache-2.0
#include <android-base/unique_fd.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <vector>

#include "sim/base/child_program.h"
#include "tests/sim/ndk/test_model.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

/// A service at a socket of this test, which can be ended and started again.
class Service {
  public:
    Service() { ::setenv("VNPU_SOCKET", socket().c_str(), 1); }

    /// Returns when the service answers.
    void start(const std::vector<std::string>& options = {}) {
        std::vector<std::string> words{VNPU_PROGRAM, "serve", "--socket", socket()};
        words.insert(words.end(), options.begin(), options.end());
        android::base::unique_fd output;
        android::base::unique_fd input;
        REQUIRE(android::base::Pipe(&output, &input));
        process_.emplace(words, sim::ChildProgram::Streams{.output = input.get()});
        input.reset();
        char first = 0;
        REQUIRE(::read(output.get(), &first, 1) == 1);
    }
    void kill() { process_->end(SIGKILL); }

  private:
    std::string socket() const { return (folder_ / "vnpu.sock").string(); }

    TemporaryFolder folder_;
    std::optional<sim::ChildProgram> process_;
};

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/service");

TEST_CASE("every device of a service is a device of the interface") {
    simCase([] {
        Service service;
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
        Service service;
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

TEST_CASE("without chosen devices the CPU stands in for a service that ends") {
    simCase([] {
        Service service;
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
