// SPDX-License-Identifier: Apache-2.0
// Builds a model of one convolution, runs it on the first NPU, and prints how long it took; then
// computes it at two priorities at once.
//
//     cc convolution.c $(pkg-config --cflags --libs vnpu-neuralnetworks) -o convolution
#include <android/NeuralNetworks.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 56, kChannels = 32, kFilter = 3 };

static float image[kSize * kSize * kChannels];
static float weights[kChannels * kFilter * kFilter * kChannels];
static float bias[kChannels];

/// Ends the program unless the call succeeded.
static void check(int code, const char* call) {
    if (code != ANEURALNETWORKS_NO_ERROR) {
        fprintf(stderr, "%s: code %d\n", call, code);
        exit(1);
    }
}
#define CHECK(call) check(call, #call)

static void addTensor(ANeuralNetworksModel* model, uint32_t rank, const uint32_t* dimensions) {
    const ANeuralNetworksOperandType type = {ANEURALNETWORKS_TENSOR_FLOAT32, rank, dimensions, 0,
                                             0};
    CHECK(ANeuralNetworksModel_addOperand(model, &type));
}

static void addInt(ANeuralNetworksModel* model, int32_t index, int32_t value) {
    const ANeuralNetworksOperandType type = {ANEURALNETWORKS_INT32, 0, NULL, 0, 0};
    CHECK(ANeuralNetworksModel_addOperand(model, &type));
    CHECK(ANeuralNetworksModel_setOperandValue(model, index, &value, sizeof(value)));
}

/// Operands: 0 input, 1 weights, 2 bias, 3 padding, 4 and 5 strides, 6 activation, 7 output.
static ANeuralNetworksModel* buildModel(void) {
    const uint32_t tensor[] = {1, kSize, kSize, kChannels};
    const uint32_t filter[] = {kChannels, kFilter, kFilter, kChannels};
    ANeuralNetworksModel* model;
    CHECK(ANeuralNetworksModel_create(&model));
    addTensor(model, 4, tensor);
    addTensor(model, 4, filter);
    addTensor(model, 1, filter);
    CHECK(ANeuralNetworksModel_setOperandValue(model, 1, weights, sizeof(weights)));
    CHECK(ANeuralNetworksModel_setOperandValue(model, 2, bias, sizeof(bias)));
    addInt(model, 3, ANEURALNETWORKS_PADDING_SAME);
    addInt(model, 4, 1);
    addInt(model, 5, 1);
    addInt(model, 6, ANEURALNETWORKS_FUSED_RELU);
    addTensor(model, 4, tensor);
    const uint32_t inputs[] = {0, 1, 2, 3, 4, 5, 6};
    const uint32_t output = 7;
    CHECK(ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_CONV_2D, 7, inputs, 1, &output));
    CHECK(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, inputs, 1, &output));
    CHECK(ANeuralNetworksModel_finish(model));
    return model;
}

static ANeuralNetworksCompilation* compile(ANeuralNetworksModel* model, int priority) {
    ANeuralNetworksDevice* device;
    const char* name;
    CHECK(ANeuralNetworks_getDevice(0, &device));
    CHECK(ANeuralNetworksDevice_getName(device, &name));
    const ANeuralNetworksDevice* const devices[] = {device};
    ANeuralNetworksCompilation* compilation;
    CHECK(ANeuralNetworksCompilation_createForDevices(model, devices, 1, &compilation));
    CHECK(ANeuralNetworksCompilation_setPriority(compilation, priority));
    CHECK(ANeuralNetworksCompilation_finish(compilation));
    printf("compiled for %s, priority %d\n", name, priority);
    return compilation;
}

static ANeuralNetworksExecution* prepare(ANeuralNetworksCompilation* compilation, float* output) {
    ANeuralNetworksExecution* execution;
    CHECK(ANeuralNetworksExecution_create(compilation, &execution));
    CHECK(ANeuralNetworksExecution_setInput(execution, 0, NULL, image, sizeof(image)));
    CHECK(ANeuralNetworksExecution_setOutput(execution, 0, NULL, output, sizeof(image)));
    CHECK(ANeuralNetworksExecution_setMeasureTiming(execution, true));
    return execution;
}

static void printDurations(const ANeuralNetworksExecution* execution, const char* what) {
    uint64_t device, driver;
    CHECK(ANeuralNetworksExecution_getDuration(execution, ANEURALNETWORKS_DURATION_ON_HARDWARE,
                                               &device));
    CHECK(ANeuralNetworksExecution_getDuration(execution, ANEURALNETWORKS_DURATION_IN_DRIVER,
                                               &driver));
    printf("%-14s %8.3f ms on the device, %8.3f ms in the driver\n", what, (double)device * 1e-6,
           (double)driver * 1e-6);
}

int main(void) {
    static float outputs[2][kSize * kSize * kChannels];
    for (size_t i = 0; i < sizeof(image) / sizeof(*image); ++i) {
        image[i] = (float)(i % 7) - 3;
    }
    for (size_t i = 0; i < sizeof(weights) / sizeof(*weights); ++i) {
        weights[i] = (float)(i % 5) - 2;
    }
    ANeuralNetworksModel* model = buildModel();
    ANeuralNetworksCompilation* low = compile(model, ANEURALNETWORKS_PRIORITY_LOW);
    ANeuralNetworksCompilation* high = compile(model, ANEURALNETWORKS_PRIORITY_HIGH);

    ANeuralNetworksExecution* alone = prepare(low, outputs[0]);
    CHECK(ANeuralNetworksExecution_compute(alone));
    printDurations(alone, "alone");

    ANeuralNetworksExecution* both[] = {prepare(low, outputs[0]), prepare(high, outputs[1])};
    ANeuralNetworksEvent* ends[2];
    for (int i = 0; i < 2; ++i) {
        CHECK(ANeuralNetworksExecution_startCompute(both[i], &ends[i]));
    }
    for (int i = 0; i < 2; ++i) {
        CHECK(ANeuralNetworksEvent_wait(ends[i]));
        printDurations(both[i], i == 0 ? "low priority" : "high priority");
        ANeuralNetworksEvent_free(ends[i]);
        ANeuralNetworksExecution_free(both[i]);
    }
    ANeuralNetworksExecution_free(alone);
    ANeuralNetworksCompilation_free(high);
    ANeuralNetworksCompilation_free(low);
    ANeuralNetworksModel_free(model);
    return 0;
}
