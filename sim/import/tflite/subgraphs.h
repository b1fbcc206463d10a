// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/import/tflite/call.h"

namespace vnpu::sim::tflite {

/// The results of a graph of the file, run in place with these inputs on `emitter`. Refuses a graph
/// with an operator that is not supported.
std::vector<Value> runInPlace(Call& call, std::int32_t graph, const std::vector<Value>& inputs,
                              Emitter& emitter);

/// A graph of the file as a subgraph of the NNAPI model.
struct Subgraph {
    std::uint32_t number = 0;  // in the model
    std::vector<Emitter::Result> results;
};

/// Builds a subgraph. Inputs with `isFixed` stay constants inside; the others are its inputs.
/// `choose` picks the results and brings them into their forms.
using ChooseResults =
        std::function<std::vector<Value>(Emitter& emitter, const std::vector<Value>& results)>;
Subgraph buildSubgraph(Call& call, std::int32_t graph, const std::vector<Value>& inputs,
                       const std::vector<bool>& isFixed, const ChooseResults& choose);

}  // namespace vnpu::sim::tflite
