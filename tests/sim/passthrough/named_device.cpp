// SPDX-License-Identifier: Apache-2.0
// A program that uses only the HAL's headers and the shared library with which it is linked.
// Devices are listed and fetched before main(), as in the VTS. On success it prints a line for each
// device and returns 0.
#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.2/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>
#include <android/hidl/allocator/1.0/IAllocator.h>
#include <hidl/ServiceManagement.h>
#include <hidlmemory/mapping.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

using android::sp;
using namespace android::hardware;
namespace nn = android::hardware::neuralnetworks;

using NamedDevice = std::pair<std::string, sp<nn::V1_3::IDevice>>;

std::vector<NamedDevice> namedDevices() {
    std::vector<NamedDevice> devices;
    for (const std::string& name : getAllHalInstanceNames(nn::V1_3::IDevice::descriptor)) {
        devices.emplace_back(name, nn::V1_3::IDevice::getService(name));
    }
    return devices;
}

const std::vector<NamedDevice> kDevices = namedDevices();

void require(bool isTrue, const char* what) {
    if (!isTrue) {
        std::fprintf(stderr, "failed: %s\n", what);
        std::exit(1);
    }
}

struct PreparedModelCallback : nn::V1_3::IPreparedModelCallback {
    Return<void> notify(nn::V1_0::ErrorStatus status,
                        const sp<nn::V1_0::IPreparedModel>& model) override {
        return tell(status == nn::V1_0::ErrorStatus::NONE, model);
    }
    Return<void> notify_1_2(nn::V1_0::ErrorStatus status,
                            const sp<nn::V1_2::IPreparedModel>& model) override {
        return tell(status == nn::V1_0::ErrorStatus::NONE, model);
    }
    Return<void> notify_1_3(nn::V1_3::ErrorStatus status,
                            const sp<nn::V1_3::IPreparedModel>& model) override {
        return tell(status == nn::V1_3::ErrorStatus::NONE, model);
    }

    sp<nn::V1_0::IPreparedModel> wait() {
        std::unique_lock lock(mutex);
        told.wait(lock, [this] { return isTold; });
        return result;
    }

  private:
    Return<void> tell(bool isGood, const sp<nn::V1_0::IPreparedModel>& model) {
        const std::lock_guard guard(mutex);
        isTold = true;
        result = isGood ? model : nullptr;
        told.notify_all();
        return Void();
    }

    std::mutex mutex;
    std::condition_variable told;
    bool isTold = false;
    sp<nn::V1_0::IPreparedModel> result;
};

/// A RELU of a vector of four floats.
nn::V1_3::Model rectifier() {
    nn::V1_3::Operand input;
    input.type = nn::V1_3::OperandType::TENSOR_FLOAT32;
    input.dimensions = {1, 4};
    input.numberOfConsumers = 1;
    input.lifetime = nn::V1_3::OperandLifeTime::SUBGRAPH_INPUT;
    nn::V1_3::Operand output = input;
    output.numberOfConsumers = 0;
    output.lifetime = nn::V1_3::OperandLifeTime::SUBGRAPH_OUTPUT;
    nn::V1_3::Model model;
    model.main.operands = {input, output};
    model.main.operations = {
            {.type = nn::V1_3::OperationType::RELU, .inputs = {0}, .outputs = {1}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {1};
    return model;
}

hidl_memory allocate(std::uint64_t size) {
    hidl_memory memory;
    android::hidl::allocator::V1_0::IAllocator::getService("ashmem")->allocate(
            size, [&](bool isDone, const hidl_memory& made) {
                require(isDone, "ashmem gives memory");
                memory = made;
            });
    return memory;
}

void executeOn(const sp<nn::V1_3::IDevice>& device) {
    const sp<PreparedModelCallback> callback = new PreparedModelCallback;
    const nn::V1_3::ErrorStatus launched = device->prepareModel_1_3(
            rectifier(), nn::V1_1::ExecutionPreference::FAST_SINGLE_ANSWER,
            nn::V1_3::Priority::MEDIUM, {}, {}, {}, hidl_array<std::uint8_t, 32>{}, callback);
    require(launched == nn::V1_3::ErrorStatus::NONE, "the preparation is launched");
    const sp<nn::V1_3::IPreparedModel> model =
            nn::V1_3::IPreparedModel::castFrom(callback->wait()).withDefault(nullptr);
    require(model != nullptr, "the model is prepared, as of 1.3");

    const hidl_memory memory = allocate(32);
    const auto mapped = mapMemory(memory);
    require(mapped != nullptr, "the memory can be mapped");
    auto* values = static_cast<float*>(static_cast<void*>(mapped->getPointer()));
    const float given[4] = {-1.0F, 2.0F, -3.0F, 4.0F};
    std::copy_n(given, 4, values);
    nn::V1_3::Request request;
    request.pools.resize(1);
    request.pools[0].hidlMemory(memory);
    request.inputs = {{.hasNoValue = false,
                       .location = {.poolIndex = 0, .offset = 0, .length = 16},
                       .dimensions = {}}};
    request.outputs = {{.hasNoValue = false,
                        .location = {.poolIndex = 0, .offset = 16, .length = 16},
                        .dimensions = {}}};
    nn::V1_3::ErrorStatus status = nn::V1_3::ErrorStatus::GENERAL_FAILURE;
    const auto executed = model->executeSynchronously_1_3(
            request, nn::V1_2::MeasureTiming::NO, {}, {},
            [&](nn::V1_3::ErrorStatus told, const auto&, const auto&) { status = told; });
    require(executed.isOk() && status == nn::V1_3::ErrorStatus::NONE, "the execution succeeds");
    const float expected[4] = {0.0F, 2.0F, 0.0F, 4.0F};
    require(std::equal(expected, expected + 4, values + 4), "negative values become zero");
}

}  // namespace

int main() {
    require(!kDevices.empty(), "a device is there");
    for (const auto& [name, device] : kDevices) {
        require(device != nullptr, "the device is got before main()");
        require(device->getStatus() == nn::V1_0::DeviceStatus::AVAILABLE, "it is available");
        require(nn::V1_0::IDevice::getService(name) != nullptr, "a caller of 1.0 finds it");
        executeOn(device);
        std::printf("%s\n", name.c_str());
    }
    return 0;
}
