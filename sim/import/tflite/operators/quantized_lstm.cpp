// SPDX-License-Identifier: Apache-2.0
#include "sim/import/tflite/operators/quantized_lstm.h"

#include "sim/import/graph/joining.h"
#include "sim/import/graph/movement.h"

namespace vnpu::sim::tflite {

namespace {

// Further inputs of the file's operator; see quantized_lstm.h.
constexpr std::size_t kFirstPeephole = 9, kFirstBias = 12, kProjection = 16;
constexpr std::size_t kProjectionBias = 17, kCellInputs = 24;

float scaleOf(const TensorView& tensor) {
    if (tensor.scales.size() != 1) {
        throw Refusal(
                fmt::format("{} has {} scales, expected 1", tensor.place(), tensor.scales.size()));
    }
    return tensor.scales[0];
}

class QuantizedLstmImport {
  public:
    QuantizedLstmImport(Call& call, const schema::UnidirectionalSequenceLstmOptions& options,
                        std::uint32_t units, std::uint32_t output)
        : call_(call),
          emitter_(call.emitter()),
          options_(options),
          units_(units),
          output_(output),
          form_(call.form()) {}

    void run() {
        if (options_.fused_activation() != schema::FusedActivation::TANH) {
            throw Refusal("the activation of the quantized cell is not TANH");
        }
        const Value& input = call_.in(0);
        if (input.form.type != form_.type ||
            form_.type != nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
            throw Refusal("input and result of the quantized cell are not INT8");
        }
        const std::uint32_t batchAxis = options_.time_major() ? 1 : 0;
        const std::uint32_t timeAxis = 1 - batchAxis;
        batch_ = input.dims[batchAxis];
        readWeights();
        const Form cellForm = {nn::OperandType::TENSOR_QUANT16_SYMM,
                               scaleOf(call_.tensor(kCellState)), 0};
        const TensorView stateTensor = call_.tensor(kOutputState);
        const Form outputForm = {form_.type, scaleOf(stateTensor), stateTensor.zeroPoints[0]};
        Value output = call_.state(kOutputState, outputForm, {batch_, output_});
        Value cell = call_.state(kCellState, cellForm, {batch_, units_});
        std::vector<Value> steps;
        Dims stepDims = input.dims;
        stepDims[timeAxis] = 1;
        stepDims[2] = output_;
        for (std::uint32_t step = 0; step < input.dims[timeAxis]; ++step) {
            const Value part =
                    graph::reshape(emitter_, graph::sliceAxis(emitter_, input, timeAxis, step, 1),
                                   {batch_, input.dims[2]});
            const std::vector<Value> results =
                    emitter_.emit(nn::OperationType::QUANTIZED_LSTM, operandsOf(part, output, cell),
                                  std::vector<Emitter::Result>{{outputForm, {batch_, output_}},
                                                               {cellForm, {batch_, units_}},
                                                               {form_, {batch_, output_}}});
            output = results[0];
            cell = results[1];
            steps.push_back(graph::reshape(emitter_, results[2], stepDims));
        }
        call_.set(0, graph::concatenate(emitter_, steps, timeAxis, form_));
        call_.setState(kOutputState, output);
        call_.setState(kCellState, cell);
    }

  private:
    /// Input `i` in another type, its bytes as they are.
    Index weights(std::size_t i, nn::OperandType type) {
        const bool isBias = type == nn::OperandType::TENSOR_INT32;
        if (!call_.has(i)) {
            return emitter_.builder().addOmitted({.type = type, .scale = isBias ? 0.0F : 1.0F});
        }
        const TensorView tensor = call_.tensor(i);
        const std::uint64_t size = operandBytes(type, tensor.dimensions);
        if (!tensor.hasData || tensor.sparsity != nullptr || tensor.data.size() != size) {
            throw Refusal(fmt::format("{} is no constant of {} bytes", tensor.place(), size));
        }
        return emitter_.builder().addConstant({.type = type,
                                               .dimensions = tensor.dimensions,
                                               .scale = isBias ? 0.0F : scaleOf(tensor)},
                                              tensor.data);
    }

    void readWeights() {
        using enum nn::OperandType;
        for (std::size_t i = 1; i < kCellInputs; ++i) {
            const bool isState = i == kOutputState || i == kCellState;
            const bool isBias = (i >= kFirstBias && i < kProjection) || i == kProjectionBias;
            const bool isVector = (i >= kFirstPeephole && i < kFirstBias) || i >= kNormalization;
            weights_[i] = isState ? 0
                                  : weights(i, isBias     ? TENSOR_INT32
                                               : isVector ? TENSOR_QUANT16_SYMM
                                                          : TENSOR_QUANT8_SYMM);
        }
        const auto& intermediates = call_.op().intermediates;
        const bool isNormalized = call_.has(kNormalization + 1);
        for (std::size_t gate = 0; gate < 4; ++gate) {
            constexpr float kGateScale = 0x1.0p-12F;  // source: TFLite, gates are Q3.12
            const bool hasOwn = isNormalized && gate < intermediates.size() &&
                                intermediates[gate] >= 0 &&
                                !call_.tensorAt(intermediates[gate]).scales.empty();
            gateScales_[gate] = hasOwn ? scaleOf(call_.tensorAt(intermediates[gate])) : kGateScale;
        }
        if (intermediates.size() < 5 || intermediates[4] < 0) {
            throw Refusal("has no intermediate tensor that gives the scale of the hidden state");
        }
        const TensorView hidden = call_.tensorAt(intermediates[4]);
        hiddenScale_ = scaleOf(hidden);
        hiddenZero_ = hidden.zeroPoints[0];
    }

    std::vector<Index> operandsOf(const Value& input, const Value& output, const Value& cell) {
        std::vector<Index> operands(weights_, weights_ + kCellInputs);
        operands[0] = emitter_.operand(input);
        operands[kOutputState] = emitter_.operand(output);
        operands[kCellState] = emitter_.operand(cell);
        ModelBuilder& builder = emitter_.builder();
        operands.push_back(builder.addFloat32(options_.cell_clip()));
        operands.push_back(builder.addFloat32(options_.proj_clip()));
        for (const float scale : gateScales_) {
            operands.push_back(builder.addFloat32(scale));
        }
        operands.push_back(builder.addInt32(hiddenZero_));
        operands.push_back(builder.addFloat32(hiddenScale_));
        return operands;
    }

    Call& call_;
    Emitter& emitter_;
    const schema::UnidirectionalSequenceLstmOptions& options_;
    std::uint32_t units_ = 0, output_ = 0, batch_ = 0;
    Form form_;
    Index weights_[kCellInputs] = {};
    float gateScales_[4] = {};
    float hiddenScale_ = 1.0F;
    std::int32_t hiddenZero_ = 0;
};

}  // namespace

void importQuantizedLstm(Call& call, const schema::UnidirectionalSequenceLstmOptions& options,
                         std::uint32_t units, std::uint32_t output) {
    QuantizedLstmImport(call, options, units, output).run();
}

}  // namespace vnpu::sim::tflite
