// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/normalization.h"

#include <algorithm>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

/// The value with three dimensions around its axis, if it has more than NNAPI takes or none.
struct AxisView {
    Value value;
    std::int32_t axis = 0;

    AxisView(Emitter& emitter, const Value& given, std::uint32_t at) : value(given) {
        axis = static_cast<std::int32_t>(at);
        if (given.rank() > kMaxRank || given.rank() == 0) {
            value = reshape(emitter, given,
                            given.rank() == 0 ? Dims{1, 1, 1} : aroundAxis(given.dims, at));
            axis = 1;
        }
    }
};

Form unitForm(const Form& form, float scale, std::int32_t zeroPointOfUnsigned) {
    const bool isSigned = form.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    return {form.type, scale, zeroPointOfUnsigned - (isSigned ? 128 : 0)};
}

/// Computes the result in `fixed`, which NNAPI prescribes for quantized results, and converts it to
/// `form`.
Value finishNormalization(Emitter& emitter, Type type, const Value& seen,
                          const std::vector<Index>& inputs, const Form& fixed, const Form& form,
                          const Dims& dims) {
    Value result = emitter.emit(type, inputs, fixed, seen.dims);
    if (seen.dims != dims) {
        result = reshape(emitter, result, dims);
    }
    return convert(emitter, result, form);
}

}  // namespace

Value softmax(Emitter& emitter, const Value& value, float beta, std::uint32_t axis,
              const Form& form) {
    const bool isQuantized = value.form.isQuantized() && value.form.type == form.type;
    const AxisView seen(emitter, isQuantized ? value : toReal(emitter, value), axis);
    std::vector<Index> inputs = {emitter.operand(seen.value), emitter.builder().addFloat32(beta)};
    if (static_cast<std::size_t>(seen.axis) + 1 != seen.value.rank()) {
        inputs.push_back(emitter.builder().addInt32(seen.axis));
    }
    return finishNormalization(emitter, Type::SOFTMAX, seen.value, inputs,
                               isQuantized ? unitForm(form, 1.0F / 256.0F, 0) : kReal, form,
                               value.dims);
}

Value logSoftmax(Emitter& emitter, const Value& value, float beta, std::uint32_t axis,
                 const Form& form) {
    const AxisView seen(emitter, toReal(emitter, value), axis);
    const std::vector<Index> inputs = {emitter.operand(seen.value),
                                       emitter.builder().addFloat32(beta),
                                       emitter.builder().addInt32(seen.axis)};
    return finishNormalization(emitter, Type::LOG_SOFTMAX, seen.value, inputs, kReal, form,
                               value.dims);
}

Value l2Normalize(Emitter& emitter, const Value& value, std::uint32_t axis, const Form& form) {
    const bool isQuantized = value.form.isQuantized() && value.form.type == form.type;
    const AxisView seen(emitter, isQuantized ? value : toReal(emitter, value), axis);
    const std::vector<Index> inputs = {emitter.operand(seen.value),
                                       emitter.builder().addInt32(seen.axis)};
    return finishNormalization(emitter, Type::L2_NORMALIZATION, seen.value, inputs,
                               isQuantized ? unitForm(form, 1.0F / 128.0F, 128) : kReal, form,
                               value.dims);
}

Value localResponseNormalize(Emitter& emitter, const Value& value, std::int32_t radius, float bias,
                             float alpha, float beta, const Form& form) {
    const std::uint32_t last = value.rank() == 0 ? 0 : static_cast<std::uint32_t>(value.rank() - 1);
    const AxisView seen(emitter, toReal(emitter, value), last);
    ModelBuilder& builder = emitter.builder();
    const std::vector<Index> inputs = {emitter.operand(seen.value), builder.addInt32(radius),
                                       builder.addFloat32(bias),    builder.addFloat32(alpha),
                                       builder.addFloat32(beta),    builder.addInt32(seen.axis)};
    return finishNormalization(emitter, Type::LOCAL_RESPONSE_NORMALIZATION, seen.value, inputs,
                               kReal, form, value.dims);
}

}  // namespace vnpu::sim::graph
