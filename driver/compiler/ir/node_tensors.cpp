// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/ir/node_tensors.h"

namespace vnpu::driver {

std::vector<TensorId> inputsOf(const Node& node) {
    std::vector<TensorId> inputs;
    forEachInput(node, [&inputs](TensorId tensor) { inputs.push_back(tensor); });
    return inputs;
}

std::vector<TensorId> outputsOf(const Node& node) {
    std::vector<TensorId> outputs;
    forEachOutput(node, [&outputs](TensorId tensor) { outputs.push_back(tensor); });
    return outputs;
}

std::vector<TensorId> tensorsOf(const Node& node) {
    std::vector<TensorId> tensors;
    forEachTensor(node, [&tensors](TensorId tensor) { tensors.push_back(tensor); });
    return tensors;
}

}  // namespace vnpu::driver
