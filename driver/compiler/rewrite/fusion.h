// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Folds RELU, RELU1 and RELU6 into the clamp of their input's producer if nothing else reads that
/// input.
void foldActivations(Graph& graph);

/// Gives the output of a RESHAPE its input's storage and drops the copy, unless both are inputs,
/// outputs or constants of the model.
void aliasReshapes(Graph& graph);

/// Lets the producers of a CONCATENATION's parts write them in place in the result, if they can.
void writePartsInPlace(Graph& graph);

/// Folds a PAD of rows and columns into the padding of convolutions, if nothing else reads its
/// result.
void foldPads(Graph& graph);

/// Turns convolutions that treat all pixels alike (1 x 1, stride 1, no padding) into one matrix
/// product over all pixels, which divides evenly and keeps transfers contiguous.
void flattenPointwise(Graph& graph);
Graph flattened(Graph graph);

/// Sets the size of every storage from the tensors that lie in it.
void sizeStorages(Graph& graph);

}  // namespace vnpu::driver
