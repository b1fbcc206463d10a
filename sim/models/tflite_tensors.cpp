// SPDX-License-Identifier: Apache-2.0
#include "sim/models/tflite_tensors.h"

#include <fmt/format.h>
#include <tflite_generated.h>

namespace vnpu::sim::tflite {

std::string TensorMap::placeOf(const TensorView& tensor) {
    return fmt::format("tensor {} ({})", tensor.index, tensor.name);
}

const TensorView& TensorMap::view(std::int32_t tensor) {
    const auto found = views_.find(tensor);
    return found != views_.end() ? found->second
                                 : views_.emplace(tensor, file_.tensor(tensor)).first->second;
}

OperandSpec TensorMap::activationSpec(std::int32_t tensor) {
    const TensorView& source = view(tensor);
    OperandSpec spec;
    switch (source.type) {
        case TensorType::FLOAT32:
            spec.type = nn::OperandType::TENSOR_FLOAT32;
            break;
        case TensorType::INT32:
            spec.type = nn::OperandType::TENSOR_INT32;
            break;
        case TensorType::UINT8:
            spec.type = nn::OperandType::TENSOR_QUANT8_ASYMM;
            break;
        case TensorType::INT8:
            spec.type = nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
            break;
        default:
            file_.fail(placeOf(source),
                       fmt::format("is {}, not supported yet", typeName(source.type)));
    }
    spec.dimensions = source.dimensions.empty() ? std::vector<std::uint32_t>{1} : source.dimensions;
    if (!isQuant8(spec.type)) {
        return spec;
    }
    if (source.scales.size() != 1) {
        file_.fail(placeOf(source), fmt::format("has {} quantisation scales, expected 1 for {}",
                                                source.scales.size(), typeName(source.type)));
    }
    spec.scale = source.scales[0];
    spec.zeroPoint = source.zeroPoints[0];
    const std::int32_t lowest = source.type == TensorType::INT8 ? -128 : 0;
    if (spec.zeroPoint < lowest || spec.zeroPoint > lowest + 255) {
        file_.fail(placeOf(source), fmt::format("zero point is {}, expected {} to {}",
                                                spec.zeroPoint, lowest, lowest + 255));
    }
    return spec;
}

void TensorMap::addInput(std::int32_t tensor) {
    const TensorView& source = view(tensor);
    if (source.isConstant()) {
        file_.fail(placeOf(source), "is an input of the model and has a constant value");
    }
    if (operands_.contains(tensor)) {
        file_.fail(placeOf(source), "is an input of the model twice");
    }
    operands_[tensor] = builder_.addInput(activationSpec(tensor), source.name);
}

void TensorMap::markOutput(std::int32_t tensor) {
    const auto found = operands_.find(tensor);
    if (found == operands_.end() ||
        builder_.lifetime(found->second) != nn::OperandLifeTime::TEMPORARY_VARIABLE) {
        file_.fail(placeOf(view(tensor)),
                   "is an output of the model, expected one that an operator makes, once");
    }
    builder_.markOutput(found->second);
}

TensorMap::Index TensorMap::addConstant(const TensorView& tensor, const OperandSpec& spec) {
    if (tensor.data.size() != spec.sizeBytes()) {
        file_.fail(placeOf(tensor),
                   fmt::format("has {} bytes, expected {} for {} of {}", tensor.data.size(),
                               spec.sizeBytes(), nameOf(spec.type),
                               describeDimensions(spec.dimensions)));
    }
    return builder_.addConstant(spec, tensor.data);
}

TensorMap::Index TensorMap::read(const OperatorView& op, std::int32_t tensor) {
    if (const auto found = operands_.find(tensor); found != operands_.end()) {
        return found->second;
    }
    const TensorView& source = view(tensor);
    if (!source.isConstant()) {
        file_.fail(
                op.place(),
                fmt::format("reads {}, which is neither constant nor made by an earlier operator",
                            placeOf(source)));
    }
    const Index index = addConstant(source, activationSpec(tensor));
    operands_[tensor] = index;
    return index;
}

TensorMap::Index TensorMap::readAs(const OperatorView& op, std::int32_t tensor,
                                   const OperandSpec& spec) {
    const TensorView& source = view(tensor);
    if (!source.isConstant()) {
        file_.fail(op.place(), fmt::format("weights or bias {} are not constant, not supported yet",
                                           placeOf(source)));
    }
    const WeightKey key{tensor, spec.type, spec.scale};
    if (const auto found = weights_.find(key); found != weights_.end()) {
        return found->second;
    }
    const Index index = addConstant(source, spec);
    weights_[key] = index;
    return index;
}

TensorMap::Index TensorMap::write(const OperatorView& op, std::int32_t tensor) {
    const TensorView& target = view(tensor);
    if (target.isConstant() || operands_.contains(tensor)) {
        file_.fail(op.place(),
                   fmt::format("writes {}, which already has a value", placeOf(target)));
    }
    const Index index = builder_.addTemporary(activationSpec(tensor), target.name);
    operands_[tensor] = index;
    return index;
}

}  // namespace vnpu::sim::tflite
