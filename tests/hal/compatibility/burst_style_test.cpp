// SPDX-License-Identifier: Apache-2.0
// Both ends of a burst in the style of the utilities that clients and drivers use: packets, memory
// slots, a death recipient. The queues themselves are not covered.
#include <android-base/macros.h>
#include <android-base/thread_annotations.h>
#include <doctest/doctest.h>
#include <hidl/MQDescriptor.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/hal/compatibility/sample_driver.h"

namespace compatibility {

namespace {

using V1_0::DataLocation;
using V1_0::ErrorStatus;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using V1_2::IBurstCallback;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::Timing;
using FmqRequestDescriptor = MQDescriptorSync<FmqRequestDatum>;
using FmqResultDescriptor = MQDescriptorSync<FmqResultDatum>;

/// The client's memories by slot.
class BurstCallback : public IBurstCallback {
    DISALLOW_COPY_AND_ASSIGN(BurstCallback);

  public:
    BurstCallback() = default;

    Return<void> getMemories(const hidl_vec<int32_t>& slots, getMemories_cb cb) override {
        std::lock_guard<std::mutex> guard(mMutex);
        hidl_vec<hidl_memory> memories(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) {
            const auto found = mMemories.find(slots[i]);
            if (found == mMemories.end()) {
                cb(ErrorStatus::INVALID_ARGUMENT, {});
                return Void();
            }
            memories[i] = found->second;
        }
        cb(ErrorStatus::NONE, memories);
        return Void();
    }

    std::vector<int32_t> getSlots(const hidl_vec<hidl_memory>& memories) {
        std::lock_guard<std::mutex> guard(mMutex);
        std::vector<int32_t> slots;
        for (const hidl_memory& memory : memories) {
            const int32_t slot = static_cast<int32_t>(mMemories.size());
            mMemories.emplace(slot, memory);
            slots.push_back(slot);
        }
        return slots;
    }

  private:
    std::mutex mMutex;
    std::map<int32_t, hidl_memory> mMemories GUARDED_BY(mMutex);
};

class DeathHandler : public hidl_death_recipient {
  public:
    void serviceDied(uint64_t /*cookie*/,
                     const wp<android::hidl::base::V1_0::IBase>& /*who*/) override {
        ++deaths;
    }

    int deaths = 0;
};

void append(std::vector<FmqRequestDatum>& data, const V1_0::RequestArgument& argument,
            bool isInput) {
    const FmqRequestDatum::OperandInformation information = {
            .hasNoValue = argument.hasNoValue,
            .location = argument.location,
            .numberOfDimensions = static_cast<uint32_t>(argument.dimensions.size())};
    data.emplace_back();
    isInput ? data.back().inputOperandInformation(information)
            : data.back().outputOperandInformation(information);
    for (uint32_t dimension : argument.dimensions) {
        FmqRequestDatum datum;
        isInput ? datum.inputOperandDimensionValue(dimension)
                : datum.outputOperandDimensionValue(dimension);
        data.push_back(datum);
    }
}

std::vector<FmqRequestDatum> serialize(const V1_0::Request& request, MeasureTiming measure,
                                       const std::vector<int32_t>& slots) {
    std::vector<FmqRequestDatum> data(1);
    for (const auto& input : request.inputs) {
        append(data, input, true);
    }
    for (const auto& output : request.outputs) {
        append(data, output, false);
    }
    for (int32_t slot : slots) {
        FmqRequestDatum datum;
        datum.poolIdentifier(slot);
        data.push_back(datum);
    }
    data.emplace_back().measureTiming(measure);
    data[0].packetInformation(
            {.packetSize = static_cast<uint32_t>(data.size()),
             .numberOfInputOperands = static_cast<uint32_t>(request.inputs.size()),
             .numberOfOutputOperands = static_cast<uint32_t>(request.outputs.size()),
             .numberOfPools = static_cast<uint32_t>(slots.size())});
    return data;
}

/// The contents of a result packet, or nothing if it is malformed.
std::optional<std::tuple<ErrorStatus, std::vector<OutputShape>, Timing>> deserialize(
        const std::vector<FmqResultDatum>& data) {
    using discriminator = FmqResultDatum::hidl_discriminator;
    if (data.empty() || data[0].getDiscriminator() != discriminator::packetInformation) {
        return std::nullopt;
    }
    const FmqResultDatum::PacketInformation& packet = data[0].packetInformation();
    if (packet.packetSize != data.size() ||
        data.back().getDiscriminator() != discriminator::executionTiming) {
        return std::nullopt;
    }
    std::vector<OutputShape> shapes;
    size_t index = 1;
    for (uint32_t operand = 0; operand < packet.numberOfOperands; ++operand) {
        const auto information = data[index++].operandInformation();
        std::vector<uint32_t> dimensions;
        for (uint32_t i = 0; i < information.numberOfDimensions; ++i) {
            dimensions.push_back(data[index++].operandDimensionValue());
        }
        shapes.push_back({.dimensions = dimensions, .isSufficient = information.isSufficient});
    }
    return std::make_tuple(packet.errorStatus, std::move(shapes), data.back().executionTiming());
}

template <typename Descriptor>
Descriptor queueOf(size_t bytes, size_t datumBytes) {
    return Descriptor(bytes, native_handle_create(0, 0), datumBytes, true);
}

V1_0::Request sampleRequest() {
    return {.inputs = {{.hasNoValue = false,
                        .location = {.poolIndex = 0, .offset = 4, .length = 8},
                        .dimensions = {2, 1}}},
            .outputs = {{.hasNoValue = true, .location = {}, .dimensions = {}}},
            .pools = {hidl_memory("ashmem", nullptr, 16)}};
}

TEST_SUITE_BEGIN("hal/compatibility");

TEST_CASE(VNPU_LANGUAGE ": a request becomes a packet") {
    const sp<BurstCallback> callback = new BurstCallback();
    const auto request = sampleRequest();
    const auto data = serialize(request, MeasureTiming::YES, callback->getSlots(request.pools));
    REQUIRE(data.size() == 7);
    CHECK(data[0].packetInformation().packetSize == 7);
    CHECK(data[1].inputOperandInformation().location == request.inputs[0].location);
    CHECK(data[3].inputOperandDimensionValue() == 1);
    CHECK(data[4].outputOperandInformation().hasNoValue);
    CHECK(data[5].poolIdentifier() == 0);
    CHECK(data[6].measureTiming() == MeasureTiming::YES);
    CHECK((data[2] != data[3] && data[2] == FmqRequestDatum(data[2])));
    CHECK(toString(data[5]) == "{.poolIdentifier = 0}");
    static_assert(std::is_trivially_copyable_v<FmqRequestDatum::PacketInformation>, "by memcpy");
}

TEST_CASE(VNPU_LANGUAGE ": data that go wrong are made by hand") {
    const FmqRequestDatum::PacketInformation packetInformation = {
            /*.packetSize=*/10, /*.numberOfInputOperands=*/10, /*.numberOfOutputOperands=*/10,
            /*.numberOfPools=*/10};
    const FmqRequestDatum::OperandInformation operandInformation = {
            /*.hasNoValue=*/false, /*.location=*/{}, /*.numberOfDimensions=*/10};
    std::vector<FmqRequestDatum> bad(3);
    bad[0].packetInformation(packetInformation);
    bad[1].inputOperandInformation(operandInformation);
    bad[2].inputOperandDimensionValue(0);
    std::vector<FmqRequestDatum> packet = serialize(sampleRequest(), MeasureTiming::NO, {});
    packet.insert(packet.begin() + 1, bad[1]);
    packet[0] = bad[0];
    packet.erase(packet.begin() + 2);
    CHECK(packet[1].inputOperandInformation().numberOfDimensions == 10);
    CHECK(packet[0] == bad[0]);
}

TEST_CASE(VNPU_LANGUAGE ": a packet becomes a result") {
    std::vector<FmqResultDatum> data(5);
    data[0].packetInformation(
            {.packetSize = 5, .errorStatus = ErrorStatus::NONE, .numberOfOperands = 1});
    data[1].operandInformation({.isSufficient = true, .numberOfDimensions = 2});
    data[2].operandDimensionValue(3);
    data[3].operandDimensionValue(4);
    data[4].executionTiming({.timeOnDevice = 5, .timeInDriver = 6});
    auto result = deserialize(data);
    REQUIRE(result.has_value());
    const auto [status, shapes, timing] = std::move(*result);
    CHECK(status == ErrorStatus::NONE);
    CHECK(shapes[0].dimensions == hidl_vec<uint32_t>{3, 4});
    CHECK(timing.timeInDriver == 6);
    data.pop_back();
    CHECK_FALSE(deserialize(data).has_value());
}

TEST_CASE(VNPU_LANGUAGE ": a burst is configured with two queues") {
    const sp<V1_2::IPreparedModel> preparedModel = new PreparedModel({});
    const sp<DeathHandler> deathHandler = new DeathHandler();
    const auto requests = std::make_unique<FmqRequestDescriptor>(
            queueOf<FmqRequestDescriptor>(384, sizeof(FmqRequestDatum)));
    const FmqResultDescriptor results = queueOf<FmqResultDescriptor>(384, sizeof(FmqResultDatum));
    ErrorStatus errorStatus = ErrorStatus::GENERAL_FAILURE;
    sp<V1_2::IBurstContext> burstContext;
    const Return<void> ret = preparedModel->configureExecutionBurst(
            new BurstCallback(), *requests, results,
            [&errorStatus, &burstContext](ErrorStatus status,
                                          const sp<V1_2::IBurstContext>& context) {
                errorStatus = status;
                burstContext = context;
            });
    REQUIRE((ret.isOk() && errorStatus == ErrorStatus::NONE));
    Return<bool> deathHandlerRet = burstContext->linkToDeath(deathHandler, 0);
    CHECK((deathHandlerRet.isOk() && deathHandlerRet == true));
    burstContext->freeMemory(3);
    CHECK(static_cast<BurstContext*>(burstContext.get())->lastFreed == 3);
    CHECK(burstContext->unlinkToDeath(deathHandler).isOk());
    CHECK(deathHandler->deaths == 0);
}

TEST_CASE(VNPU_LANGUAGE ": a driver asks for the memories of slots") {
    const sp<BurstCallback> client = new BurstCallback();
    const sp<IBurstCallback> callback = client;
    const std::vector<int32_t> slots = client->getSlots({hidl_memory(), hidl_memory()});
    std::vector<hidl_memory> memories;
    Return<void> ret = callback->getMemories(
            slots, [&memories](ErrorStatus status, const hidl_vec<hidl_memory>& given) {
                if (status == ErrorStatus::NONE) {
                    memories = given;
                }
            });
    CHECK((ret.isOk() && memories.size() == 2));
    ret = callback->getMemories({99}, [](ErrorStatus status, const hidl_vec<hidl_memory>&) {
        CHECK(status == ErrorStatus::INVALID_ARGUMENT);
    });
    CHECK(ret.isOk());
}

TEST_SUITE_END();

}  // namespace

}  // namespace compatibility
