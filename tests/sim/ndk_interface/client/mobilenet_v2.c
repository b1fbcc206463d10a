// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L

#include "mobilenet_v2.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* 3.5 million weights and their biases. */
enum { WEIGHT_BYTES = 4 * 1024 * 1024 };

static const float kInputScale = 1.0F / 128;
static const float kWeightScale = 1.0F / 64;
static const float kReluScale = 6.0F / 255;  /* of values after RELU6 */
static const float kLinearScale = 1.0F / 16; /* of the others */

/* A tensor of quantized values of height x width x channels. */
struct Tensor {
    uint32_t operand, size, channels;
    float scale;
};

struct Builder {
    const struct Functions* f;
    struct Network* network;
    uint8_t* bytes; /* of the weights */
    size_t used;
    uint32_t operands;
    uint32_t random;
    int failures;
};

static void check(struct Builder* b, const char* call, int code) {
    if (code != ANEURALNETWORKS_NO_ERROR) {
        fprintf(stderr, "%s: %d (operand %u)\n", call, code, b->operands);
        ++b->failures;
    }
}

static uint32_t addOperand(struct Builder* b, int32_t type, uint32_t rank, const uint32_t* shape,
                           float scale, int32_t zeroPoint) {
    const ANeuralNetworksOperandType operand = {type, rank, shape, scale, zeroPoint};
    check(b, "Model_addOperand", b->f->Model_addOperand(b->network->model, &operand));
    return b->operands++;
}

static uint32_t addScalar(struct Builder* b, int32_t value) {
    const uint32_t index = addOperand(b, ANEURALNETWORKS_INT32, 0, NULL, 0, 0);
    check(b, "Model_setOperandValue",
          b->f->Model_setOperandValue(b->network->model, (int32_t)index, &value, sizeof(value)));
    return index;
}

static struct Tensor addTensor(struct Builder* b, uint32_t size, uint32_t channels, float scale,
                               int32_t zeroPoint) {
    const uint32_t shape[] = {1, size, size, channels};
    const struct Tensor tensor = {
            addOperand(b, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 4, shape, scale, zeroPoint), size,
            channels, scale};
    return tensor;
}

/* A constant in the shared memory: random weights, or biases of 0. */
static uint32_t addConstant(struct Builder* b, int32_t type, uint32_t rank, const uint32_t* shape,
                            float scale) {
    const int isBias = type == ANEURALNETWORKS_TENSOR_INT32;
    size_t length = isBias ? 4 : 1;
    const uint32_t index = addOperand(b, type, rank, shape, scale, isBias ? 0 : 128);
    for (uint32_t i = 0; i < rank; ++i) {
        length *= shape[i];
    }
    if (b->used + length > WEIGHT_BYTES) {
        fprintf(stderr, "no room for weights\n");
        ++b->failures;
        return index;
    }
    for (size_t i = 0; !isBias && i < length; ++i) {
        b->random = b->random * 1664525U + 1013904223U;
        b->bytes[b->used + i] = (uint8_t)(b->random >> 24U);
    }
    check(b, "Model_setOperandValueFromMemory",
          b->f->Model_setOperandValueFromMemory(b->network->model, (int32_t)index,
                                                b->network->weights, b->used, length));
    b->used += (length + 3) / 4 * 4;
    return index;
}

static void addOperation(struct Builder* b, ANeuralNetworksOperationType type, uint32_t inputCount,
                         const uint32_t* inputs, uint32_t output) {
    check(b, "Model_addOperation",
          b->f->Model_addOperation(b->network->model, type, inputCount, inputs, 1, &output));
    ++b->network->operations;
}

/* A convolution with padding SAME, with RELU6 or linear. */
static struct Tensor addConvolution(struct Builder* b, struct Tensor in, uint32_t channels,
                                    uint32_t kernel, uint32_t stride, int isLinear) {
    const struct Tensor out = addTensor(b, (in.size + stride - 1) / stride, channels,
                                        isLinear ? kLinearScale : kReluScale, isLinear ? 128 : 0);
    const uint32_t filter[] = {channels, kernel, kernel, in.channels};
    const uint32_t inputs[] = {
            in.operand,
            addConstant(b, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 4, filter, kWeightScale),
            addConstant(b, ANEURALNETWORKS_TENSOR_INT32, 1, &channels, in.scale * kWeightScale),
            addScalar(b, ANEURALNETWORKS_PADDING_SAME),
            addScalar(b, (int32_t)stride),
            addScalar(b, (int32_t)stride),
            addScalar(b, isLinear ? ANEURALNETWORKS_FUSED_NONE : ANEURALNETWORKS_FUSED_RELU6)};
    addOperation(b, ANEURALNETWORKS_CONV_2D, 7, inputs, out.operand);
    return out;
}

static struct Tensor addDepthwise(struct Builder* b, struct Tensor in, uint32_t stride) {
    const struct Tensor out =
            addTensor(b, (in.size + stride - 1) / stride, in.channels, kReluScale, 0);
    const uint32_t filter[] = {1, 3, 3, in.channels};
    const uint32_t inputs[] = {
            in.operand,
            addConstant(b, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 4, filter, kWeightScale),
            addConstant(b, ANEURALNETWORKS_TENSOR_INT32, 1, &in.channels, in.scale * kWeightScale),
            addScalar(b, ANEURALNETWORKS_PADDING_SAME),
            addScalar(b, (int32_t)stride),
            addScalar(b, (int32_t)stride),
            addScalar(b, 1),
            addScalar(b, ANEURALNETWORKS_FUSED_RELU6)};
    addOperation(b, ANEURALNETWORKS_DEPTHWISE_CONV_2D, 8, inputs, out.operand);
    return out;
}

/* An inverted residual: expansion, depthwise convolution, projection, and the sum with the input if
 * both have one shape. */
static struct Tensor addBottleneck(struct Builder* b, struct Tensor in, uint32_t expansion,
                                   uint32_t channels, uint32_t stride) {
    struct Tensor x = in;
    if (expansion != 1) {
        x = addConvolution(b, x, expansion * in.channels, 1, 1, 0);
    }
    x = addDepthwise(b, x, stride);
    x = addConvolution(b, x, channels, 1, 1, 1);
    if (stride == 1 && channels == in.channels) {
        const struct Tensor sum = addTensor(b, x.size, channels, kLinearScale, 128);
        const uint32_t inputs[] = {in.operand, x.operand, addScalar(b, ANEURALNETWORKS_FUSED_NONE)};
        addOperation(b, ANEURALNETWORKS_ADD, 3, inputs, sum.operand);
        x = sum;
    }
    return x;
}

/* source: Sandler et al., MobileNetV2, table 2 */
static struct Tensor addBottlenecks(struct Builder* b, struct Tensor x) {
    static const struct {
        uint32_t expansion, channels, count, stride;
    } kRows[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                 {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    for (size_t row = 0; row < sizeof(kRows) / sizeof(kRows[0]); ++row) {
        for (uint32_t i = 0; i < kRows[row].count; ++i) {
            x = addBottleneck(b, x, kRows[row].expansion, kRows[row].channels,
                              i == 0 ? kRows[row].stride : 1);
        }
    }
    return x;
}

/* Pooling, classes and their probabilities. Returns the output. */
static uint32_t addHead(struct Builder* b, struct Tensor x) {
    const struct Tensor pooled = addTensor(b, 1, x.channels, x.scale, 0);
    const uint32_t window[] = {x.operand,
                               addScalar(b, ANEURALNETWORKS_PADDING_VALID),
                               addScalar(b, (int32_t)x.size),
                               addScalar(b, (int32_t)x.size),
                               addScalar(b, (int32_t)x.size),
                               addScalar(b, (int32_t)x.size),
                               addScalar(b, ANEURALNETWORKS_FUSED_NONE)};
    addOperation(b, ANEURALNETWORKS_AVERAGE_POOL_2D, 7, window, pooled.operand);
    const struct Tensor classes = addConvolution(b, pooled, OUTPUT_BYTES, 1, 1, 1);
    const uint32_t flat[] = {1, OUTPUT_BYTES}, two = 2;
    const int32_t shape[] = {1, OUTPUT_BYTES};
    const uint32_t reshaped =
            addOperand(b, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, flat, classes.scale, 128);
    const uint32_t reshape[] = {classes.operand,
                                addOperand(b, ANEURALNETWORKS_TENSOR_INT32, 1, &two, 0, 0)};
    check(b, "Model_setOperandValue",
          b->f->Model_setOperandValue(b->network->model, (int32_t)reshape[1], shape,
                                      sizeof(shape)));
    addOperation(b, ANEURALNETWORKS_RESHAPE, 2, reshape, reshaped);
    const float beta = 1.0F;
    const uint32_t output =
            addOperand(b, ANEURALNETWORKS_TENSOR_QUANT8_ASYMM, 2, flat, 1.0F / 256, 0);
    const uint32_t softmax[] = {reshaped, addOperand(b, ANEURALNETWORKS_FLOAT32, 0, NULL, 0, 0)};
    check(b, "Model_setOperandValue",
          b->f->Model_setOperandValue(b->network->model, (int32_t)softmax[1], &beta, sizeof(beta)));
    addOperation(b, ANEURALNETWORKS_SOFTMAX, 2, softmax, output);
    return output;
}

int buildNetwork(const struct Functions* functions, struct Network* network) {
    struct Builder b = {functions, network, NULL, 0, 0, 1, 0};
    int descriptor = -1;
    b.bytes = createSharedMemory(WEIGHT_BYTES, &descriptor);
    if (b.bytes == NULL) {
        fprintf(stderr, "no shared memory for weights\n");
        return 0;
    }
    check(&b, "Memory_createFromFd",
          functions->Memory_createFromFd(WEIGHT_BYTES, PROT_READ, descriptor, 0,
                                         &network->weights));
    close(descriptor);
    check(&b, "Model_create", functions->Model_create(&network->model));
    if (b.failures == 0) {
        const struct Tensor input = addTensor(&b, 224, 3, kInputScale, 128);
        struct Tensor x = addConvolution(&b, input, 32, 3, 2, 0);
        x = addBottlenecks(&b, x);
        x = addConvolution(&b, x, 1280, 1, 1, 0);
        const uint32_t output = addHead(&b, x);
        check(&b, "Model_identifyInputsAndOutputs",
              functions->Model_identifyInputsAndOutputs(network->model, 1, &input.operand, 1,
                                                        &output));
        check(&b, "Model_finish", functions->Model_finish(network->model));
    }
    munmap(b.bytes, WEIGHT_BYTES);
    return b.failures == 0;
}

void freeNetwork(const struct Functions* functions, struct Network* network) {
    functions->Model_free(network->model);
    functions->Memory_free(network->weights);
}

void* createSharedMemory(size_t sizeBytes, int* descriptor) {
    static int count = 0;
    char name[64];
    snprintf(name, sizeof(name), "/vnpu-ndk-client-%ld-%d", (long)getpid(), count++);
    *descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (*descriptor < 0) {
        return NULL;
    }
    shm_unlink(name);
    void* const data =
            ftruncate(*descriptor, (off_t)sizeBytes) == 0
                    ? mmap(NULL, sizeBytes, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0)
                    : MAP_FAILED;
    if (data == MAP_FAILED) {
        close(*descriptor);
        return NULL;
    }
    return data;
}
