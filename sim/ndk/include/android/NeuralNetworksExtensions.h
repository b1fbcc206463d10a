// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operand types and operations of vendors, level 29 of NNAPI's C interface. C99 and C++. Errors,
// threads and lifetimes: NeuralNetworks.h.

#include <android/NeuralNetworksTypes.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Reports whether a device supports the extension of that name. The devices of this project
/// support none.
int ANeuralNetworksDevice_getExtensionSupport(const ANeuralNetworksDevice* device,
                                              const char* extensionName,
                                              bool* isExtensionSupported);

/// The code of an extension's operand type in this model, for ANeuralNetworksOperandType.
/// BAD_STATE: the model is finished. BAD_DATA: no device knows the extension.
int ANeuralNetworksModel_getExtensionOperandType(ANeuralNetworksModel* model,
                                                 const char* extensionName,
                                                 uint16_t operandCodeWithinExtension,
                                                 int32_t* type);

/// The code of an extension's operation in this model, for addOperation. BAD_STATE: the model is
/// finished. BAD_DATA: no device knows the extension.
int ANeuralNetworksModel_getExtensionOperationType(ANeuralNetworksModel* model,
                                                   const char* extensionName,
                                                   uint16_t operationCodeWithinExtension,
                                                   ANeuralNetworksOperationType* type);

/// Attaches bytes to an operand of an extension's type, such as further quantization parameters.
/// Copies them; null with length 0 removes them. BAD_STATE: the model is finished. BAD_DATA: no
/// such operand, an operand of one of NNAPI's own types.
int ANeuralNetworksModel_setOperandExtensionData(ANeuralNetworksModel* model, int32_t index,
                                                 const void* data, size_t length);

#ifdef __cplusplus
}
#endif
