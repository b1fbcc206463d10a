// SPDX-License-Identifier: Apache-2.0
#include "functions.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { LEVELS = 4, FIRST_LEVEL = 27 };

struct Entry {
    const char* name;
    int level;
    size_t offset;
};

#define ENTRY(level, member) \
    { "ANeuralNetworks" #member, level, offsetof(struct Functions, member) }

/* In the order in which TensorFlow Lite's delegate takes them. */
static const struct Entry entries[] = {
        ENTRY(27, Memory_createFromFd),
        ENTRY(27, Memory_free),
        ENTRY(27, Model_create),
        ENTRY(27, Model_free),
        ENTRY(27, Model_finish),
        ENTRY(27, Model_addOperand),
        ENTRY(27, Model_setOperandValue),
        ENTRY(27, Model_setOperandValueFromMemory),
        ENTRY(27, Model_addOperation),
        ENTRY(27, Model_identifyInputsAndOutputs),
        ENTRY(28, Model_relaxComputationFloat32toFloat16),
        ENTRY(27, Compilation_create),
        ENTRY(27, Compilation_free),
        ENTRY(27, Compilation_setPreference),
        ENTRY(27, Compilation_finish),
        ENTRY(27, Execution_create),
        ENTRY(27, Execution_free),
        ENTRY(27, Execution_setInput),
        ENTRY(27, Execution_setInputFromMemory),
        ENTRY(27, Execution_setOutput),
        ENTRY(27, Execution_setOutputFromMemory),
        ENTRY(27, Execution_startCompute),
        ENTRY(27, Event_wait),
        ENTRY(27, Event_free),
        {"ANeuralNetworks_getDeviceCount", 29, offsetof(struct Functions, getDeviceCount)},
        {"ANeuralNetworks_getDevice", 29, offsetof(struct Functions, getDevice)},
        ENTRY(29, Device_getName),
        ENTRY(29, Device_getFeatureLevel),
        ENTRY(29, Model_getSupportedOperationsForDevices),
        ENTRY(29, Compilation_createForDevices),
        ENTRY(29, Compilation_setCaching),
        ENTRY(29, Execution_compute),
        ENTRY(29, Execution_getOutputOperandRank),
        ENTRY(29, Execution_getOutputOperandDimensions),
        ENTRY(29, Burst_create),
        ENTRY(29, Burst_free),
        ENTRY(29, Execution_burstCompute),
        ENTRY(29, Execution_setMeasureTiming),
        ENTRY(29, Execution_getDuration),
        ENTRY(30, Compilation_setPriority),
        ENTRY(30, Execution_startComputeWithDependencies),
};

int loadFunctions(const char* library, struct Functions* functions) {
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    int present[LEVELS] = {0}, missing[LEVELS] = {0};
    memset(functions, 0, sizeof(*functions));
    if (loaded == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
    for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); ++i) {
        void* const found = dlsym(loaded, entries[i].name);
        const int level = entries[i].level - FIRST_LEVEL;
        if (found != NULL) {
            ++present[level];
        } else {
            ++missing[level];
        }
        memcpy((char*)functions + entries[i].offset, &found, sizeof(found));
    }
    for (int i = 0; i < LEVELS; ++i) {
        if (missing[i] != 0 && (i == 0 || present[i] != 0)) {
            fprintf(stderr, "%d functions of level %d are missing\n", missing[i], FIRST_LEVEL + i);
            return 0;
        }
    }
    if (dlsym(loaded, "ANeuralNetworks_getRuntimeFeatureLevel") != NULL) {
        fprintf(stderr, "the library claims level 31\n");
        return 0;
    }
    return 1;
}
