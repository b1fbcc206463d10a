// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/pooling.h"

#include "sim/import/graph/conversion.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

}  // namespace

Value pool2d(Emitter& emitter, Pool op, const Value& input, std::array<std::int64_t, 2> size,
             const Window& window, Clamp fused, const Form& form) {
    requireImage(input, "input");
    requireWindow(window);
    requireSteps({size[0], size[1]}, "window");
    if (window.dilation[0] != 1 || window.dilation[1] != 1) {
        throw Refusal("the window is dilated, which NNAPI has for convolutions only");
    }
    const bool isDirect = input.form.isQuantized() && input.form == form && op != Pool::kL2;
    const Value operand = isDirect ? input : toReal(emitter, input);
    std::vector<Index> inputs = {emitter.operand(operand)};
    addPaddingAndStrides(emitter, window, inputs);
    inputs.push_back(emitter.integer(size[1]));
    inputs.push_back(emitter.integer(size[0]));
    inputs.push_back(fuseOperand(emitter, fused));
    const Type type = op == Pool::kAverage ? Type::AVERAGE_POOL_2D
                      : op == Pool::kMax   ? Type::MAX_POOL_2D
                                           : Type::L2_POOL_2D;
    const Dims dims = {input.dims[0], windowOutput(input.dims[1], size[0], window, 0),
                       windowOutput(input.dims[2], size[1], window, 1), input.dims[3]};
    const Value result = emitter.emit(type, inputs, operand.form, dims);
    return finishWindow(emitter, result, fused, form);
}

}  // namespace vnpu::sim::graph
