// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/tflite_delegate/tflite_abi.h"

namespace vnpu::sim::tflite_delegate {

namespace abi = vnpu::sim::tflite_abi;

/// A node of the interpreter's graph.
struct NodeView {
    int index = 0;  // in the interpreter
    const abi::TfLiteNode* node = nullptr;
    const abi::TfLiteRegistration* registration = nullptr;
};

/// Nodes that one kernel replaces, in the order of execution.
struct Subset {
    std::vector<NodeView> nodes;
    std::vector<int> inputs;   // tensors from outside, constants and variables among them
    std::vector<int> outputs;  // tensors that are used outside
};

/// A .tflite model of a subset. Its tensors have the interpreter's numbers; its operator i is the
/// subset's node i.
struct WrittenGraph {
    std::vector<std::byte> bytes;
    std::vector<int> inputs;  // of the subset, without constants and variables
};

/// Whether a shape that was computed when the graph was prepared may be taken for a constant.
enum class PreparedValues { kAreConstant, kMayChange };

/// Writes the model. Throws graph::Refusal where the file format has no such tensor.
WrittenGraph writeGraph(const abi::TfLiteContext& context, const Subset& subset,
                        PreparedValues prepared);

/// The name of a tensor in the model: its number, and the name that it has in the interpreter.
std::string writtenName(int tensor, std::string_view name);
/// The number in such a name; -1 for another text.
int tensorOfName(std::string_view name);

}  // namespace vnpu::sim::tflite_delegate
