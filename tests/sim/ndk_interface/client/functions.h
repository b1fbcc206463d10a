// SPDX-License-Identifier: Apache-2.0
#ifndef VNPU_TESTS_NDK_CLIENT_FUNCTIONS_H
#define VNPU_TESTS_NDK_CLIENT_FUNCTIONS_H

#include <android/NeuralNetworks.h>

/* The functions of NNAPI that this program uses, taken by name. Those of level 27 are there; a null
 * pointer stands for any other that the library lacks. */
struct Functions {
    /* level 27 */
    int (*Memory_createFromFd)(size_t, int, int, size_t, ANeuralNetworksMemory**);
    void (*Memory_free)(ANeuralNetworksMemory*);
    int (*Model_create)(ANeuralNetworksModel**);
    void (*Model_free)(ANeuralNetworksModel*);
    int (*Model_finish)(ANeuralNetworksModel*);
    int (*Model_addOperand)(ANeuralNetworksModel*, const ANeuralNetworksOperandType*);
    int (*Model_setOperandValue)(ANeuralNetworksModel*, int32_t, const void*, size_t);
    int (*Model_setOperandValueFromMemory)(ANeuralNetworksModel*, int32_t,
                                           const ANeuralNetworksMemory*, size_t, size_t);
    int (*Model_addOperation)(ANeuralNetworksModel*, ANeuralNetworksOperationType, uint32_t,
                              const uint32_t*, uint32_t, const uint32_t*);
    int (*Model_identifyInputsAndOutputs)(ANeuralNetworksModel*, uint32_t, const uint32_t*,
                                          uint32_t, const uint32_t*);
    int (*Compilation_create)(ANeuralNetworksModel*, ANeuralNetworksCompilation**);
    void (*Compilation_free)(ANeuralNetworksCompilation*);
    int (*Compilation_setPreference)(ANeuralNetworksCompilation*, int32_t);
    int (*Compilation_finish)(ANeuralNetworksCompilation*);
    int (*Execution_create)(ANeuralNetworksCompilation*, ANeuralNetworksExecution**);
    void (*Execution_free)(ANeuralNetworksExecution*);
    int (*Execution_setInput)(ANeuralNetworksExecution*, int32_t, const ANeuralNetworksOperandType*,
                              const void*, size_t);
    int (*Execution_setInputFromMemory)(ANeuralNetworksExecution*, int32_t,
                                        const ANeuralNetworksOperandType*,
                                        const ANeuralNetworksMemory*, size_t, size_t);
    int (*Execution_setOutput)(ANeuralNetworksExecution*, int32_t,
                               const ANeuralNetworksOperandType*, void*, size_t);
    int (*Execution_setOutputFromMemory)(ANeuralNetworksExecution*, int32_t,
                                         const ANeuralNetworksOperandType*,
                                         const ANeuralNetworksMemory*, size_t, size_t);
    int (*Execution_startCompute)(ANeuralNetworksExecution*, ANeuralNetworksEvent**);
    int (*Event_wait)(ANeuralNetworksEvent*);
    void (*Event_free)(ANeuralNetworksEvent*);
    /* level 28 */
    int (*Model_relaxComputationFloat32toFloat16)(ANeuralNetworksModel*, bool);
    /* level 29 */
    int (*getDeviceCount)(uint32_t*);
    int (*getDevice)(uint32_t, ANeuralNetworksDevice**);
    int (*Device_getName)(const ANeuralNetworksDevice*, const char**);
    int (*Device_getFeatureLevel)(const ANeuralNetworksDevice*, int64_t*);
    int (*Model_getSupportedOperationsForDevices)(const ANeuralNetworksModel*,
                                                  const ANeuralNetworksDevice* const*, uint32_t,
                                                  bool*);
    int (*Compilation_createForDevices)(ANeuralNetworksModel*, const ANeuralNetworksDevice* const*,
                                        uint32_t, ANeuralNetworksCompilation**);
    int (*Compilation_setCaching)(ANeuralNetworksCompilation*, const char*, const uint8_t*);
    int (*Execution_compute)(ANeuralNetworksExecution*);
    int (*Execution_getOutputOperandRank)(ANeuralNetworksExecution*, int32_t, uint32_t*);
    int (*Execution_getOutputOperandDimensions)(ANeuralNetworksExecution*, int32_t, uint32_t*);
    int (*Burst_create)(ANeuralNetworksCompilation*, ANeuralNetworksBurst**);
    void (*Burst_free)(ANeuralNetworksBurst*);
    int (*Execution_burstCompute)(ANeuralNetworksExecution*, ANeuralNetworksBurst*);
    int (*Execution_setMeasureTiming)(ANeuralNetworksExecution*, bool);
    int (*Execution_getDuration)(const ANeuralNetworksExecution*, int32_t, uint64_t*);
    /* level 30 */
    int (*Compilation_setPriority)(ANeuralNetworksCompilation*, int);
    int (*Execution_startComputeWithDependencies)(ANeuralNetworksExecution*,
                                                  const ANeuralNetworksEvent* const*, uint32_t,
                                                  uint64_t, ANeuralNetworksEvent**);
};

/* Loads the library and its functions. Prints what is missing to stderr and returns 0 if it cannot
 * be loaded, lacks a function of level 27, or has only a part of a later level, or the function
 * that would mean level 31. */
int loadFunctions(const char* library, struct Functions* functions);

#endif
