// SPDX-License-Identifier: Apache-2.0
// The cost of NNAPI's C interface beyond the HAL's, for one synchronous execution of a tiny model:
// an execution object with its arguments, compared with the bare HAL call with a request that was
// prepared once. The device answers at once and computes nothing, so that nothing else is measured.
#include <android/NeuralNetworks.h>
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sim/ndk/c_interface/handles.h"
#include "sim/ndk/compute/compilation.h"
#include "sim/ndk/device/hal_device.h"
#include "sim/ndk/device/hal_prepared_model.h"
#include "sim/ndk/device/staged_request.h"
#include "tests/bench/collecting_reporter.h"
#include "tests/sim/client/fake_device.h"

namespace {

using namespace vnpu::sim;
using namespace vnpu::bench;

constexpr std::uint32_t kCount = 16;

void check(int code, const char* call) {
    if (code != ANEURALNETWORKS_NO_ERROR) {
        throw std::runtime_error(fmt::format("{}: code {}", call, code));
    }
}
#define CHECK(call) check(call, #call)

/// A RELU of 16 bytes.
ANeuralNetworksModel* tinyModel() {
    const std::uint32_t dimensions[] = {1, kCount};
    const ANeuralNetworksOperandType bytes{ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, dimensions, 0.5F,
                                           128};
    ANeuralNetworksModel* model = nullptr;
    CHECK(ANeuralNetworksModel_create(&model));
    CHECK(ANeuralNetworksModel_addOperand(model, &bytes));
    CHECK(ANeuralNetworksModel_addOperand(model, &bytes));
    const std::uint32_t in = 0;
    const std::uint32_t out = 1;
    CHECK(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_RELU, 1, &in, 1, &out));
    CHECK(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, &in, 1, &out));
    CHECK(ANeuralNetworksModel_finish(model));
    return model;
}

class Bench {
  public:
    Bench() {
        const auto device =
                ndk::HalDevice::create("fake", [this] { return test::makeFakeDevice(behavior_); });
        if (device == nullptr) {
            throw std::runtime_error("the device does not answer");
        }
        ANeuralNetworksModel* const model = tinyModel();
        const auto compilation = std::make_shared<ndk::Compilation>(
                ndk::objectOf(model)->finished(), std::vector<std::shared_ptr<ndk::Device>>{device},
                true);
        if (!compilation->finish()) {
            throw std::runtime_error("the model cannot be prepared");
        }
        ANeuralNetworksModel_free(model);
        compilation_ = ndk::newHandle<ANeuralNetworksCompilation>(compilation);
        prepared_ = std::dynamic_pointer_cast<ndk::HalPreparedModel>(
                compilation->steps().front().prepared);
    }
    ~Bench() { ANeuralNetworksCompilation_free(compilation_); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void throughInterface() {
        ANeuralNetworksExecution* execution = nullptr;
        CHECK(ANeuralNetworksExecution_create(compilation_, &execution));
        CHECK(ANeuralNetworksExecution_setInput(execution, 0, nullptr, in_, sizeof(in_)));
        CHECK(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, out_, sizeof(out_)));
        CHECK(ANeuralNetworksExecution_compute(execution));
        ANeuralNetworksExecution_free(execution);
    }

    void throughHal(const nn::Request& request) {
        nn::ErrorStatus ended = nn::ErrorStatus::GENERAL_FAILURE;
        prepared_->service()->executeSynchronously_1_3(
                request, nn12::MeasureTiming::NO, {}, {},
                [&](nn::ErrorStatus status, const auto&, const auto&) { ended = status; });
        if (ended != nn::ErrorStatus::NONE) {
            throw std::runtime_error("the execution failed");
        }
    }

    /// The arguments of an execution in memory that is shared once.
    ndk::StagedRequest preparedRequest() {
        call_.inputs.resize(1);
        call_.inputs[0].pointer = in_;
        call_.inputs[0].length = sizeof(in_);
        call_.outputs.resize(1);
        call_.outputs[0].pointer = out_;
        call_.outputs[0].length = sizeof(out_);
        auto staged = ndk::StagedRequest::create(call_, prepared_->staging());
        if (!staged) {
            throw std::runtime_error(staged.error().reason);
        }
        return *std::move(staged);
    }

  private:
    test::FakeBehavior behavior_;
    ANeuralNetworksCompilation* compilation_ = nullptr;
    std::shared_ptr<ndk::HalPreparedModel> prepared_;
    ndk::Call call_;
    std::byte in_[kCount] = {};
    std::byte out_[kCount] = {};
};

template <typename Body>
void add(const char* name, Body body) {
    benchmark::RegisterBenchmark(name,
                                 [body](benchmark::State& state) {
                                     for (auto step : state) {
                                         static_cast<void>(step);
                                         body();
                                     }
                                 })
            ->Unit(benchmark::kMicrosecond)
            ->Repetitions(11)
            ->ReportAggregatesOnly(true);
}

int run(int argc, char** argv) {
    // Interleaved, so that a slow phase of the machine slows both subjects equally.
    setenv("BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true", 0);
    benchmark::Initialize(&argc, argv);
    Bench bench;
    const ndk::StagedRequest staged = bench.preparedRequest();
    add("interface", [&] { bench.throughInterface(); });
    add("hal", [&] { bench.throughHal(staged.request()); });
    CollectingReporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    fmt::print("\nC interface {:.2f} us, HAL {:.2f} us, beyond it {:.2f} us\n",
               reporter.medianSeconds["interface"] * 1e6, reporter.medianSeconds["hal"] * 1e6,
               (reporter.medianSeconds["interface"] - reporter.medianSeconds["hal"]) * 1e6);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}

extern "C" int sc_main(int /*argc*/, char** /*argv*/) {
    return 0;
}
