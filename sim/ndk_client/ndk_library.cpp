// SPDX-License-Identifier: Apache-2.0
#include "sim/ndk_client/ndk_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace vnpu::sim {

namespace {

constexpr int kFirstLevel = 27;
constexpr int kLastLevel = 30;
constexpr const char* kLibrary = "libneuralnetworks.so";

/// Calls `visit(level, name, function)` for each function of the public interface.
template <typename Functions, typename Visit>
void forEachFunction(Functions& f, Visit visit) {
    visit(27, "ANeuralNetworksCompilation_create", f.compilationCreate);
    visit(27, "ANeuralNetworksCompilation_finish", f.compilationFinish);
    visit(27, "ANeuralNetworksCompilation_free", f.compilationFree);
    visit(27, "ANeuralNetworksCompilation_setPreference", f.compilationSetPreference);
    visit(27, "ANeuralNetworksEvent_free", f.eventFree);
    visit(27, "ANeuralNetworksEvent_wait", f.eventWait);
    visit(27, "ANeuralNetworksExecution_create", f.executionCreate);
    visit(27, "ANeuralNetworksExecution_free", f.executionFree);
    visit(27, "ANeuralNetworksExecution_setInput", f.executionSetInput);
    visit(27, "ANeuralNetworksExecution_setInputFromMemory", f.executionSetInputFromMemory);
    visit(27, "ANeuralNetworksExecution_setOutput", f.executionSetOutput);
    visit(27, "ANeuralNetworksExecution_setOutputFromMemory", f.executionSetOutputFromMemory);
    visit(27, "ANeuralNetworksExecution_startCompute", f.executionStartCompute);
    visit(27, "ANeuralNetworksMemory_createFromFd", f.memoryCreateFromFd);
    visit(27, "ANeuralNetworksMemory_free", f.memoryFree);
    visit(27, "ANeuralNetworksModel_addOperand", f.modelAddOperand);
    visit(27, "ANeuralNetworksModel_addOperation", f.modelAddOperation);
    visit(27, "ANeuralNetworksModel_create", f.modelCreate);
    visit(27, "ANeuralNetworksModel_finish", f.modelFinish);
    visit(27, "ANeuralNetworksModel_free", f.modelFree);
    visit(27, "ANeuralNetworksModel_identifyInputsAndOutputs", f.modelIdentifyInputsAndOutputs);
    visit(27, "ANeuralNetworksModel_setOperandValue", f.modelSetOperandValue);
    visit(27, "ANeuralNetworksModel_setOperandValueFromMemory", f.modelSetOperandValueFromMemory);
    visit(28, "ANeuralNetworksModel_relaxComputationFloat32toFloat16",
          f.modelRelaxComputationFloat32toFloat16);
    visit(29, "ANeuralNetworksBurst_create", f.burstCreate);
    visit(29, "ANeuralNetworksBurst_free", f.burstFree);
    visit(29, "ANeuralNetworksCompilation_createForDevices", f.compilationCreateForDevices);
    visit(29, "ANeuralNetworksCompilation_setCaching", f.compilationSetCaching);
    visit(29, "ANeuralNetworksDevice_getFeatureLevel", f.deviceGetFeatureLevel);
    visit(29, "ANeuralNetworksDevice_getName", f.deviceGetName);
    visit(29, "ANeuralNetworksDevice_getType", f.deviceGetType);
    visit(29, "ANeuralNetworksDevice_getVersion", f.deviceGetVersion);
    visit(29, "ANeuralNetworksExecution_burstCompute", f.executionBurstCompute);
    visit(29, "ANeuralNetworksExecution_compute", f.executionCompute);
    visit(29, "ANeuralNetworksExecution_getDuration", f.executionGetDuration);
    visit(29, "ANeuralNetworksExecution_getOutputOperandDimensions",
          f.executionGetOutputOperandDimensions);
    visit(29, "ANeuralNetworksExecution_getOutputOperandRank", f.executionGetOutputOperandRank);
    visit(29, "ANeuralNetworksExecution_setMeasureTiming", f.executionSetMeasureTiming);
    visit(29, "ANeuralNetworksMemory_createFromAHardwareBuffer", f.memoryCreateFromAHardwareBuffer);
    visit(29, "ANeuralNetworksModel_getSupportedOperationsForDevices",
          f.modelGetSupportedOperationsForDevices);
    visit(29, "ANeuralNetworksModel_setOperandSymmPerChannelQuantParams",
          f.modelSetOperandSymmPerChannelQuantParams);
    visit(29, "ANeuralNetworks_getDevice", f.getDevice);
    visit(29, "ANeuralNetworks_getDeviceCount", f.getDeviceCount);
    visit(30, "ANeuralNetworksCompilation_setPriority", f.compilationSetPriority);
    visit(30, "ANeuralNetworksCompilation_setTimeout", f.compilationSetTimeout);
    visit(30, "ANeuralNetworksDevice_wait", f.deviceWait);
    visit(30, "ANeuralNetworksEvent_createFromSyncFenceFd", f.eventCreateFromSyncFenceFd);
    visit(30, "ANeuralNetworksEvent_getSyncFenceFd", f.eventGetSyncFenceFd);
    visit(30, "ANeuralNetworksExecution_setLoopTimeout", f.executionSetLoopTimeout);
    visit(30, "ANeuralNetworksExecution_setTimeout", f.executionSetTimeout);
    visit(30, "ANeuralNetworksExecution_startComputeWithDependencies",
          f.executionStartComputeWithDependencies);
    visit(30, "ANeuralNetworksMemoryDesc_addInputRole", f.memoryDescAddInputRole);
    visit(30, "ANeuralNetworksMemoryDesc_addOutputRole", f.memoryDescAddOutputRole);
    visit(30, "ANeuralNetworksMemoryDesc_create", f.memoryDescCreate);
    visit(30, "ANeuralNetworksMemoryDesc_finish", f.memoryDescFinish);
    visit(30, "ANeuralNetworksMemoryDesc_free", f.memoryDescFree);
    visit(30, "ANeuralNetworksMemoryDesc_setDimensions", f.memoryDescSetDimensions);
    visit(30, "ANeuralNetworksMemory_copy", f.memoryCopy);
    visit(30, "ANeuralNetworksMemory_createFromDesc", f.memoryCreateFromDesc);
    visit(30, "ANeuralNetworksModel_setOperandValueFromModel", f.modelSetOperandValueFromModel);
    visit(30, "ANeuralNetworks_getDefaultLoopTimeout", f.getDefaultLoopTimeout);
    visit(30, "ANeuralNetworks_getMaximumLoopTimeout", f.getMaximumLoopTimeout);
}

template <typename Function>
void take(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
}

void takeExtensions(void* library, NdkFunctions& f) {
    take(library, "ANeuralNetworksDevice_getExtensionSupport", f.deviceGetExtensionSupport);
    take(library, "ANeuralNetworksModel_getExtensionOperandType", f.modelGetExtensionOperandType);
    take(library, "ANeuralNetworksModel_getExtensionOperationType",
         f.modelGetExtensionOperationType);
    take(library, "ANeuralNetworksModel_setOperandExtensionData", f.modelSetOperandExtensionData);
}

}  // namespace

tl::expected<NdkFunctions, std::string> loadNdk(const std::string& library) {
    void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (loaded == nullptr) {
        return tl::unexpected(std::string(::dlerror()));
    }
    NdkFunctions functions;
    std::string missing;
    forEachFunction(functions, [&](int level, const char* name, auto& function) {
        take(loaded, name, function);
        if (level == kFirstLevel && function == nullptr && missing.empty()) {
            missing = name;
        }
    });
    takeExtensions(loaded, functions);
    if (!missing.empty()) {
        return tl::unexpected(fmt::format("{}: has no {}, expected all functions of level {}",
                                          library, missing, kFirstLevel));
    }
    return functions;
}

std::string defaultNdkLibrary() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path() / kLibrary;
    return fs::exists(beside, error) ? beside.string() : kLibrary;
}

int levelOf(const NdkFunctions& functions) {
    int level = kLastLevel;
    forEachFunction(functions, [&](int since, const char*, const auto& function) {
        level = function == nullptr ? std::min(level, since - 1) : level;
    });
    return level;
}

}  // namespace vnpu::sim
