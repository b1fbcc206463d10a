// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <signal.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "tests/sim/ndk/test_model.h"
#include "tests/support/program.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {
namespace {

/// A service at a socket of this test, which can be ended and started again.
class Service {
  public:
    Service() { ::setenv("VNPU_SOCKET", socket().c_str(), 1); }
    ~Service() { kill(); }
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    void start(const std::string& options = "") {
        // The shell prints the process number of the service that it leaves running.
        REQUIRE(folder_.system("rm -f " + socket() + "; \"" + VNPU_PROGRAM + "\" serve --socket " +
                               socket() + " " + options + " >" + (folder_ / "log") +
                               " 2>&1 & echo $! >" + (folder_ / "pid")) == 0);
        process_ = std::stoi(folder_.read("pid"));
        while (folder_.read("log").find("serving") == std::string::npos) {
            REQUIRE(::kill(*process_, 0) == 0);
            ::usleep(10'000);
        }
    }
    void kill() {
        if (process_) {
            ::kill(*process_, SIGKILL);
            process_.reset();
        }
    }

  private:
    std::string socket() const { return folder_ / "vnpu.sock"; }

    CommandFolder folder_;
    std::optional<pid_t> process_;
};

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/service");

TEST_CASE("every device of a service is a device of the interface") {
    simCase([] {
        Service service;
        service.start("--config edge --config mobile");
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
