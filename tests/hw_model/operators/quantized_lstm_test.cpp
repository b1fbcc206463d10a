// SPDX-License-Identifier: Apache-2.0
// Quantized LSTM cells compared with the real functions: the references round only where the
// definitions quantize.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "tests/hw_model/operators/recurrent_reference.h"

namespace {

using namespace vnpu;
using namespace vnpu::test;
using hw::Dimensions;
using hw::JobStatus;
using hw::Operator;
using hw::TensorType;

constexpr double kGateUnit = 1.0 / 4096;  // gates have 16 bits, 3 of them integer bits

double sigmoid(double x) {
    return activated(6, x);
}

double clamped(double x, double low, double high) {
    return std::min(std::max(x, low), high);
}

double rounded16(double x) {
    return clamped(std::round(x), -32768, 32767);
}

constexpr float kDataScale = 1.0F / 128;
constexpr float kWeightScale = 1.0F / 256;
constexpr float kPeepholeScale = 1.0F / 65536;
constexpr float kNormScale = 1.0F / 32768;
constexpr float kSumScale = 1.0F / 4096;  // also of the gates, as it must be without normalization

// A number of units, converted to units of the gates' sums with the rounding of fixed-point
// arithmetic: twice, first to half, quarter, ... units.
double rescaled(double number, double unit) {
    int exponent = 0;
    const auto multiplier = static_cast<std::int64_t>(std::llround(
            std::ldexp(std::frexp(unit / static_cast<double>(kSumScale), &exponent), 31)));
    REQUIRE(exponent <= 0);
    const std::int64_t product = std::llround(number / unit) * multiplier;
    const auto high = static_cast<double>((product + (std::int64_t{1} << 30)) >> 31);
    return std::round(std::ldexp(high, exponent));
}

struct QuantizedVariant {
    std::uint32_t batch, input, units, output;
    bool hasInputGate, hasPeepholes, hasNormalization, hasProjection, hasProjectionBias;
    int cellShift;
    float cellClip, projectionClip;
    std::int32_t inputZero, outputZero, hiddenZero;

    static QuantizedVariant random(Random& random) {
        QuantizedVariant v{};
        v.batch = random.pick<std::uint32_t>(0, 3);
        v.input = random.pick<std::uint32_t>(1, 9);
        v.hasNormalization = random.oneIn(2);
        v.units =
                v.hasNormalization ? 1U << random.between(1, 4) : random.pick<std::uint32_t>(1, 17);
        v.hasInputGate = random.oneIn(2);
        v.hasPeepholes = random.oneIn(2);
        v.hasProjection = random.oneIn(2);
        v.hasProjectionBias = v.hasProjection && random.oneIn(2);
        v.output = v.hasProjection ? random.pick<std::uint32_t>(1, 7) : v.units;
        v.cellShift = static_cast<int>(random.between(-15, -9));
        v.cellClip = random.oneIn(2) ? 0.4F : 0.0F;
        v.projectionClip = random.oneIn(2) ? 0.3F : 0.0F;
        v.inputZero = random.pick<std::int32_t>(-20, 20);
        v.hiddenZero = random.pick<std::int32_t>(-20, 20);
        // Without projection the hidden state is the output.
        v.outputZero = v.hasProjection ? random.pick<std::int32_t>(-20, 20) : v.hiddenZero;
        return v;
    }
    double cellUnit() const { return std::ldexp(1.0, cellShift); }
};

class Cell {
  public:
    Cell(Random& random, const QuantizedVariant& v) : v_(v) {
        const OperandKind weights{TensorType::kQuant8Symm, kWeightScale};
        const auto make = [&](bool isThere, const OperandKind& kind, const Dimensions& dimensions,
                              double most) {
            return isThere ? randomReals(random, kind, dimensions, -most, most)
                           : omittedTensor(kind);
        };
        const OperandKind bias{TensorType::kInt32,
                               v.hasNormalization ? kNormScale / 1024 : kDataScale * kWeightScale};
        for (std::size_t g = 0; g < 4; ++g) {
            const bool isThere = g != kInput || v.hasInputGate;
            input_[g] = make(isThere, weights, {v.units, v.input}, 0.5);
            recurrent_[g] = make(isThere, weights, {v.units, v.output}, 0.5);
            bias_[g] = make(isThere, bias, {v.units}, 0.5);
            peephole_[g] = make(isThere && v.hasPeepholes && g != kCell,
                                {TensorType::kQuant16Symm, kPeepholeScale}, {v.units}, 0.5);
            normalization_[g] = make(isThere && v.hasNormalization,
                                     {TensorType::kQuant16Symm, kNormScale}, {v.units}, 0.9);
        }
        projection_ = make(v.hasProjection, weights, {v.output, v.units}, 0.5);
        projectionBias_ = make(v.hasProjectionBias, {TensorType::kInt32, kWeightScale * kDataScale},
                               {v.output}, 0.5);
        output_ = make(true, outputKind(), {v.batch, v.output}, 0.8);
        cell_ = make(true, cellKind(), {v.batch, v.units}, 0.9);
        data_ = make(true, {TensorType::kQuant8AsymmSigned, kDataScale, v.inputZero},
                     {v.batch, v.input}, 0.8);
    }

    OperandKind outputKind() const {
        return {TensorType::kQuant8AsymmSigned, kDataScale, v_.outputZero};
    }
    OperandKind cellKind() const {
        return {TensorType::kQuant16Symm, static_cast<float>(v_.cellUnit())};
    }

    void addTo(OperatorCase& call) const {
        data_.addTo(call);
        for (const Gates* gates : {&input_, &recurrent_}) {
            add(call, *gates);
        }
        for (const std::size_t g : {kInput, kForget, kOutput}) {
            peephole_[g].addTo(call);
        }
        add(call, bias_);
        for (const RealTensor* tensor : {&projection_, &projectionBias_, &output_, &cell_}) {
            tensor->addTo(call);
        }
        add(call, normalization_);
        call.real(v_.cellClip).real(v_.projectionClip);
        for (int g = 0; g < 4; ++g) {
            call.real(kSumScale);
        }
        call.int32(v_.hiddenZero).real(kDataScale);
        call.output(outputKind()).output(cellKind()).output(outputKind());
    }

    // The new cell state in its units and the output as stored, for one sequence.
    void step(std::size_t b, Vector& cell, Vector& output) const {
        const Vector last = slice(cell_, b, v_.units);
        const Vector forget = gate(kForget, b, last), modulation = gate(kCell, b, last);
        const Vector in = v_.hasInputGate ? gate(kInput, b, last) : Vector();
        Vector state;
        for (std::size_t u = 0; u < v_.units; ++u) {
            const double f = sigmoid(forget[u]);
            const double i = v_.hasInputGate ? sigmoid(in[u]) : 1 - f;
            double c = rounded16((f * last[u] + i * std::tanh(modulation[u])) / v_.cellUnit());
            if (v_.cellClip > 0) {
                const double most = std::min(
                        std::floor(static_cast<double>(v_.cellClip) / v_.cellUnit()), 32767.0);
                c = clamped(c, -most, most);
            }
            cell.push_back(c);
            state.push_back(c * v_.cellUnit());
        }
        const Vector open = gate(kOutput, b, state);
        Vector hidden;
        for (std::size_t u = 0; u < v_.units; ++u) {
            const double h = sigmoid(open[u]) * std::tanh(state[u]);
            hidden.push_back(clamped(std::round(h * 128) + v_.hiddenZero, -128, 127));
        }
        project(hidden, output);
    }

  private:
    static void add(OperatorCase& call, const Gates& gates) {
        for (const RealTensor& tensor : gates) {
            tensor.addTo(call);
        }
    }

    Vector gate(std::size_t g, std::size_t b, const Vector& cell) const {
        Vector values(v_.units);
        for (std::size_t u = 0; u < v_.units; ++u) {
            const double product = static_cast<double>(kDataScale * kWeightScale);
            const double bias = v_.hasNormalization ? 0 : bias_[g][u];
            const double fromInput = rowProduct(input_[g], u, slice(data_, b, v_.input)) + bias;
            const double fromState = rowProduct(recurrent_[g], u, slice(output_, b, v_.output));
            // Each part is rounded to the gate's 16 bits.
            values[u] = rounded16(rounded16(rescaled(fromInput, product)) +
                                  rescaled(fromState, product));
            if (peephole_[g].isThere) {
                values[u] = rounded16(
                        values[u] + rescaled(peephole_[g][u] * cell[u],
                                             static_cast<double>(kPeepholeScale) * v_.cellUnit()));
            }
        }
        if (v_.hasNormalization) {
            normalize(g, values);
        }
        for (double& value : values) {
            value *= kGateUnit;
        }
        return values;
    }

    void normalize(std::size_t g, Vector& values) const {
        const auto count = static_cast<double>(values.size());
        double mean = 0, variance = 0;
        for (const double value : values) {
            mean += value / count;
        }
        for (const double value : values) {
            variance += (value - mean) * (value - mean) / count;
        }
        for (std::size_t u = 0; u < values.size(); ++u) {
            // The variance is a whole number there.
            const double normal =
                    (values[u] - mean) / std::sqrt(std::max(std::floor(variance + 1e-6), 1.0));
            values[u] = rounded16((normal * normalization_[g][u] + bias_[g][u]) / kGateUnit);
        }
    }

    void project(const Vector& hidden, Vector& output) const {
        for (std::size_t o = 0; o < v_.output; ++o) {
            if (!v_.hasProjection) {
                output.push_back(hidden[o]);
                continue;
            }
            double sum = v_.hasProjectionBias ? projectionBias_[o] : 0;
            for (std::size_t u = 0; u < v_.units; ++u) {
                sum += projection_[o * v_.units + u] * (hidden[u] - v_.hiddenZero) / 128;
            }
            double q = std::round(sum * 128);
            if (v_.projectionClip > 0) {
                const double most = std::floor(static_cast<double>(v_.projectionClip) * 128);
                q = clamped(q, -most, most);
            }
            output.push_back(clamped(q + v_.outputZero, -128, 127));
        }
    }

    QuantizedVariant v_;
    Gates input_, recurrent_, bias_, peephole_, normalization_;
    RealTensor projection_, projectionBias_, output_, cell_, data_;
};

}  // namespace

TEST_SUITE_BEGIN("hw_model/operators");

TEST_CASE("QUANTIZED_LSTM follows the real functions in all its variants [E-8]") {
    Random random(41);
    for (int i = 0; i < 400; ++i) {
        CAPTURE(i);
        const QuantizedVariant v = QuantizedVariant::random(random);
        const Cell cell(random, v);
        OperatorCase call(Operator::kQuantizedLstm);
        cell.addTo(call);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        CHECK(call.dimensions(0) == Dimensions{v.batch, v.output});
        CHECK(call.dimensions(1) == Dimensions{v.batch, v.units});
        CHECK(call.dimensions(2) == Dimensions{v.batch, v.output});
        Vector states, outputs;
        for (std::size_t b = 0; b < v.batch; ++b) {
            cell.step(b, states, outputs);
        }
        CAPTURE(v.hasNormalization);
        CAPTURE(v.hasProjection);
        CAPTURE(v.cellShift);
        // 2^-10 covers the accumulated steps of the fixed-point functions.
        CHECK(difference(call.numbers(1), states, 1 + std::ldexp(1.0, -10) / v.cellUnit()) == "");
        CHECK(difference(call.numbers(2), outputs, v.hasProjection ? 3 : 1) == "");
        CHECK(call.numbers(0) == call.numbers(2));
    }
}

TEST_CASE("QUANTIZED_LSTM refuses scales that its arithmetic does not support [E-8]") {
    Random random(42);
    QuantizedVariant v = QuantizedVariant::random(random);
    for (const int shift : {-16, -8}) {
        v.cellShift = shift;
        OperatorCase call(Operator::kQuantizedLstm);
        Cell(random, v).addTo(call);
        CHECK(call.run() == JobStatus::kBadOperand);
        CHECK(call.reason().find("expected a power of two, 2^-15 to 2^-9") != std::string::npos);
    }
    v.cellShift = -11;
    v.hiddenZero = 128;
    OperatorCase call(Operator::kQuantizedLstm);
    Cell(random, v).addTo(call);
    CHECK(call.run() == JobStatus::kBadOperand);
    CHECK(call.reason() == "zero point of the hidden state is 128, expected -128 to 127");
}

namespace {

// The operands of QUANTIZED_16BIT_LSTM.
struct Lstm16 {
    std::uint32_t batch, input, units;
    RealTensor data, output, cell;
    Gates inputWeights, recurrentWeights, bias;

    static constexpr std::int32_t kWeightZero = 100;
    static OperandKind dataKind() { return {TensorType::kQuant8Asymm, 1.0F / 128, 128}; }
    static OperandKind cellKind() { return {TensorType::kQuant16Symm, 1.0F / 2048, 0}; }
    static OperandKind weightKind() { return {TensorType::kQuant8Asymm, 1.0F / 256, kWeightZero}; }
    static OperandKind biasKind() { return {TensorType::kInt32, 1.0F / 32768, 0}; }

    Lstm16(Random& random, std::uint32_t b, std::uint32_t i, std::uint32_t u, double weight = 0.5)
        : batch(b), input(i), units(u) {
        data = randomReals(random, dataKind(), {b, i});
        output = randomReals(random, dataKind(), {b, u});
        cell = randomReals(random, cellKind(), {b, u}, -3, 3);
        for (std::size_t g = 0; g < 4; ++g) {
            inputWeights[g] = randomReals(random, weightKind(), {u, i}, -weight, weight);
            recurrentWeights[g] = randomReals(random, weightKind(), {u, u}, -weight, weight);
            bias[g] = randomReals(random, biasKind(), {u}, -weight, weight);
        }
    }

    void addTo(OperatorCase& call) const {
        data.addTo(call);
        for (const Gates* gates : {&inputWeights, &recurrentWeights, &bias}) {
            for (const RealTensor& tensor : *gates) {
                tensor.addTo(call);
            }
        }
        cell.addTo(call);
        output.addTo(call);
        call.output(cellKind()).output(dataKind());
    }

    // The reference's weights are [recurrent, input], its vector is [input, output].
    double gate(std::size_t g, std::size_t b, std::size_t u) const {
        Vector vector = slice(data, b, input), weights = slice(recurrentWeights[g], u, units);
        const Vector more = slice(output, b, units), others = slice(inputWeights[g], u, input);
        vector.insert(vector.end(), more.begin(), more.end());
        weights.insert(weights.end(), others.begin(), others.end());
        double sum = bias[g][u];
        for (std::size_t k = 0; k < vector.size(); ++k) {
            sum += vector[k] * weights[k];
        }
        return rounded16(sum / kGateUnit) * kGateUnit;
    }
};

}  // namespace

TEST_CASE("QUANTIZED_16BIT_LSTM follows the real functions [E-8]") {
    Random random(43);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const Lstm16 lstm(random, random.pick<std::uint32_t>(0, 3),
                          random.pick<std::uint32_t>(1, 9), random.pick<std::uint32_t>(1, 12));
        OperatorCase call(Operator::kQuantized16BitLstm);
        lstm.addTo(call);
        REQUIRE_MESSAGE(call.run() == JobStatus::kOk, call.reason());
        CHECK(call.dimensions(0) == Dimensions{lstm.batch, lstm.units});
        Vector states, outputs;
        for (std::size_t at = 0; at < std::size_t{lstm.batch} * lstm.units; ++at) {
            const std::size_t b = at / lstm.units, u = at % lstm.units;
            const double c = sigmoid(lstm.gate(kForget, b, u)) * lstm.cell[at] +
                             sigmoid(lstm.gate(kInput, b, u)) * std::tanh(lstm.gate(kCell, b, u));
            states.push_back(rounded16(c * 2048));
            const double h = sigmoid(lstm.gate(kOutput, b, u)) * std::tanh(c);
            outputs.push_back(clamped(std::round(h * 128) + 128, 0, 255));
        }
        CHECK(difference(call.numbers(0), states, 4) == "");
        CHECK(difference(call.numbers(1), outputs, 1) == "");
    }
}

TEST_CASE("QUANTIZED_16BIT_LSTM halves a state without input exactly [E-8]") {
    // All gates are 0: the forget gate is 1/2, the modulation 0, and halves round up.
    Random random(44);
    Lstm16 lstm(random, 1, 2, 4, 0.0);
    lstm.cell = storedTensor(Lstm16::cellKind(), {1, 4}, {1000, -3, 32767, -32768});
    OperatorCase call(Operator::kQuantized16BitLstm);
    lstm.addTo(call);
    REQUIRE(call.run() == JobStatus::kOk);
    CHECK(call.numbers(0) == Vector{500, -1, 16384, -16384});
    // 1/2 * tanh(8 - ...) of the large ones, in 128ths about 128.
    CHECK(call.numbers(1)[2] == 192);
    CHECK(call.numbers(1)[3] == 64);
}

TEST_CASE("QUANTIZED_16BIT_LSTM refuses incompatible operands [E-8]") {
    Random random(45);
    Lstm16 lstm(random, 2, 3, 4);
    lstm.recurrentWeights[kCell] = tensorOf(Lstm16::weightKind(), {4, 3}, Vector(12));
    OperatorCase call(Operator::kQuantized16BitLstm);
    lstm.addTo(call);
    CHECK(call.run() == JobStatus::kBadOperand);
    CHECK(call.reason() == "input 7 has dimensions [4, 3], expected [4, 4]");
}

TEST_SUITE_END();
