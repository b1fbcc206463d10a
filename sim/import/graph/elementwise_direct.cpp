// SPDX-License-Identifier: Apache-2.0
#include "sim/import/graph/elementwise_direct.h"

#include "sim/import/graph/joining.h"

namespace vnpu::sim::graph {

namespace {

using Type = nn::OperationType;

}  // namespace

using Type = nn::OperationType;

bool Direct::takes(const Form& form) const {
    return form.isReal()      ? takesReal
           : form.isInteger() ? takesInteger
           : form.isTruth()   ? takesTruth
                              : takesQuantized;
}

std::optional<Direct> directUnary(Unary op) {
    switch (op) {
        case Unary::kAbs:
            return Direct{.type = Type::ABS, .takesInteger = true};
        case Unary::kNeg:
            return Direct{.type = Type::NEG, .takesInteger = true};
        case Unary::kExp:
            return Direct{.type = Type::EXP};
        case Unary::kLog:
            return Direct{.type = Type::LOG};
        case Unary::kSin:
            return Direct{.type = Type::SIN};
        case Unary::kSqrt:
            return Direct{.type = Type::SQRT};
        case Unary::kRsqrt:
            return Direct{.type = Type::RSQRT};
        case Unary::kFloor:
            return Direct{.type = Type::FLOOR};
        case Unary::kLogistic:
            return Direct{.type = Type::LOGISTIC, .takesQuantized = true};
        case Unary::kTanh:
            return Direct{.type = Type::TANH, .takesQuantized = true};
        case Unary::kRelu:
            return Direct{.type = Type::RELU, .takesQuantized = true};
        case Unary::kRelu1:
            return Direct{.type = Type::RELU1, .takesQuantized = true};
        case Unary::kRelu6:
            return Direct{.type = Type::RELU6, .takesQuantized = true};
        case Unary::kHardSwish:
            return Direct{.type = Type::HARD_SWISH, .takesQuantized = true};
        case Unary::kNot:
            return Direct{.type = Type::LOGICAL_NOT, .takesReal = false, .takesTruth = true};
        default:
            return std::nullopt;
    }
}

std::optional<Direct> directBinary(Binary op) {
    const auto activated = [](Type type) {
        return Direct{.type = type, .takesInteger = true, .takesQuantized = true};
    };
    const auto compared = [](Type type) {
        return Direct{
                .type = type, .takesInteger = true, .takesTruth = true, .takesQuantized = true};
    };
    switch (op) {
        case Binary::kAdd:
            return activated(Type::ADD);
        case Binary::kSub:
            return activated(Type::SUB);
        case Binary::kMul:
            return activated(Type::MUL);
        case Binary::kDiv:
            return Direct{.type = Type::DIV};
        case Binary::kMaximum:
            return activated(Type::MAXIMUM);
        case Binary::kMinimum:
            return activated(Type::MINIMUM);
        case Binary::kPow:
            return Direct{.type = Type::POW};
        case Binary::kAnd:
            return Direct{.type = Type::LOGICAL_AND, .takesReal = false, .takesTruth = true};
        case Binary::kOr:
            return Direct{.type = Type::LOGICAL_OR, .takesReal = false, .takesTruth = true};
        case Binary::kEqual:
            return compared(Type::EQUAL);
        case Binary::kNotEqual:
            return compared(Type::NOT_EQUAL);
        case Binary::kLess:
            return compared(Type::LESS);
        case Binary::kLessEqual:
            return compared(Type::LESS_EQUAL);
        case Binary::kGreater:
            return compared(Type::GREATER);
        case Binary::kGreaterEqual:
            return compared(Type::GREATER_EQUAL);
        default:
            return std::nullopt;
    }
}

bool hasFuse(Binary op) {
    return op == Binary::kAdd || op == Binary::kSub || op == Binary::kMul || op == Binary::kDiv;
}

std::int32_t fuseCode(Clamp clamp) {
    switch (clamp) {
        case Clamp::kNone:
            return static_cast<int>(nn10::FusedActivationFunc::NONE);
        case Clamp::kRelu:
            return static_cast<int>(nn10::FusedActivationFunc::RELU);
        case Clamp::kRelu1:
            return static_cast<int>(nn10::FusedActivationFunc::RELU1);
        case Clamp::kRelu6:
            return static_cast<int>(nn10::FusedActivationFunc::RELU6);
        case Clamp::kTanh:
            break;
    }
    throw Refusal("NNAPI cannot fuse TANH");
}

Broadcast collapse(const Value& a, const Value& b, const Dims& dims) {
    if (dims.size() <= kMaxRank) {
        return {Emitter::modelDims(a.dims), Emitter::modelDims(b.dims), dims};
    }
    Broadcast seen;
    int last = -1;
    const auto extent = [&](const Value& value, std::size_t i) {
        const std::size_t missing = dims.size() - value.rank();
        return i < missing ? 1U : value.dims[i - missing];
    };
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const std::uint32_t fromA = extent(a, i), fromB = extent(b, i);
        const int kind = dims[i] == 1 ? last : (fromA != 1 ? 1 : 0) + (fromB != 1 ? 2 : 0);
        if (kind == last && last != -1) {
            seen.a.back() *= fromA;
            seen.b.back() *= fromB;
            seen.result.back() *= dims[i];
        } else if (dims[i] != 1) {
            seen.a.push_back(fromA);
            seen.b.push_back(fromB);
            seen.result.push_back(dims[i]);
        }
        last = kind;
    }
    if (seen.result.empty()) {
        return {{1}, {1}, {1}};
    }
    return seen;
}

Value emitBinary(Emitter& emitter, const Direct& direct, Binary op, const Value& a, const Value& b,
                 const Form& form, Clamp fused) {
    const Dims dims = broadcastDims(a.dims, b.dims);
    const Broadcast seen = collapse(a, b, dims);
    if (seen.result.size() > kMaxRank) {
        return emitBinary(emitter, direct, op, broadcastTo(emitter, a, dims),
                          broadcastTo(emitter, b, dims), form, fused);
    }
    std::vector<Index> inputs = {emitter.operandAs(a, seen.a), emitter.operandAs(b, seen.b)};
    if (hasFuse(op)) {
        inputs.push_back(emitter.builder().addInt32(fuseCode(fused)));
    }
    Value result = emitter.emit(direct.type, inputs, form, seen.result);
    result.dims = dims;
    return result;
}

}  // namespace vnpu::sim::graph
