// SPDX-License-Identifier: Apache-2.0
#ifndef VNPU_TESTS_NDK_CLIENT_MOBILENET_V2_H
#define VNPU_TESTS_NDK_CLIENT_MOBILENET_V2_H

#include "functions.h"

enum { INPUT_BYTES = 224 * 224 * 3, OUTPUT_BYTES = 1001 };

/* MobileNetV2 1.0 for pictures of 224 x 224, in uint8, with the shapes of the published network and
 * weights from a random generator. The weights are in shared memory of shm_open. */
struct Network {
    ANeuralNetworksModel* model;
    ANeuralNetworksMemory* weights;
    uint32_t operations;
};

/* Builds and finishes the model. Prints the failed call to stderr and returns 0 if there is one. */
int buildNetwork(const struct Functions* functions, struct Network* network);
void freeNetwork(const struct Functions* functions, struct Network* network);

/* A shared memory of shm_open without a name, mapped: its address, and its descriptor. Null if
 * there is none. */
void* createSharedMemory(size_t sizeBytes, int* descriptor);

#endif
