// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <initializer_list>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"

namespace vnpu::sim::onnx {

/// A value in formulas: float32, or int32 where both operands are. Operators broadcast.
class Real {
  public:
    Real(graph::Emitter& emitter, graph::Value value)
        : emitter_(&emitter), value_(std::move(value)) {}

    const graph::Value& value() const { return value_; }
    const graph::Form& form() const { return value_.form; }

    Real of(graph::Unary op) const {
        return {*emitter_, graph::unary(*emitter_, op, value_, value_.form)};
    }
    Real with(graph::Binary op, const Real& other) const {
        const graph::Form form = graph::isComparison(op) ? graph::kTruth : value_.form;
        return {*emitter_, graph::binary(*emitter_, op, value_, other.value_, form)};
    }
    Real with(graph::Binary op, double other) const { return with(op, constant(other)); }
    /// A truth as 1 or 0 in float32.
    Real asNumber() const { return {*emitter_, graph::cast(*emitter_, value_, graph::kReal)}; }
    /// `ifTrue` where this truth holds, else `ifFalse`.
    Real choose(const Real& ifTrue, const Real& ifFalse) const {
        return {*emitter_, graph::select(*emitter_, value_, ifTrue.value_, ifFalse.value_,
                                         ifTrue.value_.form)};
    }
    /// A number of the same form.
    Real constant(double number) const {
        return {*emitter_,
                graph::filled(value_.form.isTruth() ? graph::kReal : value_.form, {}, number)};
    }
    /// The polynomial with these coefficients, the highest power first.
    Real polynomial(std::initializer_list<double> coefficients) const {
        Real sum = constant(*coefficients.begin());
        for (const double* next = coefficients.begin() + 1; next != coefficients.end(); ++next) {
            sum = Real(*emitter_, graph::binary(*emitter_, graph::Binary::kMul, sum.value_, value_,
                                                value_.form));
            sum = sum.with(graph::Binary::kAdd, *next);
        }
        return sum;
    }

    friend Real operator+(const Real& a, const Real& b) { return a.with(graph::Binary::kAdd, b); }
    friend Real operator-(const Real& a, const Real& b) { return a.with(graph::Binary::kSub, b); }
    friend Real operator*(const Real& a, const Real& b) { return a.with(graph::Binary::kMul, b); }
    friend Real operator/(const Real& a, const Real& b) { return a.with(graph::Binary::kDiv, b); }
    friend Real operator+(const Real& a, double b) {
        return b == 0.0 ? a : a.with(graph::Binary::kAdd, b);
    }
    friend Real operator-(const Real& a, double b) {
        return b == 0.0 ? a : a.with(graph::Binary::kSub, b);
    }
    friend Real operator*(const Real& a, double b) {
        return b == 1.0 ? a : a.with(graph::Binary::kMul, b);
    }
    friend Real operator/(const Real& a, double b) {
        return b == 1.0 ? a : a.with(graph::Binary::kDiv, b);
    }
    friend Real operator+(double a, const Real& b) { return b + a; }
    friend Real operator-(double a, const Real& b) { return b.constant(a) - b; }
    friend Real operator/(double a, const Real& b) { return b.constant(a) / b; }

  private:
    graph::Emitter* emitter_;
    graph::Value value_;
};

}  // namespace vnpu::sim::onnx
