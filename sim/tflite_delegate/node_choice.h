// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/tflite_delegate/compiled_subset.h"

namespace vnpu::sim::tflite_delegate {

/// A node of the graph and why it stays with the interpreter; without a reason it is delegated.
struct NodeVerdict {
    int index = 0;
    std::string name;  // "CONV_2D"
    std::string reason;
};

/// Subsets by the numbers of their nodes.
using CompiledSubsets = std::map<std::vector<int>, std::unique_ptr<CompiledSubset>>;

/// The nodes of one graph that the device executes.
struct Choice {
    std::vector<NodeVerdict> nodes;  // all of the execution plan
    std::vector<int> chosen;
    CompiledSubsets subsets;
};

/// Takes every node that the importer can express and the device supports. Nodes are examined in
/// the subsets that the interpreter would form, because shapes that one node computes are constants
/// for the next; a refused node leaves, and the rest is examined again. Throws std::runtime_error
/// where the interpreter refuses a call.
Choice chooseNodes(abi::TfLiteContext& context, const std::shared_ptr<DelegateDevice>& device,
                   const Options& options);

/// The numbers of a subset's nodes.
std::vector<int> numbersOf(const Subset& subset);
/// The subset that the interpreter describes. Throws std::runtime_error for an unknown node.
Subset subsetOf(abi::TfLiteContext& context, const abi::TfLiteDelegateParams& params);

}  // namespace vnpu::sim::tflite_delegate
