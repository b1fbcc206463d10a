// SPDX-License-Identifier: Apache-2.0
// Operators that change the shape or the order of dimensions.
#include <algorithm>

#include "sim/import/graph/image.h"
#include "sim/import/graph/movement.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

/// The shape in the second input, in the options, or in the output's declaration.
Dims shapeOfReshape(Call& call) {
    const Dims& from = call.in(0).dims;
    if (call.has(1) && call.in(1).isConstant()) {
        return graph::resolveShape(from, call.ints(1, "the shape"));
    }
    const auto& op = *call.op().table;
    const auto* options = op.builtin_options_as<schema::ReshapeOptions>();
    if (options != nullptr && options->new_shape() != nullptr) {
        const std::vector<std::int64_t> shape(options->new_shape()->begin(),
                                              options->new_shape()->end());
        return graph::resolveShape(from, shape);
    }
    const TensorView output = call.outputTensor(0);
    if (output.isOpen || elementCount(output.dimensions) != elementCount(from)) {
        throw Refusal("the shape is known only at run time");
    }
    return output.dimensions;
}

void importReshape(Call& call) {
    call.requireInputs(1, 2);
    call.set(0, graph::reshape(call.emitter(), call.inOutputForm(), shapeOfReshape(call)));
}

void importSqueeze(Call& call) {
    call.requireInputs(1, 1);
    const Dims& from = call.in(0).dims;
    std::vector<bool> isDropped(from.size(), false);
    const auto* options = call.op().table->builtin_options_as<schema::SqueezeOptions>();
    const TensorView output = call.outputTensor(0);
    if (options == nullptr && !output.isOpen &&
        elementCount(output.dimensions) == elementCount(from)) {
        call.set(0, graph::reshape(call.emitter(), call.inOutputForm(), output.dimensions));
        return;
    }
    if (options != nullptr && options->squeeze_dims() != nullptr &&
        options->squeeze_dims()->size() != 0) {
        for (const std::int32_t axis : *options->squeeze_dims()) {
            isDropped[graph::axisOf(axis, from.size())] = true;
        }
    } else {
        std::transform(from.begin(), from.end(), isDropped.begin(),
                       [](std::uint32_t size) { return size == 1; });
    }
    Dims dims;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!isDropped[i]) {
            dims.push_back(from[i]);
        } else if (from[i] != 1) {
            throw Refusal(fmt::format("drops dimension {} of {}", i, describeDimensions(from)));
        }
    }
    call.set(0, graph::reshape(call.emitter(), call.inOutputForm(), dims));
}

void importExpandDims(Call& call) {
    call.requireInputs(2, 2);
    Dims dims = call.in(0).dims;
    const std::uint32_t axis = graph::axisOf(call.oneInt(1, "the axis"), dims.size() + 1);
    dims.insert(dims.begin() + axis, 1);
    call.set(0, graph::reshape(call.emitter(), call.inOutputForm(), dims));
}

void importTranspose(Call& call) {
    call.requireInputs(2, 2);
    const Value value = call.inOutputForm();
    call.set(0, graph::transpose(call.emitter(), value, call.axes(1, value.rank())));
}

void importSpaceToDepth(Call& call) {
    call.requireInputs(1, 1);
    const auto block = call.options<schema::SpaceToDepthOptions>().block_size();
    call.set(0, graph::spaceToDepth(call.emitter(), call.inOutputForm(),
                                    static_cast<std::uint32_t>(std::max(block, 0))));
}

void importDepthToSpace(Call& call) {
    call.requireInputs(1, 1);
    const auto block = call.options<schema::DepthToSpaceOptions>().block_size();
    call.set(0, graph::depthToSpace(call.emitter(), call.inOutputForm(),
                                    static_cast<std::uint32_t>(std::max(block, 0))));
}

constexpr Row kReshapeRows[] = {
        {5, "DEPTH_TO_SPACE", kImported, "DEPTH_TO_SPACE", importDepthToSpace},
        {22, "RESHAPE", kImported, "RESHAPE", importReshape},
        {26, "SPACE_TO_DEPTH", kImported, "SPACE_TO_DEPTH", importSpaceToDepth},
        {39, "TRANSPOSE", kImported, "TRANSPOSE", importTranspose},
        {43, "SQUEEZE", kImported, "RESHAPE", importSqueeze},
        {70, "EXPAND_DIMS", kImported, "RESHAPE", importExpandDims},
};

}  // namespace

std::span<const Row> reshapeRows() {
    return kReshapeRows;
}

}  // namespace vnpu::sim::tflite
