// SPDX-License-Identifier: Apache-2.0
// Client code in the style of the HAL's own test suites: in a namespace inside the HAL's, with
// designated initializers, `{}` for defaults, and the standard algorithms.
#include <doctest/doctest.h>
#include <hidl/ServiceManagement.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/hal/compatibility/gtest_like.h"
#include "tests/hal/compatibility/suite_fixture.h"

namespace android::hardware::neuralnetworks::V1_3 {

// A suite's own printer of a type takes precedence over the printers of the HAL's headers.
inline ::std::ostream& operator<<(::std::ostream& os, Priority priority) {
    return os << "priority " << static_cast<int>(priority);
}

}  // namespace android::hardware::neuralnetworks::V1_3

namespace android::hardware::neuralnetworks::V1_3::compatibility {
using gtest_like::isDifferent;
using gtest_like::isEqual;
using gtest_like::print;
using V1_2::SymmPerChannelQuantParams;

namespace {

const std::vector<std::string> kInstancesBeforeMain = getAllHalInstanceNames(IDevice::descriptor);

template <typename Type>
uint32_t pushBack(hidl_vec<Type>* list, const Type& value) {
    const uint32_t index = static_cast<uint32_t>(list->size());
    list->resize(index + 1);
    (*list)[index] = value;
    return index;
}

/// Removes an element from a vector.
template <typename Type>
void removeAt(hidl_vec<Type>* list, uint32_t index) {
    std::rotate(list->begin() + index, list->begin() + index + 1, list->end());
    list->resize(list->size() - 1);
}

TEST_SUITE_BEGIN("hal/compatibility");

TEST_CASE(VNPU_LANGUAGE ": instances are asked for before main") {
    CHECK(std::count(kInstancesBeforeMain.begin(), kInstancesBeforeMain.end(), "nobody") == 0);
}

TEST_CASE(VNPU_LANGUAGE ": results of calls meet assertions") {
    Fixture f;
    const bool deviceIsResponsive = f.kDevice->ping().isOk();
    CHECK(deviceIsResponsive);
    Return<V1_0::DeviceStatus> status = f.kDevice->getStatus();
    CHECK(status.isOk());
    CHECK(isEqual(V1_0::DeviceStatus::AVAILABLE, static_cast<V1_0::DeviceStatus>(status)));
    CHECK(isDifferent(status, V1_0::DeviceStatus::BUSY));
    CHECK(status != V1_0::DeviceStatus::OFFLINE);
    CHECK(isEqual(f.preparedModel->isRemote(), false));
    CHECK(isDifferent(f.preparedModel.get(), nullptr));
    const Return<bool> linked = f.kDevice->linkToDeath(nullptr, 0);
    CHECK((linked.isOk() && linked != true));
}

TEST_CASE(VNPU_LANGUAGE ": capabilities are sorted, and print") {
    Fixture f;
    const Return<void> ret = f.kDevice->getCapabilities_1_3(
            [](ErrorStatus status, const Capabilities& capabilities) {
                CHECK(isEqual(ErrorStatus::NONE, status));
                auto isPositive = [](const V1_0::PerformanceInfo& perf) {
                    return perf.execTime > 0.0F && perf.powerUsage > 0.0F;
                };
                const auto& opPerf = capabilities.operandPerformance;
                CHECK(std::all_of(opPerf.begin(), opPerf.end(),
                                  [isPositive](const Capabilities::OperandPerformance& a) {
                                      return isPositive(a.info);
                                  }));
                CHECK(std::is_sorted(
                        opPerf.begin(), opPerf.end(),
                        [](const Capabilities::OperandPerformance& a,
                           const Capabilities::OperandPerformance& b) { return a.type < b.type; }));
                CHECK(opPerf.size() == 17);
                CHECK(isPositive(capabilities.ifPerformance));
                CHECK(print(capabilities).size() > 100);
            });
    CHECK(ret.isOk());
}

TEST_CASE(VNPU_LANGUAGE ": models are changed by the standard algorithms") {
    Model model = createModel();
    auto& main = model.main;
    const uint32_t index =
            pushBack<Operand>(&main.operands, {
                                                      .type = OperandType::INT32,
                                                      .dimensions = {},
                                                      .numberOfConsumers = 0,
                                                      .lifetime = OperandLifeTime::SUBGRAPH_INPUT,
                                                      .location = {},
                                              });
    pushBack(&main.inputIndexes, index);
    CHECK(main.inputIndexes == hidl_vec<uint32_t>({0, 1, 4}));
    removeAt(&main.inputIndexes, 1);
    CHECK(main.inputIndexes == hidl_vec<uint32_t>({0, 4}));
    hidl_vec<uint32_t>& inputs = main.operations[0].inputs;
    inputs.resize(
            static_cast<size_t>(std::remove(inputs.begin(), inputs.end(), 1u) - inputs.begin()));
    CHECK(std::find(inputs.begin(), inputs.end(), 1u) == inputs.end());
    CHECK(std::accumulate(inputs.begin(), inputs.end(), 0u) == 2);
    main.operands[0].dimensions = std::vector<uint32_t>(1, 0);
    main.operands[1].dimensions = main.operands[1].dimensions.size() > 0
                                          ? main.operands[1].dimensions
                                          : hidl_vec<uint32_t>({1});
    auto& dims = main.operands[1].dimensions;
    std::fill(dims.begin(), dims.end(), 0);
    const std::vector<uint32_t> actual = dims;
    CHECK(actual == std::vector<uint32_t>{0, 0});
    CHECK(main.operands[0] != main.operands[1]);
    main.operands[0].type =
            static_cast<OperandType>(static_cast<uint32_t>(OperandTypeRange::FUNDAMENTAL_MAX) + 1);
    CHECK(toString(main.operands[0].type) == "0x10");
    for (int32_t type : {static_cast<int32_t>(OperationTypeRange::OEM_MIN) - 1}) {
        main.operations[0].type = static_cast<OperationType>(type);
    }
    CHECK(std::string("test_" + toString(OperandType::TENSOR_FLOAT16)) == "test_TENSOR_FLOAT16");
}

TEST_CASE(VNPU_LANGUAGE ": extra parameters are told apart by their discriminator") {
    using Discriminator = V1_2::Operand::ExtraParams::hidl_discriminator;
    const auto describe = [](const V1_2::Operand::ExtraParams& extraParams) -> std::string {
        switch (extraParams.getDiscriminator()) {
            case Discriminator::none:
                return "none";
            case Discriminator::channelQuant:
                return toString(extraParams.channelQuant().scales.size());
            case Discriminator::extension:
                return toString(extraParams.extension());
        }
        return "?";
    };
    const float scales[] = {1.0F, 2.0F};
    V1_2::Operand::ExtraParams extraParams;
    CHECK(describe(extraParams) == "none");
    extraParams.channelQuant(SymmPerChannelQuantParams{
            .scales = hidl_vec<float>(scales, scales + 2), .channelDim = 1});
    CHECK(describe(extraParams) == "2");
    V1_2::Operand::ExtraParams moved = std::move(extraParams);
    CHECK(moved.channelQuant().channelDim == 1);
    moved.extension({1, 2});
    CHECK(describe(moved) == "[2]{1, 2}");
    moved = {};
    CHECK(describe(moved) == "none");
}

TEST_CASE(VNPU_LANGUAGE ": enumerations are walked, in constants too") {
    static constexpr hidl_enum_range<OperandType> kOperandTypes;
    static_assert(*kOperandTypes.begin() == OperandType::FLOAT32, "declared first");
    std::map<OperandType, std::string> names;
    for (OperandType type : kOperandTypes) {
        names[type] = toString(type);
    }
    CHECK(names.size() == 18);
    for (auto priority : hidl_enum_range<Priority>{}) {
        CHECK(priority <= Priority::HIGH);
    }
    for (const auto& preference : hidl_enum_range<ExecutionPreference>()) {
        CHECK(print(preference) == toString(preference));
    }
}

TEST_CASE(VNPU_LANGUAGE ": values are printed by the suite, the HAL or the framework") {
    CHECK(print(Priority::LOW) == "priority 0");
    CHECK(print(ErrorStatus::INVALID_ARGUMENT) == "INVALID_ARGUMENT");
    CHECK(print(Timing{1, 2}) == "{.timeOnDevice = 1, .timeInDriver = 2}");
    CHECK(print(Return<ErrorStatus>(ErrorStatus::NONE)).find(" bytes") != std::string::npos);
    CHECK(print(hidl_string("npu")) == "npu");
}
TEST_SUITE_END();

}  // namespace

}  // namespace android::hardware::neuralnetworks::V1_3::compatibility
