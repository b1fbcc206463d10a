// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/conversion.h"

#include <cmath>
#include <cstring>

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

Form rawForm(const Form& form) {
    return form.isQuantized() ? Form{form.type, 1.0F, 0} : form;
}

/// The same stored numbers with another scale, which needs an operation unless they are constant.
Value relabeled(const Value& constant, const Form& form) {
    Value result = constant;
    result.form = form;
    result.channelScales.clear();
    return result;
}

/// Directly to float32, without an array of doubles, because weights may be large.
Value dequantizedConstant(const Value& constant) {
    std::vector<float> reals(constant.count());
    std::size_t inner = 1;
    for (std::size_t i = constant.channelDimension + 1; i < constant.dims.size(); ++i) {
        inner *= constant.dims[i];
    }
    const bool isSigned = constant.form.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    const std::size_t channels = constant.channelScales.size();
    for (std::size_t i = 0; i < reals.size(); ++i) {
        const auto byte = std::to_integer<std::uint8_t>((*constant.bytes)[i]);
        const std::int32_t stored = isSigned ? static_cast<std::int8_t>(byte) : std::int32_t{byte};
        reals[i] =
                channels == 0
                        ? static_cast<float>(stored - constant.form.zeroPoint) * constant.form.scale
                        : static_cast<float>(stored) * constant.channelScales[i / inner % channels];
    }
    Value result = realConstant(constant.dims, reals);
    result.name = constant.name;
    return result;
}

}  // namespace

Value toReal(Emitter& emitter, const Value& value) {
    return convert(emitter, value, kReal);
}

Value convert(Emitter& emitter, const Value& value, const Form& form) {
    if (value.form == form && value.channelScales.empty()) {
        return value;
    }
    if (value.isConstant()) {
        if (form.isReal() && value.form.isQuantized()) {
            return dequantizedConstant(value);
        }
        std::vector<double> reals = realsOf(value);
        if (form.isInteger()) {
            for (double& real : reals) {
                real = std::trunc(real);
            }
        }
        Value result = constantFrom(form, value.dims, reals);
        result.name = value.name;
        return result;
    }
    if (form.isReal() && value.form.isQuantized()) {
        return emitter.emit(Type::DEQUANTIZE, {emitter.operand(value)}, form, value.dims);
    }
    if (form.isQuantized()) {
        const Value real = toReal(emitter, value);
        return emitter.emit(Type::QUANTIZE, {emitter.operand(real)}, form, value.dims);
    }
    return cast(emitter, value.form.isQuantized() ? toReal(emitter, value) : value, form);
}

Value cast(Emitter& emitter, const Value& value, const Form& form) {
    if (value.isConstant()) {
        const Form raw = rawForm(form);
        const Value numbers =
                value.form.isQuantized() ? relabeled(value, rawForm(value.form)) : value;
        Value result = convert(emitter, numbers, raw);
        result.form = form;
        return result;
    }
    if (value.form.type == form.type) {
        Value result = value;
        if (value.form != form) {
            const Index number =
                    *emitter.emit(Type::CAST, {emitter.operand(value)}, kInteger, value.dims)
                             .operand;
            result = emitter.emit(Type::CAST, {number}, form, value.dims);
        }
        return result;
    }
    if (value.form.isTruth()) {
        return cast(emitter, emitter.truthsAsNumbers(value, rawForm(form)), form);
    }
    if (form.isTruth()) {
        Form raw = value.form;
        raw.zeroPoint = 0;
        return value.form == raw ? emitter.differsFromZero(value)
                                 : emitter.differsFromZero(cast(emitter, value, kInteger));
    }
    // NNAPI casts no signed 8-bit numbers; their real values with a scale of 1 are the numbers.
    if (value.form.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        const Form exact = {value.form.type, 1.0F, 0};
        Value real = toReal(emitter, value);
        if (value.form != exact) {
            // stored = real / scale + zero point, exact after rounding to the nearest integer
            const Index none = emitter.builder().addInt32(0);
            const Dims one = {1};
            real = emitter.emit(Type::MUL,
                                {emitter.operand(real),
                                 emitter.operand(filled(kReal, one, 1.0 / value.form.scale)), none},
                                kReal, value.dims);
            real = emitter.emit(
                    Type::ADD,
                    {emitter.operand(real),
                     emitter.operand(filled(kReal, one, value.form.zeroPoint + 0.5)), none},
                    kReal, value.dims);
            real = emitter.emit(Type::FLOOR, {emitter.operandAs(real, value.dims)}, kReal,
                                value.dims);
        }
        return cast(emitter, real, form);
    }
    if (form.type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        const Value whole = cast(emitter, cast(emitter, value, kInteger), kReal);
        Value result =
                emitter.emit(Type::QUANTIZE, {emitter.operand(whole)}, rawForm(form), value.dims);
        return result.form == form ? result : convert(emitter, result, form);
    }
    return emitter.emit(Type::CAST, {emitter.operand(value)}, form, value.dims);
}

Value toMovable(Emitter& emitter, const Value& value) {
    if (value.form.isInteger()) {
        return convert(emitter, value, kReal);
    }
    return value.form.isTruth() ? cast(emitter, value, kMovedTruth) : value;
}

Value fromMovable(Emitter& emitter, const Value& moved, const Form& form) {
    return moved.form == form ? moved : cast(emitter, moved, form);
}

}  // namespace vnpu::sim::graph
