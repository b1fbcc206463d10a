// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/models/network.h"
#include "sim/tflite_delegate/graph_writer.h"
#include "sim/tflite_delegate/options.h"

namespace vnpu::sim::tflite_delegate {

/// The NNAPI model of a subset of nodes. Its inputs and outputs are those of the subset, followed
/// by the variables' values before and after.
struct ImportedSubset {
    Network network;
    std::vector<std::byte> file;               // the subset as a .tflite model
    std::vector<int> inputs, outputs, states;  // tensors of the interpreter
};

/// Why nodes cannot be delegated, by their numbers in the interpreter.
using Refusals = std::map<int, std::string>;

/// The model, or why there is none.
struct ImportOutcome {
    std::optional<ImportedSubset> subset;
    Refusals refusals;  // of single nodes
    std::string error;  // where no single node is to blame
};

/// Imports the subset with the present shapes of the tensors.
ImportOutcome importSubset(const abi::TfLiteContext& context, const Subset& subset,
                           const Options& options);

/// Imports a subset again, for the present shapes of its inputs. Throws std::runtime_error where
/// these shapes cannot be expressed.
ImportedSubset importAgain(const abi::TfLiteContext& context, const ImportedSubset& former);

/// The shape of a tensor, for the model.
std::vector<std::uint32_t> shapeOf(const abi::TfLiteTensor& tensor);

}  // namespace vnpu::sim::tflite_delegate
