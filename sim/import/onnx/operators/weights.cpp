// SPDX-License-Identifier: Apache-2.0
#include "sim/import/onnx/operators/weights.h"

#include <algorithm>
#include <cmath>

#include "sim/import/graph/movement.h"

namespace vnpu::sim::onnx {

Value moveWeights(Context& context, const Value& weights, const std::vector<std::uint32_t>& order) {
    Value moved = graph::transpose(context.emitter(), weights, order);
    moved.channelScales = weights.channelScales;
    const auto at = std::find(order.begin(), order.end(), weights.channelDimension);
    moved.channelDimension = static_cast<std::uint32_t>(at - order.begin());
    return moved;
}

std::optional<Value> biasFor(const Value& input, const Value& weights,
                             const std::optional<Value>& bias, const Form& form) {
    const bool isQuantized =
            input.form.isQuantized() && weights.form.isQuantized() && form.isQuantized();
    if (!bias || !isQuantized || !bias->isConstant() || !bias->form.isReal()) {
        return bias;
    }
    std::vector<double> numbers = graph::realsOf(*bias);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float scale = weights.channelScales.empty()
                                    ? weights.form.scale
                                    : weights.channelScales[i % weights.channelScales.size()];
        numbers[i] = std::nearbyint(numbers[i] / (double{input.form.scale} * scale));
    }
    return graph::constantFrom(graph::kInteger, bias->dims, numbers);
}

}  // namespace vnpu::sim::onnx
