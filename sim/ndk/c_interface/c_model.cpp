// SPDX-License-Identifier: Apache-2.0
#include <android/NeuralNetworks.h>
#include <android/NeuralNetworksExtensions.h>

#include <span>

#include "sim/ndk/c_interface/handles.h"
#include "sim/ndk/c_interface/lists.h"
#include "sim/ndk/compute/device_list.h"

using namespace vnpu::sim::ndk;  // NOLINT(google-build-using-namespace): only C functions follow

namespace {

/// The code of an extension's type or operation: its prefix and its number.
Result<std::int32_t> extensionCode(Model& model, const char* name, std::uint16_t number) {
    for (const auto& device : devices()) {
        if (device->hasExtension(name)) {
            VNPU_TRY_ASSIGN(const std::uint16_t prefix, model.extensionPrefix(name));
            return static_cast<std::int32_t>(std::uint32_t{prefix} << 16U | number);
        }
    }
    return badData("no device has an extension \"{}\"", name);
}

Result<void> checkBytes(const void* bytes, std::size_t length) {
    if (bytes == nullptr && length != 0) {
        return failed(ANEURALNETWORKS_UNEXPECTED_NULL, "{} bytes at null", length);
    }
    return {};
}

}  // namespace

int ANeuralNetworksModel_create(ANeuralNetworksModel** model) {
    return answerCreation(__func__, {}, model, []() -> Result<std::shared_ptr<Model>> {
        return std::make_shared<Model>();
    });
}

void ANeuralNetworksModel_free(ANeuralNetworksModel* model) {
    freeHandle(model);
}

int ANeuralNetworksModel_finish(ANeuralNetworksModel* model) {
    return answer(__func__, {model}, [&] { return objectOf(model)->finish(); });
}

int ANeuralNetworksModel_addOperand(ANeuralNetworksModel* model,
                                    const ANeuralNetworksOperandType* type) {
    return answer(__func__, {model, type}, [&]() -> Result<void> {
        VNPU_TRY(checkType(type));
        return objectOf(model)->addOperand(*type);
    });
}

int ANeuralNetworksModel_setOperandValue(ANeuralNetworksModel* model, int32_t index,
                                         const void* buffer, size_t length) {
    return answer(__func__, {model}, [&]() -> Result<void> {
        VNPU_TRY(checkBytes(buffer, length));
        return objectOf(model)->setValue(index, buffer, length);
    });
}

int ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
        ANeuralNetworksModel* model, int32_t index,
        const ANeuralNetworksSymmPerChannelQuantParams* channelQuant) {
    return answer(__func__, {model, channelQuant}, [&]() -> Result<void> {
        VNPU_TRY(checkBytes(channelQuant->scales, channelQuant->scaleCount));
        return objectOf(model)->setChannelScales(index, *channelQuant);
    });
}

int ANeuralNetworksModel_setOperandValueFromMemory(ANeuralNetworksModel* model, int32_t index,
                                                   const ANeuralNetworksMemory* memory,
                                                   size_t offset, size_t length) {
    return answer(__func__, {model, memory}, [&] {
        return objectOf(model)->setValueFromMemory(index, objectOf(memory), offset, length);
    });
}

int ANeuralNetworksModel_setOperandValueFromModel(ANeuralNetworksModel* model, int32_t index,
                                                  const ANeuralNetworksModel* value) {
    return answer(__func__, {model, value},
                  [&] { return objectOf(model)->setValueFromModel(index, *objectOf(value)); });
}

int ANeuralNetworksModel_addOperation(ANeuralNetworksModel* model,
                                      ANeuralNetworksOperationType type, uint32_t inputCount,
                                      const uint32_t* inputs, uint32_t outputCount,
                                      const uint32_t* outputs) {
    return answer(__func__, {model, inputs, outputs}, [&] {
        return objectOf(model)->addOperation(type, {inputs, inputCount}, {outputs, outputCount});
    });
}

int ANeuralNetworksModel_identifyInputsAndOutputs(ANeuralNetworksModel* model, uint32_t inputCount,
                                                  const uint32_t* inputs, uint32_t outputCount,
                                                  const uint32_t* outputs) {
    return answer(__func__, {model, inputs, outputs}, [&] {
        return objectOf(model)->identify({inputs, inputCount}, {outputs, outputCount});
    });
}

int ANeuralNetworksModel_relaxComputationFloat32toFloat16(ANeuralNetworksModel* model, bool allow) {
    return answer(__func__, {model}, [&] { return objectOf(model)->relax(allow); });
}

int ANeuralNetworksModel_getSupportedOperationsForDevices(
        const ANeuralNetworksModel* model, const ANeuralNetworksDevice* const* devices,
        uint32_t numDevices, bool* supportedOps) {
    return answer(__func__, {model, devices, supportedOps}, [&]() -> Result<void> {
        VNPU_TRY_ASSIGN(const auto chosen, devicesFrom(devices, numDevices));
        const auto finished = objectOf(model)->finished();
        if (finished == nullptr) {
            return badState("model is not finished");
        }
        const std::span all(supportedOps, finished->addedAs.size());
        std::fill(all.begin(), all.end(), false);
        for (const auto& device : chosen) {
            VNPU_TRY_ASSIGN(const auto supported, device->supportedOperations(*finished));
            for (std::size_t i = 0; i < supported.size(); ++i) {
                all[finished->addedAs[i]] = all[finished->addedAs[i]] || supported[i];
            }
        }
        return {};
    });
}

int ANeuralNetworksModel_getExtensionOperandType(ANeuralNetworksModel* model,
                                                 const char* extensionName,
                                                 uint16_t operandCodeWithinExtension,
                                                 int32_t* type) {
    return answer(__func__, {model, extensionName, type}, [&]() -> Result<void> {
        VNPU_TRY_ASSIGN(*type,
                        extensionCode(*objectOf(model), extensionName, operandCodeWithinExtension));
        return {};
    });
}

int ANeuralNetworksModel_getExtensionOperationType(ANeuralNetworksModel* model,
                                                   const char* extensionName,
                                                   uint16_t operationCodeWithinExtension,
                                                   ANeuralNetworksOperationType* type) {
    return answer(__func__, {model, extensionName, type}, [&]() -> Result<void> {
        VNPU_TRY_ASSIGN(*type, extensionCode(*objectOf(model), extensionName,
                                             operationCodeWithinExtension));
        return {};
    });
}

int ANeuralNetworksModel_setOperandExtensionData(ANeuralNetworksModel* model, int32_t index,
                                                 const void* data, size_t length) {
    return answer(__func__, {model}, [&]() -> Result<void> {
        VNPU_TRY(checkBytes(data, length));
        return objectOf(model)->setExtensionData(index,
                                                 {static_cast<const std::uint8_t*>(data), length});
    });
}
