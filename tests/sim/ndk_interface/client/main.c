// SPDX-License-Identifier: Apache-2.0
/* A client of NNAPI that knows only the names of its functions, like TensorFlow Lite's delegate:
 *
 *     ndk_client CACHE_FOLDER [LIBRARY]
 *
 * runs MobileNetV2 on the first device and on the CPU device: compiled twice with a cache,
 * computed at once, in the background, in a burst and as a chain with fences. All results must be
 * the same bytes. Prints a line for each execution and returns 0 on success. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "functions.h"
#include "mobilenet_v2.h"

static struct Functions f;

static void require(const char* call, int code) {
    if (code != ANEURALNETWORKS_NO_ERROR) {
        fprintf(stderr, "%s: %d\n", call, code);
        exit(1);
    }
}

static void demand(int isTrue, const char* what) {
    if (!isTrue) {
        fprintf(stderr, "expected: %s\n", what);
        exit(1);
    }
}

/* Inputs and outputs of the executions, in shared memory. */
struct Arguments {
    uint8_t* bytes;
    ANeuralNetworksMemory* memory;
};

/* An output of its own for each of the executions that may run at once. */
enum { EXECUTIONS = 3, ARGUMENT_BYTES = INPUT_BYTES + EXECUTIONS * 1024 };

static struct Arguments createArguments(void) {
    struct Arguments arguments = {NULL, NULL};
    int descriptor = -1;
    arguments.bytes = createSharedMemory(ARGUMENT_BYTES, &descriptor);
    demand(arguments.bytes != NULL, "shared memory for arguments");
    for (size_t i = 0; i < INPUT_BYTES; ++i) {
        arguments.bytes[i] = (uint8_t)(i * 7 + i / 672);
    }
    require("Memory_createFromFd", f.Memory_createFromFd(ARGUMENT_BYTES, PROT_READ | PROT_WRITE,
                                                         descriptor, 0, &arguments.memory));
    close(descriptor);
    return arguments;
}

static uint8_t* outputOf(const struct Arguments* arguments, int index) {
    return arguments->bytes + INPUT_BYTES + 1024 * index;
}

static ANeuralNetworksCompilation* compile(const struct Network* network,
                                           const ANeuralNetworksDevice* device,
                                           const char* cacheFolder) {
    const uint8_t token[32] = {'m', 'o', 'b', 'i', 'l', 'e'};
    ANeuralNetworksCompilation* compilation = NULL;
    require("Compilation_createForDevices",
            f.Compilation_createForDevices(network->model, &device, 1, &compilation));
    require("Compilation_setPreference",
            f.Compilation_setPreference(compilation, ANEURALNETWORKS_PREFER_SUSTAINED_SPEED));
    require("Compilation_setCaching", f.Compilation_setCaching(compilation, cacheFolder, token));
    require("Compilation_setPriority",
            f.Compilation_setPriority(compilation, ANEURALNETWORKS_PRIORITY_HIGH));
    require("Compilation_finish", f.Compilation_finish(compilation));
    return compilation;
}

/* An execution whose output is number `index`, erased before. */
static ANeuralNetworksExecution* prepare(ANeuralNetworksCompilation* compilation,
                                         const struct Arguments* arguments, int index) {
    ANeuralNetworksExecution* execution = NULL;
    memset(outputOf(arguments, index), 0xA5, OUTPUT_BYTES);
    require("Execution_create", f.Execution_create(compilation, &execution));
    require("Execution_setMeasureTiming", f.Execution_setMeasureTiming(execution, true));
    require("Execution_setInputFromMemory",
            f.Execution_setInputFromMemory(execution, 0, NULL, arguments->memory, 0, INPUT_BYTES));
    require("Execution_setOutputFromMemory",
            f.Execution_setOutputFromMemory(execution, 0, NULL, arguments->memory,
                                            (size_t)(INPUT_BYTES + 1024 * index), OUTPUT_BYTES));
    return execution;
}

/* Compares the output with the first one of all, prints the time and frees the execution. */
static void finish(const char* what, ANeuralNetworksExecution* execution,
                   const struct Arguments* arguments, int index) {
    static uint8_t expected[OUTPUT_BYTES];
    static int isFirst = 1;
    uint64_t nanoseconds = 0;
    uint32_t rank = 0, dimensions[4] = {0};
    if (isFirst) {
        memcpy(expected, outputOf(arguments, index), OUTPUT_BYTES);
        isFirst = 0;
    }
    demand(memcmp(expected, outputOf(arguments, index), OUTPUT_BYTES) == 0,
           "the same result in every execution");
    require("Execution_getDuration",
            f.Execution_getDuration(execution, ANEURALNETWORKS_DURATION_ON_HARDWARE, &nanoseconds));
    require("Execution_getOutputOperandRank",
            f.Execution_getOutputOperandRank(execution, 0, &rank));
    demand(rank == 2, "an output of rank 2");
    require("Execution_getOutputOperandDimensions",
            f.Execution_getOutputOperandDimensions(execution, 0, dimensions));
    demand(dimensions[0] == 1 && dimensions[1] == OUTPUT_BYTES, "an output of 1 x 1001");
    if (nanoseconds == UINT64_MAX) {
        printf("  %-10s no time\n", what);
    } else {
        printf("  %-10s %.3f ms on the device\n", what, (double)nanoseconds / 1e6);
    }
    f.Execution_free(execution);
}

static void computeAtOnce(ANeuralNetworksCompilation* compilation,
                          const struct Arguments* arguments) {
    ANeuralNetworksExecution* const execution = prepare(compilation, arguments, 0);
    require("Execution_compute", f.Execution_compute(execution));
    finish("at once", execution, arguments, 0);
}

static void computeInBackground(ANeuralNetworksCompilation* compilation,
                                const struct Arguments* arguments) {
    ANeuralNetworksExecution* const execution = prepare(compilation, arguments, 0);
    ANeuralNetworksEvent* event = NULL;
    require("Execution_startCompute", f.Execution_startCompute(execution, &event));
    require("Event_wait", f.Event_wait(event));
    f.Event_free(event);
    finish("background", execution, arguments, 0);
}

static void computeInBurst(ANeuralNetworksCompilation* compilation,
                           const struct Arguments* arguments) {
    ANeuralNetworksBurst* burst = NULL;
    require("Burst_create", f.Burst_create(compilation, &burst));
    for (int i = 0; i < 2; ++i) {
        ANeuralNetworksExecution* const execution = prepare(compilation, arguments, 0);
        require("Execution_burstCompute", f.Execution_burstCompute(execution, burst));
        finish("burst", execution, arguments, 0);
    }
    f.Burst_free(burst);
}

static void computeChain(ANeuralNetworksCompilation* compilation,
                         const struct Arguments* arguments) {
    ANeuralNetworksExecution* executions[EXECUTIONS];
    ANeuralNetworksEvent* events[EXECUTIONS] = {NULL};
    for (int i = 0; i < EXECUTIONS; ++i) {
        const ANeuralNetworksEvent* const before = i == 0 ? NULL : events[i - 1];
        executions[i] = prepare(compilation, arguments, i);
        require("Execution_startComputeWithDependencies",
                f.Execution_startComputeWithDependencies(executions[i], i == 0 ? NULL : &before,
                                                         i == 0 ? 0 : 1, 0, &events[i]));
    }
    require("Event_wait", f.Event_wait(events[EXECUTIONS - 1]));
    for (int i = 0; i < EXECUTIONS; ++i) {
        require("Event_wait", f.Event_wait(events[i]));
        finish("fenced", executions[i], arguments, i);
        f.Event_free(events[i]);
    }
}

static void run(const struct Network* network, const ANeuralNetworksDevice* device,
                const struct Arguments* arguments, const char* cacheFolder) {
    const char* name = NULL;
    bool* const isSupported = calloc(network->operations, sizeof(bool));
    uint32_t supported = 0;
    require("Device_getName", f.Device_getName(device, &name));
    require("Model_getSupportedOperationsForDevices",
            f.Model_getSupportedOperationsForDevices(network->model, &device, 1, isSupported));
    for (uint32_t i = 0; i < network->operations; ++i) {
        supported += isSupported[i] ? 1 : 0;
    }
    free(isSupported);
    printf("%s: %u of %u operations\n", name, supported, network->operations);
    demand(supported == network->operations, "support for all operations");
    for (int i = 0; i < 2; ++i) {
        ANeuralNetworksCompilation* const compilation = compile(network, device, cacheFolder);
        computeAtOnce(compilation, arguments);
        computeInBackground(compilation, arguments);
        computeInBurst(compilation, arguments);
        computeChain(compilation, arguments);
        f.Compilation_free(compilation);
    }
}

int main(int argumentCount, char** arguments) {
    demand(argumentCount >= 2, "ndk_client CACHE_FOLDER [LIBRARY]");
    if (!loadFunctions(argumentCount > 2 ? arguments[2] : "libneuralnetworks.so", &f)) {
        return 1;
    }
    demand(f.Execution_startComputeWithDependencies != NULL, "a library of level 30");
    struct Network network = {NULL, NULL, 0};
    if (!buildNetwork(&f, &network)) {
        return 1;
    }
    const struct Arguments data = createArguments();
    uint32_t count = 0;
    require("getDeviceCount", f.getDeviceCount(&count));
    demand(count >= 2, "a device and the CPU device");
    for (uint32_t i = 0; i < count; ++i) {
        ANeuralNetworksDevice* device = NULL;
        require("getDevice", f.getDevice(i, &device));
        run(&network, device, &data, arguments[1]);
    }
    const uint8_t* const output = outputOf(&data, 0);
    int differences = 0;
    for (size_t i = 1; i < OUTPUT_BYTES; ++i) {
        differences += output[i] != output[i - 1] ? 1 : 0;
    }
    demand(differences > 0, "a result that is not constant");
    freeNetwork(&f, &network);
    f.Memory_free(data.memory);
    munmap(data.bytes, ARGUMENT_BYTES);
    return 0;
}
