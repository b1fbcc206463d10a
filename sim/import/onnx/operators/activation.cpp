// SPDX-License-Identifier: Apache-2.0
// Activation functions; they keep the order in which the tensor is held.
#include <limits>

#include "sim/import/graph/elementwise.h"
#include "sim/import/onnx/operator_table.h"
#include "sim/import/onnx/operators/unary.h"

namespace vnpu::sim::onnx {

namespace {

using graph::Binary;
using graph::Unary;

/// alpha (e^x - 1) for x below 0, and the linear part times `linear` above. NNAPI's ELU, which is
/// exact near 0, has the first.
Real eluOf(Context& context, const Real& x, double alpha) {
    graph::Emitter& emitter = context.emitter();
    const Value unit = graph::unary(emitter, Unary::kElu, x.value(), graph::kReal);
    if (alpha == 1.0) {
        return {emitter, unit};
    }
    const Real result(emitter, unit);
    return x.with(Binary::kLess, 0.0).choose(result * alpha, x);
}

void importElu(Context& context) {
    outUnary(context, eluOf(context, operandOf(context), context.numberOf("alpha", 1.0F)));
}

void importSelu(Context& context) {
    const double alpha = context.numberOf("alpha", 1.67326319217681884765625F);
    const double gamma = context.numberOf("gamma", 1.05070102214813232421875F);
    outUnary(context, eluOf(context, operandOf(context), alpha) * gamma);
}

void importCelu(Context& context) {
    const double alpha = context.numberOf("alpha", 1.0F);
    const Real x = operandOf(context);
    outUnary(context, x.with(Binary::kLess, 0.0).choose(eluOf(context, x / alpha, 1.0) * alpha, x));
}

void importLeakyRelu(Context& context) {
    const Held held = context.held(0);
    const Target target = context.target();
    const float alpha = context.numberOf("alpha", 0.01F);
    const Value slope = graph::realConstant(Dims(1, 1), {alpha});
    context.outTo(target, graph::prelu(context.emitter(), held.value, slope, target.form),
                  held.type, held.isChannelsLast);
}

void importThresholdedRelu(Context& context) {
    const Real x = operandOf(context);
    outUnary(context,
             x.with(Binary::kGreater, context.numberOf("alpha", 1.0F)).choose(x, x.constant(0.0)));
}

void importHardSigmoid(Context& context) {
    const Real x = operandOf(context);
    const Real line = x * context.numberOf("alpha", 0.2F) + context.numberOf("beta", 0.5F);
    outUnary(context, line.of(Unary::kRelu01));
}

void importShrink(Context& context) {
    const Real x = operandOf(context);
    const double limit = context.numberOf("lambd", 0.5F), bias = context.numberOf("bias", 0.0F);
    const Real above = x.with(Binary::kGreater, limit).choose(x - bias, x.constant(0.0));
    outUnary(context, x.with(Binary::kLess, -limit).choose(x + bias, above));
}

void importMish(Context& context) {
    const Real x = operandOf(context);
    outUnary(context, x * x.of(Unary::kSoftplus).of(Unary::kTanh));
}

void importGelu(Context& context) {
    const bool isApproximate = context.text("approximate", "none") == "tanh";
    outUnary(context, operandOf(context).of(isApproximate ? Unary::kGeluTanh : Unary::kGelu));
}

/// Limits are attributes up to version 6, then inputs.
void importClip(Context& context) {
    const Held held = context.held(0);
    const auto limit = [&](std::size_t i, const char* name, double otherwise) {
        return context.has(i) ? context.scalar(i, name)
                              : double{context.numberOf(name, static_cast<float>(otherwise))};
    };
    const bool isKnown = (!context.has(1) || context.held(1).value.isConstant()) &&
                         (!context.has(2) || context.held(2).value.isConstant());
    constexpr double kMost = std::numeric_limits<float>::max();
    if (isKnown && isRealType(held.type)) {
        const Target target = context.target();
        const double least = limit(1, "min", -kMost), most = limit(2, "max", kMost);
        if (least == -kMost && most == kMost) {
            context.outHeld(0, held);
            return;
        }
        context.outTo(target,
                      graph::clipTo(context.emitter(), held.value, least, most, target.form),
                      held.type, held.isChannelsLast);
        return;
    }
    Real x(context.emitter(), context.number(0));
    if (context.has(1)) {
        x = x.with(Binary::kMaximum, Real(context.emitter(), context.number(1)));
    }
    if (context.has(2)) {
        x = x.with(Binary::kMinimum, Real(context.emitter(), context.number(2)));
    }
    context.outNumber(0, x.value(), held.type);
}

constexpr Operator kActivation[] = {
        {"Celu", 12, Status::kComposed, "ELU, MUL, SELECT", importCelu},
        {"Clip", 1, Status::kComposed, "MAXIMUM, MINIMUM, or RELU6 and the like", importClip},
        {"Elu", 1, Status::kImported, "ELU", importElu},
        {"Gelu", 20, Status::kComposed, "a polynomial and EXP, or TANH", importGelu},
        {"HardSigmoid", 1, Status::kComposed, "MUL, ADD, MAXIMUM, MINIMUM", importHardSigmoid},
        {"HardSwish", 14, Status::kImported, "HARD_SWISH", importUnary<Unary::kHardSwish>},
        {"LeakyRelu", 1, Status::kImported, "PRELU", importLeakyRelu},
        {"Mish", 18, Status::kComposed, "EXP, LOG, TANH, MUL", importMish},
        {"Relu", 1, Status::kImported, "RELU", importUnary<Unary::kRelu>},
        {"Selu", 1, Status::kComposed, "ELU, MUL, SELECT", importSelu},
        {"Shrink", 9, Status::kComposed, "LESS, GREATER, SELECT", importShrink},
        {"Sigmoid", 1, Status::kImported, "LOGISTIC", importUnary<Unary::kLogistic>},
        {"Softplus", 1, Status::kComposed, "EXP, LOG", importUnary<Unary::kSoftplus>},
        {"Softsign", 1, Status::kComposed, "ABS, DIV", importUnary<Unary::kSoftsign>},
        {"Tanh", 1, Status::kImported, "TANH", importUnary<Unary::kTanh>},
        {"ThresholdedRelu", 10, Status::kComposed, "GREATER, SELECT", importThresholdedRelu},
};

}  // namespace

std::span<const Operator> activationOperators() {
    return kActivation;
}

}  // namespace vnpu::sim::onnx
