// SPDX-License-Identifier: Apache-2.0
#include "tests/sim/ndk_interface/ndk_fixture.h"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "sim/ndk_client/ndk_memory.h"
#include "tests/support/sim_case.h"

namespace vnpu::test {

namespace {

constexpr int kDone = ANEURALNETWORKS_NO_ERROR;

}  // namespace

const sim::NdkFunctions& ndk() {
    static const sim::NdkFunctions functions = [] {
        const char* const chosen = std::getenv("VNPU_NDK_LIBRARY");
        const auto loaded = sim::loadNdk(chosen != nullptr ? chosen : VNPU_NEURALNETWORKS);
        REQUIRE_MESSAGE(loaded.has_value(), (loaded ? "" : loaded.error()));
        return *loaded;
    }();
    return functions;
}

void ndkCase(const std::function<void()>& body) {
    // Wrong arguments are logged, which is not looked at here.
    REQUIRE(::setenv("ANDROID_LOG_TAGS", "*:s", 1) == 0);
    simCase(body);
}

std::string code(int result) {
    return sim::nameOfNdkCode(result);
}

void require(int result) {
    REQUIRE(code(result) == "NO_ERROR");
}

std::uint32_t deviceCount() {
    std::uint32_t count = 0;
    REQUIRE(ndk().getDeviceCount(&count) == kDone);
    return count;
}

ANeuralNetworksDevice* deviceAt(std::uint32_t index) {
    ANeuralNetworksDevice* device = nullptr;
    REQUIRE(ndk().getDevice(index, &device) == kDone);
    return device;
}

ANeuralNetworksDevice* firstDevice() {
    return deviceAt(0);
}

ANeuralNetworksDevice* cpuDevice() {
    return deviceAt(deviceCount() - 1);
}

ANeuralNetworksOperandType OperandSpec::get() const {
    return {type, static_cast<std::uint32_t>(dimensions.size()),
            dimensions.empty() ? nullptr : dimensions.data(), scale, zeroPoint};
}

NdkModel newModel() {
    ANeuralNetworksModel* model = nullptr;
    REQUIRE(ndk().modelCreate(&model) == kDone);
    return {model, ndk().modelFree};
}

int addOperand(ANeuralNetworksModel* model, const OperandSpec& operand) {
    const ANeuralNetworksOperandType type = operand.get();
    return ndk().modelAddOperand(model, &type);
}

SumModel::SumModel(Step last, std::vector<std::uint32_t> inputDimensions,
                   std::vector<std::uint32_t> outputDimensions)
    : model_(newModel()) {
    const OperandSpec input{.dimensions = std::move(inputDimensions)};
    REQUIRE(addOperand(get(), input) == kDone);
    REQUIRE(addOperand(get(), input) == kDone);
    REQUIRE(addOperand(get(), {.type = ANEURALNETWORKS_INT32}) == kDone);
    REQUIRE(addOperand(get(), {.dimensions = std::move(outputDimensions)}) == kDone);
    const std::int32_t none = ANEURALNETWORKS_FUSED_NONE;
    REQUIRE(ndk().modelSetOperandValue(get(), 2, &none, sizeof(none)) == kDone);
    const std::uint32_t inputs[] = {0, 1, 2};
    const std::uint32_t outputs[] = {3};
    if (last >= Step::kOperation) {
        REQUIRE(ndk().modelAddOperation(get(), ANEURALNETWORKS_ADD, 3, inputs, 1, outputs) ==
                kDone);
    }
    if (last >= Step::kIdentified) {
        REQUIRE(ndk().modelIdentifyInputsAndOutputs(get(), 2, inputs, 1, outputs) == kDone);
    }
    if (last >= Step::kFinished) {
        REQUIRE(ndk().modelFinish(get()) == kDone);
    }
}

NdkCompilation newCompilation(ANeuralNetworksModel* model, bool isForAll) {
    ANeuralNetworksCompilation* compilation = nullptr;
    const ANeuralNetworksDevice* const device = firstDevice();
    REQUIRE((isForAll ? ndk().compilationCreate(model, &compilation)
                      : ndk().compilationCreateForDevices(model, &device, 1, &compilation)) ==
            kDone);
    return {compilation, ndk().compilationFree};
}

NdkCompilation compile(ANeuralNetworksModel* model,
                       const std::vector<const ANeuralNetworksDevice*>& devices) {
    ANeuralNetworksCompilation* compilation = nullptr;
    REQUIRE(ndk().compilationCreateForDevices(model, devices.data(),
                                              static_cast<std::uint32_t>(devices.size()),
                                              &compilation) == kDone);
    NdkCompilation owned(compilation, ndk().compilationFree);
    REQUIRE(ndk().compilationFinish(compilation) == kDone);
    return owned;
}

NdkCompilation compile(ANeuralNetworksModel* model) {
    return compile(model, {firstDevice()});
}

NdkExecution newExecution(ANeuralNetworksCompilation* compilation) {
    ANeuralNetworksExecution* execution = nullptr;
    REQUIRE(ndk().executionCreate(compilation, &execution) == kDone);
    return {execution, ndk().executionFree};
}

void SumArguments::giveTo(ANeuralNetworksExecution* execution) {
    REQUIRE(ndk().executionSetInput(execution, 0, nullptr, first, sizeof(first)) == kDone);
    REQUIRE(ndk().executionSetInput(execution, 1, nullptr, second, sizeof(second)) == kDone);
    REQUIRE(ndk().executionSetOutput(execution, 0, nullptr, sum, sizeof(sum)) == kDone);
}

MemoryFile::MemoryFile(std::size_t sizeBytes)
    : descriptor_(::memfd_create("ndk-test", MFD_CLOEXEC)), sizeBytes_(sizeBytes) {
    REQUIRE(descriptor_ >= 0);
    REQUIRE(::ftruncate(descriptor_, static_cast<off_t>(sizeBytes)) == 0);
    data_ = ::mmap(nullptr, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    REQUIRE(data_ != MAP_FAILED);
}

MemoryFile::~MemoryFile() {
    ::munmap(data_, sizeBytes_);
    ::close(descriptor_);
}

NdkMemory MemoryFile::memory() const {
    ANeuralNetworksMemory* memory = nullptr;
    REQUIRE(ndk().memoryCreateFromFd(sizeBytes_, PROT_READ | PROT_WRITE, descriptor_, 0, &memory) ==
            kDone);
    return {memory, ndk().memoryFree};
}

NdkMemoryDesc newDesc() {
    ANeuralNetworksMemoryDesc* desc = nullptr;
    REQUIRE(ndk().memoryDescCreate(&desc) == kDone);
    return {desc, ndk().memoryDescFree};
}

namespace {

NdkMemory finishAndCreate(ANeuralNetworksMemoryDesc* desc) {
    REQUIRE(ndk().memoryDescFinish(desc) == kDone);
    ANeuralNetworksMemory* memory = nullptr;
    REQUIRE(ndk().memoryCreateFromDesc(desc, &memory) == kDone);
    return {memory, ndk().memoryFree};
}

}  // namespace

NdkMemory memoryForInput(ANeuralNetworksCompilation* compilation, std::uint32_t index) {
    const NdkMemoryDesc desc = newDesc();
    REQUIRE(ndk().memoryDescAddInputRole(desc.get(), compilation, index, 1.0F) == kDone);
    return finishAndCreate(desc.get());
}

NdkMemory memoryForOutput(ANeuralNetworksCompilation* compilation, std::uint32_t index) {
    const NdkMemoryDesc desc = newDesc();
    REQUIRE(ndk().memoryDescAddOutputRole(desc.get(), compilation, index, 1.0F) == kDone);
    return finishAndCreate(desc.get());
}

}  // namespace vnpu::test
