// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver {

/// Folds RELU, RELU1 and RELU6 into the clamp of the node that makes their input, where nothing
/// else reads that input.
void foldActivations(Graph& graph);

/// Lets the output of a RESHAPE lie where its input lies and drops the copy, unless both have
/// places of their own.
void aliasReshapes(Graph& graph);

/// Lets the parts of a CONCATENATION be written where they belong in the result, where their maker
/// can do so.
void writePartsInPlace(Graph& graph);

/// Folds a PAD of rows and columns into the padding of the convolutions, if they alone read its
/// result.
void foldPads(Graph& graph);

/// Views convolutions that treat every pixel alike (1 x 1, stride 1, no padding) as one matrix
/// product over all pixels, which divides evenly and keeps transfers contiguous.
void flattenPointwise(Graph& graph);

/// Sets the size of every storage from the tensors that lie in it.
void sizeStorages(Graph& graph);

}  // namespace vnpu::driver
