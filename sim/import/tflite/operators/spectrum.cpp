// SPDX-License-Identifier: Apache-2.0
// The spectrum of a signal, and the parts of its complex numbers.
#include <cmath>
#include <numbers>

#include "sim/import/graph/conversion.h"
#include "sim/import/graph/elementwise.h"
#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"
#include "sim/import/graph/products.h"
#include "sim/import/tflite/call.h"
#include "sim/import/tflite/operators.h"

namespace vnpu::sim::tflite {

namespace {

/// A complex value has its real and imaginary part in an additional last dimension.
void importRfft2d(Call& call) {
    call.requireInputs(2, 2);
    Emitter& emitter = call.emitter();
    const std::vector<std::int64_t> length = call.ints(1, "the length");
    Value value = graph::toReal(emitter, call.in(0));
    constexpr std::int64_t kLongest = 4096;  // chosen: the matrix then has 64 MiB
    if (length.size() != 2 || length[0] != 1 || value.rank() < 2 ||
        value.dims[value.rank() - 2] < 1 || length[1] < 1 || length[1] > kLongest) {
        throw Refusal(fmt::format("has {} lengths for {}, expected 1 row of up to {} elements",
                                  length.size(), describeDimensions(value.dims), kLongest));
    }
    std::vector<std::int64_t> before(value.rank(), 0), after(value.rank(), 0);
    after[value.rank() - 2] = 1 - std::int64_t{value.dims[value.rank() - 2]};
    after.back() = length[1] - value.dims.back();
    value = graph::pad(emitter, value, before, after, 0.0);
    const auto size = static_cast<std::uint32_t>(length[1]), bins = size / 2 + 1;
    std::vector<float> waves(std::size_t{2} * bins * size);
    for (std::size_t bin = 0; bin < bins; ++bin) {
        for (std::size_t i = 0; i < size; ++i) {
            const double angle = -2.0 * std::numbers::pi * static_cast<double>(bin * i % size) /
                                 static_cast<double>(size);
            waves[2 * bin * size + i] = static_cast<float>(std::cos(angle));
            waves[(2 * bin + 1) * size + i] = static_cast<float>(std::sin(angle));
        }
    }
    const Value spectrum =
            graph::fullyConnected(emitter, value, graph::realConstant({2 * bins, size}, waves),
                                  std::nullopt, Clamp::kNone, graph::kReal);
    Dims dims = value.dims;
    dims.back() = bins;
    dims.push_back(2);
    call.setRaw(0, graph::reshape(emitter, spectrum, dims));
}

Value complexPart(Call& call, std::uint32_t part) {
    Value value = call.in(0);
    if (call.tensor(0).type != TensorType::COMPLEX64 || value.rank() == 0 ||
        value.dims.back() != 2) {
        throw Refusal("the operand is not the complex result of RFFT2D");
    }
    const auto last = static_cast<std::uint32_t>(value.rank() - 1);
    return graph::partAt(call.emitter(), value, last, part);
}

template <std::uint32_t kPart>
void importPart(Call& call) {
    call.requireInputs(1, 1);
    call.set(0, complexPart(call, kPart));
}

void importComplexAbs(Call& call) {
    call.requireInputs(1, 1);
    Emitter& emitter = call.emitter();
    const Value real = graph::unary(emitter, Unary::kSquare, complexPart(call, 0), graph::kReal);
    const Value imaginary =
            graph::unary(emitter, Unary::kSquare, complexPart(call, 1), graph::kReal);
    const Value sum = graph::binary(emitter, Binary::kAdd, real, imaginary, graph::kReal);
    call.set(0, graph::unary(emitter, Unary::kSqrt, sum, graph::kReal));
}

constexpr Row kSpectrumRows[] = {
        {131, "RFFT2D", kComposed, "FULLY_CONNECTED with the waves", importRfft2d},
        {133, "IMAG", kComposed, "SLICE", importPart<1>},
        {134, "REAL", kComposed, "SLICE", importPart<0>},
        {135, "COMPLEX_ABS", kComposed, "SLICE, MUL, ADD, SQRT", importComplexAbs},
};

}  // namespace

std::span<const Row> spectrumRows() {
    return kSpectrumRows;
}

}  // namespace vnpu::sim::tflite
