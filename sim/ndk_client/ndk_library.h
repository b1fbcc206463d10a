// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/NeuralNetworks.h>
#include <android/NeuralNetworksExtensions.h>

#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace vnpu::sim {

/// The functions of one libneuralnetworks. Those of level 27 are there; others may be null.
struct NdkFunctions {
    // level 27
    decltype(&::ANeuralNetworksCompilation_create) compilationCreate = nullptr;
    decltype(&::ANeuralNetworksCompilation_finish) compilationFinish = nullptr;
    decltype(&::ANeuralNetworksCompilation_free) compilationFree = nullptr;
    decltype(&::ANeuralNetworksCompilation_setPreference) compilationSetPreference = nullptr;
    decltype(&::ANeuralNetworksEvent_free) eventFree = nullptr;
    decltype(&::ANeuralNetworksEvent_wait) eventWait = nullptr;
    decltype(&::ANeuralNetworksExecution_create) executionCreate = nullptr;
    decltype(&::ANeuralNetworksExecution_free) executionFree = nullptr;
    decltype(&::ANeuralNetworksExecution_setInput) executionSetInput = nullptr;
    decltype(&::ANeuralNetworksExecution_setInputFromMemory) executionSetInputFromMemory = nullptr;
    decltype(&::ANeuralNetworksExecution_setOutput) executionSetOutput = nullptr;
    decltype(&::ANeuralNetworksExecution_setOutputFromMemory) executionSetOutputFromMemory =
            nullptr;
    decltype(&::ANeuralNetworksExecution_startCompute) executionStartCompute = nullptr;
    decltype(&::ANeuralNetworksMemory_createFromFd) memoryCreateFromFd = nullptr;
    decltype(&::ANeuralNetworksMemory_free) memoryFree = nullptr;
    decltype(&::ANeuralNetworksModel_addOperand) modelAddOperand = nullptr;
    decltype(&::ANeuralNetworksModel_addOperation) modelAddOperation = nullptr;
    decltype(&::ANeuralNetworksModel_create) modelCreate = nullptr;
    decltype(&::ANeuralNetworksModel_finish) modelFinish = nullptr;
    decltype(&::ANeuralNetworksModel_free) modelFree = nullptr;
    decltype(&::ANeuralNetworksModel_identifyInputsAndOutputs) modelIdentifyInputsAndOutputs =
            nullptr;
    decltype(&::ANeuralNetworksModel_setOperandValue) modelSetOperandValue = nullptr;
    decltype(&::ANeuralNetworksModel_setOperandValueFromMemory) modelSetOperandValueFromMemory =
            nullptr;
    // level 28
    decltype(&::ANeuralNetworksModel_relaxComputationFloat32toFloat16)
            modelRelaxComputationFloat32toFloat16 = nullptr;
    // level 29
    decltype(&::ANeuralNetworksBurst_create) burstCreate = nullptr;
    decltype(&::ANeuralNetworksBurst_free) burstFree = nullptr;
    decltype(&::ANeuralNetworksCompilation_createForDevices) compilationCreateForDevices = nullptr;
    decltype(&::ANeuralNetworksCompilation_setCaching) compilationSetCaching = nullptr;
    decltype(&::ANeuralNetworksDevice_getFeatureLevel) deviceGetFeatureLevel = nullptr;
    decltype(&::ANeuralNetworksDevice_getName) deviceGetName = nullptr;
    decltype(&::ANeuralNetworksDevice_getType) deviceGetType = nullptr;
    decltype(&::ANeuralNetworksDevice_getVersion) deviceGetVersion = nullptr;
    decltype(&::ANeuralNetworksExecution_burstCompute) executionBurstCompute = nullptr;
    decltype(&::ANeuralNetworksExecution_compute) executionCompute = nullptr;
    decltype(&::ANeuralNetworksExecution_getDuration) executionGetDuration = nullptr;
    decltype(&::ANeuralNetworksExecution_getOutputOperandDimensions)
            executionGetOutputOperandDimensions = nullptr;
    decltype(&::ANeuralNetworksExecution_getOutputOperandRank) executionGetOutputOperandRank =
            nullptr;
    decltype(&::ANeuralNetworksExecution_setMeasureTiming) executionSetMeasureTiming = nullptr;
    decltype(&::ANeuralNetworksMemory_createFromAHardwareBuffer) memoryCreateFromAHardwareBuffer =
            nullptr;
    decltype(&::ANeuralNetworksModel_getSupportedOperationsForDevices)
            modelGetSupportedOperationsForDevices = nullptr;
    decltype(&::ANeuralNetworksModel_setOperandSymmPerChannelQuantParams)
            modelSetOperandSymmPerChannelQuantParams = nullptr;
    decltype(&::ANeuralNetworks_getDevice) getDevice = nullptr;
    decltype(&::ANeuralNetworks_getDeviceCount) getDeviceCount = nullptr;
    // level 30
    decltype(&::ANeuralNetworksCompilation_setPriority) compilationSetPriority = nullptr;
    decltype(&::ANeuralNetworksCompilation_setTimeout) compilationSetTimeout = nullptr;
    decltype(&::ANeuralNetworksDevice_wait) deviceWait = nullptr;
    decltype(&::ANeuralNetworksEvent_createFromSyncFenceFd) eventCreateFromSyncFenceFd = nullptr;
    decltype(&::ANeuralNetworksEvent_getSyncFenceFd) eventGetSyncFenceFd = nullptr;
    decltype(&::ANeuralNetworksExecution_setLoopTimeout) executionSetLoopTimeout = nullptr;
    decltype(&::ANeuralNetworksExecution_setTimeout) executionSetTimeout = nullptr;
    decltype(&::ANeuralNetworksExecution_startComputeWithDependencies)
            executionStartComputeWithDependencies = nullptr;
    decltype(&::ANeuralNetworksMemoryDesc_addInputRole) memoryDescAddInputRole = nullptr;
    decltype(&::ANeuralNetworksMemoryDesc_addOutputRole) memoryDescAddOutputRole = nullptr;
    decltype(&::ANeuralNetworksMemoryDesc_create) memoryDescCreate = nullptr;
    decltype(&::ANeuralNetworksMemoryDesc_finish) memoryDescFinish = nullptr;
    decltype(&::ANeuralNetworksMemoryDesc_free) memoryDescFree = nullptr;
    decltype(&::ANeuralNetworksMemoryDesc_setDimensions) memoryDescSetDimensions = nullptr;
    decltype(&::ANeuralNetworksMemory_copy) memoryCopy = nullptr;
    decltype(&::ANeuralNetworksMemory_createFromDesc) memoryCreateFromDesc = nullptr;
    decltype(&::ANeuralNetworksModel_setOperandValueFromModel) modelSetOperandValueFromModel =
            nullptr;
    decltype(&::ANeuralNetworks_getDefaultLoopTimeout) getDefaultLoopTimeout = nullptr;
    decltype(&::ANeuralNetworks_getMaximumLoopTimeout) getMaximumLoopTimeout = nullptr;
    // for extensions, level 29; not in the public interface
    decltype(&::ANeuralNetworksDevice_getExtensionSupport) deviceGetExtensionSupport = nullptr;
    decltype(&::ANeuralNetworksModel_getExtensionOperandType) modelGetExtensionOperandType =
            nullptr;
    decltype(&::ANeuralNetworksModel_getExtensionOperationType) modelGetExtensionOperationType =
            nullptr;
    decltype(&::ANeuralNetworksModel_setOperandExtensionData) modelSetOperandExtensionData =
            nullptr;
};

/// Loads a library and takes its functions by name. The library stays loaded until the end of the
/// process, because its threads may. Fails if it cannot be loaded or lacks a function of level 27.
tl::expected<NdkFunctions, std::string> loadNdk(const std::string& library);

/// libneuralnetworks.so beside the running program if it is there, else where the loader finds it.
std::string defaultNdkLibrary();

/// The highest level of which all functions are there.
int levelOf(const NdkFunctions& functions);

/// An object of the interface that is freed at the end of its owner's lifetime.
template <typename T>
using NdkHandle = std::unique_ptr<T, void (*)(T*)>;

}  // namespace vnpu::sim
