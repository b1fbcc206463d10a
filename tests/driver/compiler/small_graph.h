// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "driver/compiler/ir/graph.h"
#include "hw_model/regs/command_stream.h"

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

/// Clamps `count` bytes.
inline hw::VecUnary clampBytes(std::uint32_t from, std::uint32_t to, std::uint32_t count) {
    hw::VecUnary work{};
    work.inputType = work.outputType = hw::ElementType::kUint8;
    work.kind = hw::UnaryKind::kClamp;
    work.inputSram = from;
    work.outputSram = to;
    work.count = count;
    work.outputStage.clampMax = 255;
    return work;
}

}  // namespace vnpu::driver::test
