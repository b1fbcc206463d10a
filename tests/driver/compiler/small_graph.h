// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "driver/compiler/ir/graph.h"

namespace vnpu::driver::test {

/// An 8-bit tensor with a storage of its own.
inline TensorId addTensor(Graph& graph, StorageKind kind, Shape shape) {
    Storage storage;
    storage.kind = kind;
    graph.storages.push_back(storage);
    Tensor tensor;
    tensor.type = android::hardware::neuralnetworks::V1_3::OperandType::TENSOR_QUANT8_ASYMM;
    tensor.shape = std::move(shape);
    tensor.storage = static_cast<StorageId>(graph.storages.size() - 1);
    graph.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph.tensors.size() - 1);
}

}  // namespace vnpu::driver::test
