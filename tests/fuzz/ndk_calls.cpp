// SPDX-License-Identifier: Apache-2.0
// Sequences of calls of NNAPI's C interface.
#include <android/hardware_buffer.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/ndk_caller.h"

namespace vnpu::fuzz {

namespace {

constexpr std::size_t kMostSteps = 48;  // chosen: some tens of milliseconds

/// The file of memories.
int memoryFile() {
    static const int descriptor = [] {
        const int made = ::memfd_create("ndk-fuzz", MFD_CLOEXEC);
        require(made >= 0 && ::ftruncate(made, kNdkFileBytes) == 0, "no memory file");
        return made;
    }();
    return descriptor;
}

std::uint32_t sizeOf(const std::vector<std::uint32_t>& list) {
    return static_cast<std::uint32_t>(list.size());
}

}  // namespace

const sim::NdkFunctions& ndkUnderTest() {
    static const sim::NdkFunctions functions = [] {
        const auto loaded = sim::loadNdk(VNPU_NEURALNETWORKS);
        require(loaded.has_value(), "libneuralnetworks.so cannot be loaded");
        return *loaded;
    }();
    return functions;
}

void NdkCaller::run() {
    for (std::size_t i = 0; i < kMostSteps && !in_.isEmpty(); ++i) {
        (this->*nextStep())();
    }
    checkValues();
}

std::uint8_t* NdkCaller::bytes(std::size_t length) {
    if (in_.below(4) == 0) {
        for (std::vector<std::uint8_t>& earlier : buffers_) {
            if (earlier.size() == length) {
                return earlier.data();
            }
        }
    }
    return buffers_.emplace_back(length).data();
}

ANeuralNetworksOperandType NdkCaller::operandType() {
    const bool isPlain = in_.below(4) != 0;
    const auto rank = static_cast<std::uint32_t>(isPlain ? 1 : in_.below(dimensions_.size() + 1));
    for (std::uint32_t& dimension : dimensions_) {
        dimension = isPlain ? 2 : static_cast<std::uint32_t>(number(5));
    }
    const std::int32_t type = isPlain ? ANEURALNETWORKS_TENSOR_FLOAT32 : number(18);
    return {type, rank, dimensions_.data(), isPlain ? 0.0F : static_cast<float>(number(3)) / 2,
            isPlain ? 0 : number(200)};
}

void NdkCaller::addOperand() {
    const ANeuralNetworksOperandType type = operandType();
    known(ndk_.modelAddOperand(models_.choose(in_), in_.below(32) == 0 ? nullptr : &type));
}

void NdkCaller::setValue() {
    const Buffer value = buffer();
    known(ndk_.modelSetOperandValue(models_.choose(in_), number(), value.data, value.length));
}

void NdkCaller::setValueFromMemory() {
    // All numbers are allowed here: the library knows the size of the memory.
    const auto offset = static_cast<std::size_t>(number(255));
    const auto length = static_cast<std::size_t>(number(64));
    ANeuralNetworksModel* const model = models_.choose(in_);
    ANeuralNetworksMemory* const memory = memories_.choose(in_);
    if (known(ndk_.modelSetOperandValueFromMemory(model, number(), memory, offset, length)) ==
        ANEURALNETWORKS_NO_ERROR) {
        memories_.keep(memory);
    }
}

void NdkCaller::setValueFromModel() {
    ANeuralNetworksModel* const value = models_.choose(in_);
    if (known(ndk_.modelSetOperandValueFromModel(models_.choose(in_), number(), value)) ==
        ANEURALNETWORKS_NO_ERROR) {
        models_.keep(value);
    }
}

void NdkCaller::setChannels() {
    const std::array<float, 8> scales = {1, 1, 0.5F, 0, -1, 1, 1, 1};
    const ANeuralNetworksSymmPerChannelQuantParams parameters = {
            static_cast<std::uint32_t>(number()),
            static_cast<std::uint32_t>(in_.below(scales.size() + 1)),
            in_.below(16) == 0 ? nullptr : scales.data()};
    known(ndk_.modelSetOperandSymmPerChannelQuantParams(models_.choose(in_), number(),
                                                        &parameters));
}

void NdkCaller::addOperation() {
    const std::vector<std::uint32_t> inputs = indexes(), outputs = indexes();
    known(ndk_.modelAddOperation(models_.choose(in_), number(104), sizeOf(inputs), inputs.data(),
                                 sizeOf(outputs), outputs.data()));
}

void NdkCaller::identify() {
    const std::vector<std::uint32_t> inputs = indexes(), outputs = indexes();
    known(ndk_.modelIdentifyInputsAndOutputs(models_.choose(in_), sizeOf(inputs), inputs.data(),
                                             sizeOf(outputs), outputs.data()));
}

void NdkCaller::askSupport() {
    const std::array<const ANeuralNetworksDevice*, 2> devices = {device(), device()};
    std::array<bool, kMostSteps + 1> answers{};  // for as many operations as a run can add
    known(ndk_.modelGetSupportedOperationsForDevices(models_.choose(in_), devices.data(),
                                                     static_cast<std::uint32_t>(in_.below(3)),
                                                     answers.data()));
}

void NdkCaller::askExtension() {
    std::int32_t code = 0;
    bool isSupported = false;
    const Buffer value = buffer();
    known(ndk_.deviceGetExtensionSupport(device(), "com.example", &isSupported));
    known(ndk_.modelGetExtensionOperandType(models_.choose(in_), "com.example",
                                            in_.number<std::uint16_t>(), &code));
    known(ndk_.modelGetExtensionOperationType(models_.choose(in_), "com.example",
                                              in_.number<std::uint16_t>(), &code));
    known(ndk_.modelSetOperandExtensionData(models_.choose(in_), number(), value.data,
                                            value.length));
}

void NdkCaller::askDevice() {
    ANeuralNetworksDevice* const asked = device();
    const char* text = nullptr;
    std::int32_t type = 0;
    std::int64_t level = 0;
    known(ndk_.deviceGetName(asked, &text));
    known(ndk_.deviceGetVersion(asked, &text));
    known(ndk_.deviceGetType(asked, &type));
    known(ndk_.deviceGetFeatureLevel(asked, &level));
    known(ndk_.deviceWait(asked));
}

void NdkCaller::makeCompilation() {
    ANeuralNetworksModel* const of = models_.choose(in_);
    const std::array<const ANeuralNetworksDevice*, 2> devices = {device(), device()};
    const auto count = static_cast<std::uint32_t>(in_.below(4));
    make(compilations_, [&](auto** out) {
        return count == 3 ? ndk_.compilationCreate(of, out)
                          : ndk_.compilationCreateForDevices(of, devices.data(), count, out);
    });
}

void NdkCaller::changeCompilation() {
    ANeuralNetworksCompilation* const changed = compilations_.choose(in_);
    known(ndk_.compilationSetPreference(changed, number(4)));
    known(ndk_.compilationSetPriority(changed, static_cast<std::int32_t>(10 * in_.below(13))));
    known(ndk_.compilationSetTimeout(changed, in_.below(4) == 0 ? in_.number<std::uint32_t>() : 0));
}

void NdkCaller::setCaching() {
    const std::array<std::uint8_t, 32> token{static_cast<std::uint8_t>(in_.below(2))};
    if (!cache_) {
        cache_.emplace();
    }
    const std::string folder = in_.below(16) == 0 ? "/no/such/folder" : cache_->path().string();
    known(ndk_.compilationSetCaching(compilations_.choose(in_),
                                     in_.below(32) == 0 ? nullptr : folder.c_str(),
                                     in_.below(32) == 0 ? nullptr : token.data()));
}

/// Changes bytes of a file that a compilation left, or its length.
void NdkCaller::damageCache() {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    if (cache_) {
        files.assign(fs::directory_iterator(cache_->path()), fs::directory_iterator());
    }
    if (files.empty()) {
        return;
    }
    std::sort(files.begin(), files.end());
    const fs::path& file = files[in_.below(files.size())];
    const std::size_t size = fs::file_size(file);
    if (in_.below(4) == 0) {
        fs::resize_file(file, in_.below(size + 64));
        return;
    }
    std::fstream changed(file, std::ios::binary | std::ios::in | std::ios::out);
    changed.seekp(static_cast<std::streamoff>(in_.below(size + 1)));
    changed.put(static_cast<char>(in_.number<std::uint8_t>()));
}

void NdkCaller::setInput() {
    const Buffer value = buffer();
    const ANeuralNetworksOperandType type = operandType();
    const auto* const given = in_.below(4) == 0 ? &type : nullptr;
    if (in_.flip()) {
        known(ndk_.executionSetInputFromMemory(executions_.choose(in_), number(3), given,
                                               memories_.choose(in_),
                                               static_cast<std::size_t>(number(64)), value.length));
    } else {
        known(ndk_.executionSetInput(executions_.choose(in_), number(3), given, value.data,
                                     value.length));
    }
}

void NdkCaller::setOutput() {
    const Buffer value = buffer();
    const ANeuralNetworksOperandType type = operandType();
    const auto* const given = in_.below(4) == 0 ? &type : nullptr;
    if (in_.flip()) {
        known(ndk_.executionSetOutputFromMemory(
                executions_.choose(in_), number(3), given, memories_.choose(in_),
                static_cast<std::size_t>(number(64)), value.length));
    } else {
        known(ndk_.executionSetOutput(executions_.choose(in_), number(3), given, value.data,
                                      value.length));
    }
}

void NdkCaller::changeExecution() {
    ANeuralNetworksExecution* const changed = executions_.choose(in_);
    known(ndk_.executionSetMeasureTiming(changed, in_.flip()));
    known(ndk_.executionSetLoopTimeout(changed, in_.number<std::uint32_t>() % kLoopTimeoutNs));
    known(ndk_.executionSetTimeout(changed, in_.below(4) == 0 ? in_.number<std::uint32_t>() : 0));
}

void NdkCaller::startFenced() {
    ANeuralNetworksExecution* const of = executions_.choose(in_);
    const std::array<const ANeuralNetworksEvent*, 2> dependencies = {events_.choose(in_),
                                                                     events_.choose(in_)};
    const auto count = static_cast<std::uint32_t>(in_.below(3));
    const std::uint64_t duration = in_.below(4) == 0 ? in_.number<std::uint32_t>() : 0;
    make(events_, [&](auto** out) {
        return ndk_.executionStartComputeWithDependencies(of, dependencies.data(), count, duration,
                                                          out);
    });
}

void NdkCaller::askExecution() {
    ANeuralNetworksExecution* const asked = executions_.choose(in_);
    std::uint64_t duration = 0;
    std::uint32_t rank = 0;
    std::array<std::uint32_t, 8> dimensions{};
    known(ndk_.executionGetDuration(asked, number(5), &duration));
    known(ndk_.executionGetOutputOperandRank(asked, number(2), &rank));
    known(ndk_.executionGetOutputOperandDimensions(asked, number(2), dimensions.data()));
}

void NdkCaller::useFence() {
    int descriptor = INT_MAX;  // a failure must overwrite it
    const int code = known(ndk_.eventGetSyncFenceFd(events_.choose(in_), &descriptor));
    require((code == ANEURALNETWORKS_NO_ERROR) == (descriptor >= 0) && descriptor < INT_MAX,
            "a fence without success, or success without a fence");
    if (code == ANEURALNETWORKS_NO_ERROR) {
        make(events_, [&](auto** out) { return ndk_.eventCreateFromSyncFenceFd(descriptor, out); });
    }
    if (descriptor >= 0) {
        ::close(descriptor);
    }
}

void NdkCaller::makeBufferMemory() {
    const AHardwareBuffer_Desc desc = {
            .width = static_cast<std::uint32_t>(1 + in_.below(300)),
            .height = static_cast<std::uint32_t>(in_.below(8) == 0 ? 2 : 1),
            .layers = 1,
            .format = in_.below(8) == 0 ? AHARDWAREBUFFER_FORMAT_R8G8B8A8_UNORM
                                        : AHARDWAREBUFFER_FORMAT_BLOB,
            .usage = AHARDWAREBUFFER_USAGE_CPU_READ_OFTEN | AHARDWAREBUFFER_USAGE_CPU_WRITE_OFTEN,
            .stride = 0,
            .rfu0 = 0,
            .rfu1 = 0};
    AHardwareBuffer* buffer = nullptr;
    if (in_.below(16) != 0) {
        AHardwareBuffer_allocate(&desc, &buffer);
    }
    make(memories_, [&](auto** out) { return ndk_.memoryCreateFromAHardwareBuffer(buffer, out); });
    AHardwareBuffer_release(buffer);
}

void NdkCaller::makeMemory() {
    const int protection = in_.below(16) == 0 ? in_.number<std::int32_t>() : PROT_READ | PROT_WRITE;
    const int descriptor = in_.below(16) == 0 ? -1 : memoryFile();
    const auto size = static_cast<std::size_t>(number(64));
    const auto offset = static_cast<std::size_t>(number(64));
    make(memories_, [&](auto** out) {
        return ndk_.memoryCreateFromFd(size, protection, descriptor, offset, out);
    });
}

void NdkCaller::changeDesc() {
    ANeuralNetworksMemoryDesc* const changed = descs_.choose(in_);
    const ANeuralNetworksCompilation* const compilation = compilations_.choose(in_);
    const auto index = static_cast<std::uint32_t>(number(3));
    const float frequency = static_cast<float>(number(5)) / 4;
    switch (in_.below(4)) {
        case 0:
            known(ndk_.memoryDescAddInputRole(changed, compilation, index, frequency));
            break;
        case 1:
            known(ndk_.memoryDescAddOutputRole(changed, compilation, index, frequency));
            break;
        case 2:
            known(ndk_.memoryDescSetDimensions(changed, operandType().dimensionCount,
                                               dimensions_.data()));
            break;
        default:
            known(ndk_.memoryDescFinish(changed));
    }
}

void NdkCaller::freeSomething() {
    switch (in_.below(8)) {
        case 0:
            return compilations_.freeOne(in_);
        case 1:
            return executions_.freeOne(in_);
        case 2:
            return bursts_.freeOne(in_);
        case 3:
            return descs_.freeOne(in_);
        case 4:
            return models_.freeOne(in_);
        case 5:
            // A running execution may need any memory.
            for (ANeuralNetworksEvent* const event : events_.all()) {
                known(ndk_.eventWait(event));
            }
            return memories_.freeOne(in_);
        default:
            return events_.freeOne(in_);
    }
}

// The steps that lead to executions are there several times.
std::span<const NdkCaller::Step> NdkCaller::steps() {
    using Self = NdkCaller;
    static constexpr Step kSteps[] = {&Self::makeModel,
                                      &Self::addOperand,
                                      &Self::setValue,
                                      &Self::setValueFromMemory,
                                      &Self::setValueFromModel,
                                      &Self::setChannels,
                                      &Self::addOperation,
                                      &Self::identify,
                                      &Self::finishModel,
                                      &Self::relax,
                                      &Self::askSupport,
                                      &Self::askExtension,
                                      &Self::makeSum,
                                      &Self::makeSum,
                                      &Self::makeSum,
                                      &Self::makeChoice,
                                      &Self::askDevice,
                                      &Self::makeCompilation,
                                      &Self::makeCompilation,
                                      &Self::makeCompilation,
                                      &Self::changeCompilation,
                                      &Self::setCaching,
                                      &Self::damageCache,
                                      &Self::finishCompilation,
                                      &Self::finishCompilation,
                                      &Self::finishCompilation,
                                      &Self::makeExecution,
                                      &Self::makeExecution,
                                      &Self::makeExecution,
                                      &Self::makeBurst,
                                      &Self::setInput,
                                      &Self::setOutput,
                                      &Self::giveSum,
                                      &Self::giveSum,
                                      &Self::giveSum,
                                      &Self::changeExecution,
                                      &Self::compute,
                                      &Self::burstCompute,
                                      &Self::startCompute,
                                      &Self::startFenced,
                                      &Self::startFenced,
                                      &Self::askExecution,
                                      &Self::waitForEvent,
                                      &Self::useFence,
                                      &Self::makeMemory,
                                      &Self::makeBufferMemory,
                                      &Self::makeDesc,
                                      &Self::changeDesc,
                                      &Self::changeDesc,
                                      &Self::makeMemoryFromDesc,
                                      &Self::copy,
                                      &Self::freeSomething,
                                      &Self::makeLoop,
                                      &Self::makeLoop};
    return kSteps;
}

/// Most values of a byte name a single call; the last ones name the calls that lead to an
/// execution, or to a memory of a device, which random calls reach too rarely.
NdkCaller::Step NdkCaller::nextStep() {
    constexpr std::size_t kFirstGroup = 216;  // chosen: four of five steps are single calls
    const std::size_t chosen = in_.number<std::uint8_t>();
    if (chosen < kFirstGroup) {
        return steps()[chosen % steps().size()];
    }
    return chosen % 4 == 0 ? &NdkCaller::makeRoleMemory : &NdkCaller::makeComputation;
}

const Target kNdkCalls{"ndk_calls", [](std::span<const uint8_t> input) { NdkCaller(input).run(); }};

}  // namespace vnpu::fuzz
