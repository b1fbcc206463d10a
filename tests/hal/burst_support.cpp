// SPDX-License-Identifier: Apache-2.0
#include "tests/hal/burst_support.h"

#include <doctest/doctest.h>

namespace vnpu::hal::test {

using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Status;
using android::hardware::Void;
using nn::V1_0::ErrorStatus;

hidl_memory makeMemory(uint64_t sizeBytes) {
    auto memory = createSharedMemory(sizeBytes);
    REQUIRE(memory.has_value());
    return std::move(*memory);
}

nn::V1_0::Request makeRequest() {
    nn::V1_0::Request request;
    request.inputs = {{false, {0, 4, 24}, {2, 3}}, {true, {0, 0, 0}, {}}};
    request.outputs = {{false, {1, 8, 16}, {}}};
    return request;
}

BurstResult makeResult() {
    return {ErrorStatus::NONE, {{{2, 3}, true}, {{}, true}}, {5, 7}};
}

Return<void> FakeCallback::getMemories(const hidl_vec<int32_t>& slots, getMemories_cb callback) {
    asked.emplace_back(slots);
    if (onAsked) {
        onAsked();
    }
    if (isDead) {
        return Status::fromStatusT(android::DEAD_OBJECT);
    }
    hidl_vec<hidl_memory> memories(
            status == ErrorStatus::NONE
                    ? static_cast<size_t>(static_cast<int>(slots.size()) + surplus)
                    : 0);
    for (hidl_memory& memory : memories) {
        memory = givesNothing ? hidl_memory() : makeMemory();
    }
    if (!isSilent) {
        callback(status, memories);
    }
    return Void();
}

FakeClient::FakeClient(size_t resultLength)
    : requests(*PacketChannel<nn::V1_2::FmqRequestDatum>::create(64)),
      results(*PacketChannel<nn::V1_2::FmqResultDatum>::create(resultLength)) {}

BurstResult FakeClient::exchange(const RequestPacket& packet) const {
    REQUIRE(requests->send(packet).has_value());
    const auto answer = results->receive({});
    REQUIRE(answer.has_value());
    const auto result = deserialize(*answer);
    REQUIRE(result.has_value());
    return *result;
}

Return<ErrorStatus> FakePreparedModel::execute(const nn::V1_0::Request&,
                                               const sp<nn::V1_0::IExecutionCallback>&) {
    return ErrorStatus::GENERAL_FAILURE;
}

Return<ErrorStatus> FakePreparedModel::execute_1_2(const nn::V1_0::Request&,
                                                   nn::V1_2::MeasureTiming,
                                                   const sp<nn::V1_2::IExecutionCallback>&) {
    return ErrorStatus::GENERAL_FAILURE;
}

Return<void> FakePreparedModel::executeSynchronously(const nn::V1_0::Request& request,
                                                     nn::V1_2::MeasureTiming measure,
                                                     executeSynchronously_cb callback) {
    const BurstResult result = onExecute(request, measure);
    callback(result.status, result.outputShapes, result.timing);
    return Void();
}

Return<void> FakePreparedModel::configureExecutionBurst(
        const sp<nn::V1_2::IBurstCallback>& callback,
        const android::hardware::MQDescriptorSync<nn::V1_2::FmqRequestDatum>& requests,
        const android::hardware::MQDescriptorSync<nn::V1_2::FmqResultDatum>& results,
        configureExecutionBurst_cb answer) {
    const sp<nn::V1_2::IBurstContext> context =
            onBurst ? onBurst({callback, requests, results}) : nullptr;
    answer(context == nullptr ? ErrorStatus::GENERAL_FAILURE : ErrorStatus::NONE, context);
    return Void();
}

}  // namespace vnpu::hal::test
