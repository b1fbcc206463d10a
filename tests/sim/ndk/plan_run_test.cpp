// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk/compute/plan_run.h"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <set>
#include <vector>

#include "sim/ndk/cpu/cpu_device.h"
#include "sim/ndk/model/model.h"
#include "tests/sim/ndk/test_call.h"

namespace vnpu::test {
namespace {

using Numbers = std::vector<std::uint32_t>;

using namespace sim::ndk;  // NOLINT(google-build-using-namespace)
using nn::V1_3::OperationType;

/// The CPU for some types of operations only, which can be made to fail.
class PartialDevice : public CpuDevice {
  public:
    PartialDevice(std::string name, std::set<OperationType> types)
        : name_(std::move(name)), types_(std::move(types)) {}

    const std::string& name() const override { return name_; }
    Result<std::vector<bool>> supportedOperations(const FinishedModel& model) override {
        std::vector<bool> supported;
        for (const auto& operation : model.hal.main.operations) {
            supported.push_back(types_.contains(operation.type));
        }
        return supported;
    }
    Result<std::shared_ptr<PreparedModel>> prepare(
            const std::shared_ptr<const FinishedModel>& model,
            const PrepareOptions& options) override {
        if (refusal != ANEURALNETWORKS_NO_ERROR) {
            return failed(refusal, "refused");
        }
        VNPU_TRY_ASSIGN(auto inner, CpuDevice::prepare(model, options));
        return std::make_shared<Watched>(*this, std::move(inner));
    }

    ResultCode refusal = ANEURALNETWORKS_NO_ERROR;  // of prepare
    ResultCode failure = ANEURALNETWORKS_NO_ERROR;  // of compute
    int computations = 0;

  private:
    struct Watched : PreparedModel {
        Watched(PartialDevice& device, std::shared_ptr<PreparedModel> model)
            : owner(device), inner(std::move(model)) {}
        CallOutcome compute(const Call& call) override {
            ++owner.computations;
            return owner.failure == ANEURALNETWORKS_NO_ERROR
                           ? inner->compute(call)
                           : CallOutcome{owner.failure, {}, kNoTiming};
        }
        PartialDevice& owner;
        const std::shared_ptr<PreparedModel> inner;
    };

    const std::string name_;
    const std::set<OperationType> types_;
};

/// A model of floats that operations of one or two tensors make out of tensor 0 of these
/// dimensions; 0 is an unknown size for all others.
class Chain {
  public:
    explicit Chain(std::uint32_t count) { add({count}); }

    std::uint32_t add(const Numbers& dimensions) {
        REQUIRE(model_.addOperand({ANEURALNETWORKS_TENSOR_FLOAT32,
                                   static_cast<std::uint32_t>(dimensions.size()), dimensions.data(),
                                   0, 0}));
        return operands_++;
    }
    std::uint32_t binary(std::int32_t type, std::uint32_t left, std::uint32_t right,
                         std::uint32_t count) {
        const std::uint32_t activation = operands_;
        REQUIRE(model_.addOperand({ANEURALNETWORKS_INT32, 0, nullptr, 0, 0}));
        ++operands_;
        const std::int32_t none = 0;
        REQUIRE(model_.setValue(static_cast<std::int32_t>(activation), &none, sizeof(none)));
        const std::uint32_t result = add({count});
        REQUIRE(model_.addOperation(type, Numbers{left, right, activation}, Numbers{result}));
        return result;
    }
    std::shared_ptr<const FinishedModel> finish(const Numbers& outputs) {
        REQUIRE(model_.identify(Numbers{0}, outputs));
        REQUIRE(model_.finish());
        return model_.finished();
    }

  private:
    Model model_;
    std::uint32_t operands_ = 0;
};

struct Devices {
    std::shared_ptr<PartialDevice> adder =
            std::make_shared<PartialDevice>("adder", std::set{OperationType::ADD});
    std::shared_ptr<PartialDevice> multiplier =
            std::make_shared<PartialDevice>("multiplier", std::set{OperationType::MUL});
    std::shared_ptr<CpuDevice> cpu = std::make_shared<CpuDevice>();

    Compilation::Devices chosen() const { return {adder, multiplier}; }
    Compilation::Devices all() const { return {adder, multiplier, cpu}; }
};

}  // namespace

TEST_SUITE_BEGIN("sim/ndk/plan_run");

TEST_CASE("values go from device to device") {
    Chain chain(3);
    const std::uint32_t doubled = chain.binary(ANEURALNETWORKS_ADD, 0, 0, 3);
    const std::uint32_t squared = chain.binary(ANEURALNETWORKS_MUL, doubled, doubled, 3);
    const std::uint32_t sum = chain.binary(ANEURALNETWORKS_ADD, squared, 0, 3);
    Devices devices;
    Compilation compilation(chain.finish({sum}), devices.chosen(), true);
    REQUIRE(compilation.finish());
    REQUIRE(compilation.steps().size() == 3);
    std::vector<float> input{1, 2, 3};
    std::vector<float> output(3);
    const CallOutcome outcome = runPlan(compilation, callWith({at(input)}, {at(output)}));
    CHECK(outcome.code == ANEURALNETWORKS_NO_ERROR);
    CHECK(output == std::vector<float>{5, 18, 39});  // (2 x)^2 + x
    CHECK(devices.adder->computations == 2);
    CHECK(devices.multiplier->computations == 1);
}

TEST_CASE("an output of the model that a later device reads reaches both, even if it is absent") {
    for (const bool isAbsent : {false, true}) {
        Chain chain(3);
        const std::uint32_t doubled = chain.binary(ANEURALNETWORKS_ADD, 0, 0, 3);
        const std::uint32_t squared = chain.binary(ANEURALNETWORKS_MUL, doubled, doubled, 3);
        Devices devices;
        Compilation compilation(chain.finish({doubled, squared}), devices.chosen(), true);
        REQUIRE(compilation.finish());
        std::vector<float> input{1, 2, 3};
        std::vector<float> first(3);
        std::vector<float> second(3);
        Call call = callWith({at(input)}, {at(first), at(second)});
        if (isAbsent) {
            call.outputs[0] = {};
            call.outputs[0].isAbsent = true;
        }
        CHECK(runPlan(compilation, call).code == ANEURALNETWORKS_NO_ERROR);
        CHECK(first == (isAbsent ? std::vector<float>{0, 0, 0} : std::vector<float>{2, 4, 6}));
        CHECK(second == std::vector<float>{4, 16, 36});
    }
}

TEST_CASE("a tensor between devices gets the room that its computation finds out") {
    constexpr std::uint32_t kCount = 5000;  // more bytes than the first room
    Chain chain(kCount);
    const std::uint32_t doubled = chain.binary(ANEURALNETWORKS_ADD, 0, 0, 0);
    const std::uint32_t squared = chain.binary(ANEURALNETWORKS_MUL, doubled, doubled, 0);
    Devices devices;
    Compilation compilation(chain.finish({squared}), devices.chosen(), true);
    REQUIRE(compilation.finish());
    std::vector<float> input(kCount);
    std::iota(input.begin(), input.end(), 0.0F);
    std::vector<float> output(kCount);
    Call call = callWith({at(input)}, {at(output)});
    const CallOutcome outcome = runPlan(compilation, call);
    REQUIRE(outcome.code == ANEURALNETWORKS_NO_ERROR);
    CHECK(output[4999] == 4.0F * 4999 * 4999);
    CHECK(outcome.shapes[0].dimensions == Dimensions{kCount});
    CHECK(devices.adder->computations == 2);  // with too little room, and again
    CHECK(devices.multiplier->computations == 1);
}

TEST_CASE("an output with too little room is reported with its shape") {
    Chain chain(4);
    const std::uint32_t doubled = chain.binary(ANEURALNETWORKS_ADD, 0, 0, 4);
    const std::uint32_t squared = chain.binary(ANEURALNETWORKS_MUL, doubled, doubled, 0);
    Devices devices;
    Compilation compilation(chain.finish({squared}), devices.chosen(), true);
    REQUIRE(compilation.finish());
    std::vector<float> input(4);
    std::vector<float> output(3, 9.0F);
    Call call = callWith({at(input)}, {at(output)});
    const CallOutcome outcome = runPlan(compilation, call);
    CHECK(outcome.code == ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE);
    REQUIRE(outcome.shapes.size() == 1);
    CHECK(outcome.shapes[0].dimensions == Dimensions{4});
    CHECK_FALSE(outcome.shapes[0].isSufficient);
    CHECK(output == std::vector<float>(3, 9.0F));
}

TEST_CASE("without chosen devices the last one stands in for those that fail") {
    Chain chain(2);
    const std::uint32_t sum = chain.binary(ANEURALNETWORKS_ADD, 0, 0, 2);
    const auto model = chain.finish({chain.binary(ANEURALNETWORKS_MUL, sum, sum, 2)});
    std::vector<float> input{1, 2};
    std::vector<float> output(2);
    Call call = callWith({at(input)}, {at(output)});
    SUBCASE("in the computation") {
        Devices devices;
        Compilation compilation(model, devices.all(), false);
        REQUIRE(compilation.finish());
        CHECK(compilation.steps().size() == 2);
        devices.multiplier->failure = ANEURALNETWORKS_DEAD_OBJECT;
        CHECK(runPlan(compilation, call).code == ANEURALNETWORKS_NO_ERROR);
        CHECK(output == std::vector<float>{4, 16});
    }
    SUBCASE("in the preparation") {
        Devices devices;
        devices.adder->refusal = ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT;
        Compilation compilation(model, devices.all(), false);
        REQUIRE(compilation.finish());
        CHECK(compilation.steps().size() == 1);
        CHECK(runPlan(compilation, call).code == ANEURALNETWORKS_NO_ERROR);
        CHECK(output == std::vector<float>{4, 16});
    }
    SUBCASE("but not for chosen devices") {
        Devices devices;
        Compilation compilation(model, devices.chosen(), true);
        REQUIRE(compilation.finish());
        devices.multiplier->failure = ANEURALNETWORKS_DEAD_OBJECT;
        CHECK(runPlan(compilation, call).code == ANEURALNETWORKS_DEAD_OBJECT);
    }
    SUBCASE("and not for a wrong request") {
        Devices devices;
        Compilation compilation(model, devices.all(), false);
        REQUIRE(compilation.finish());
        devices.multiplier->failure = ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT;
        CHECK(runPlan(compilation, call).code == ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT);
    }
}

TEST_CASE("chosen devices must support every operation") {
    Chain chain(2);
    const auto model = chain.finish({chain.binary(ANEURALNETWORKS_SUB, 0, 0, 2)});
    Devices devices;
    Compilation compilation(model, devices.chosen(), true);
    CHECK(compilation.finish().error().code == ANEURALNETWORKS_BAD_DATA);
    CHECK(compilation.checkIsReady().error().code == ANEURALNETWORKS_BAD_STATE);
    CHECK(compilation.finish().error().code == ANEURALNETWORKS_BAD_STATE);
}

TEST_SUITE_END();

}  // namespace vnpu::test
