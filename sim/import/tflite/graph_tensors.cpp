// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/graph_tensors.h"

#include "sim/import/tflite/tensor_value.h"

namespace vnpu::sim::tflite {

GraphTensors::GraphTensors(Session& session, std::size_t graph)
    : session_(session), graph_(session.file, graph) {
    for (const std::int32_t input : graph_.inputs()) {
        made_.insert(input);
    }
    for (std::size_t i = 0; i < graph_.operatorCount(); ++i) {
        operators_.push_back(graph_.operatorAt(i));
        made_.insert(operators_.back().outputs.begin(), operators_.back().outputs.end());
    }
}

const TensorView& GraphTensors::tensor(std::int32_t index) {
    const auto found = tensors_.find(index);
    return found != tensors_.end() ? found->second
                                   : tensors_.emplace(index, graph_.tensor(index)).first->second;
}

std::optional<graph::Value> GraphTensors::constant(std::int32_t index) {
    const TensorView& view = tensor(index);
    if (view.isVariable && !view.hasData) {  // the operator reads its state itself
        return graph::Value{.dims = view.dimensions, .name = view.name};
    }
    const bool isEmpty = elementCount(view.dimensions) == 0 && !view.isOpen;
    if (!view.hasData && !(isEmpty && !made_.contains(index))) {
        return std::nullopt;
    }
    graph::Value value = view.hasData ? constantValue(view)
                                      : graph::constantOf(formOf(view), view.dimensions, {});
    value.name = view.name;
    return value;
}

std::optional<graph::Value> GraphTensors::declared(std::int32_t index) {
    const TensorView& view = tensor(index);
    if (view.isOpen) {
        return std::nullopt;
    }
    return graph::Value{.form = formOf(view), .dims = view.dimensions, .name = view.name};
}

std::string GraphTensors::nameOf(std::int32_t index) const {
    return index < 0 ? "" : graph_.tensorName(index);
}

}  // namespace vnpu::sim::tflite
