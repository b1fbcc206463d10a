// SPDX-License-Identifier: Apache-2.0
// Every layer of published models, given the recorded input of that layer, must give the recorded
// output byte for byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "hw_model/kernels/kernels.h"
#include "tests/hw_model/kernels/golden_model.h"
#include "tests/support/quantization.h"

namespace vnpu::test {
namespace {

using nlohmann::json;

// One operator as a command, in a separate memory.
class LayerRun {
  public:
    using Computed = std::map<std::size_t, std::vector<std::byte>>;

    /// Uses the recorded inputs, or those of `computed` if nothing is recorded.
    LayerRun(const GoldenModel& model, const json& op, const Computed& computed)
        : model_(model),
          op_(op),
          options_(op.value("options", json::object())),
          computed_(computed) {}

    /// False for an operator without a command.
    bool run() {
        const auto name = op_.at("op").get<std::string>();
        if (name == "CONV_2D" || name == "DEPTHWISE_CONV_2D" || name == "FULLY_CONNECTED") {
            convolve(name);
        } else if (name == "AVERAGE_POOL_2D") {
            pool();
        } else if (name == "ADD") {
            add();
        } else if (name == "SOFTMAX") {
            softmax();
        } else if (name == "RESHAPE") {
            outputSram_ = placeInput(0);
        } else {
            return false;
        }
        return true;
    }

    std::size_t outputIndex() const { return op_.at("outputs").at(0).get<std::size_t>(); }
    std::vector<std::byte> result() const {
        const auto first = memory_.begin() + static_cast<std::ptrdiff_t>(outputSram_);
        return {first, first + static_cast<std::ptrdiff_t>(outputBytes())};
    }
    std::size_t countWrong() const {
        const std::vector<std::byte> expected = model_.values(outputIndex());
        const std::vector<std::byte> actual = result();
        REQUIRE(actual.size() == expected.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            wrong += expected[i] != actual[i] ? 1 : 0;
        }
        return wrong;
    }

  private:
    std::size_t inputIndex(std::size_t i) const {
        return op_.at("inputs").at(i).get<std::size_t>();
    }
    std::size_t outputBytes() const {
        std::size_t bytes = 1;
        for (const std::uint32_t dim : output().shape) {
            bytes *= dim;
        }
        return bytes;
    }
    const GoldenTensor& input(std::size_t i) const { return model_.tensor(inputIndex(i)); }
    const GoldenTensor& output() const { return model_.tensor(outputIndex()); }
    static hw::ElementType typeOf(const GoldenTensor& t) {
        return t.type == "INT8" ? hw::ElementType::kInt8 : hw::ElementType::kUint8;
    }

    std::uint32_t place(const std::vector<std::byte>& bytes) {
        const std::size_t offset = (memory_.size() + 3) / 4 * 4;
        memory_.resize(offset + bytes.size());
        std::copy(bytes.begin(), bytes.end(),
                  memory_.begin() + static_cast<std::ptrdiff_t>(offset));
        return static_cast<std::uint32_t>(offset);
    }
    std::uint32_t placeInput(std::size_t i) {
        const std::size_t index = inputIndex(i);
        return place(model_.hasValues(index) ? model_.values(index) : computed_.at(index));
    }
    std::uint32_t placeOutput() {
        outputSram_ = place(std::vector<std::byte>(outputBytes()));
        return outputSram_;
    }

    void setClamp(std::int32_t& low, std::int32_t& high) const {
        const std::int32_t least = typeOf(output()) == hw::ElementType::kInt8 ? -128 : 0;
        const auto level = [&](float value) {
            return output().zeroPoint() +
                   static_cast<std::int32_t>(std::round(value / output().scale()));
        };
        const auto activation = options_.value("fusedActivationFunction", std::string("NONE"));
        low = least;
        high = least + 255;
        if (activation == "RELU" || activation == "RELU6") {
            low = std::max(low, level(0.0F));
        }
        if (activation == "RELU6") {
            high = std::min(high, level(6.0F));
        }
        REQUIRE((activation == "NONE" || activation == "RELU" || activation == "RELU6"));
    }

    std::int32_t padBefore(std::uint32_t in, std::uint32_t out, int stride, int taps,
                           int dilation) const {
        if (options_.value("padding", std::string("VALID")) != "SAME") {
            return 0;
        }
        const int covered = (static_cast<int>(out) - 1) * stride + (taps - 1) * dilation + 1;
        return std::max(covered - static_cast<int>(in), 0) / 2;
    }

    void setScales(hw::MacConv& w) {
        const std::size_t channels = w.outputChannels;
        const std::vector<float>& scales = input(1).scales;
        std::vector<std::byte> table(channels * 8);
        for (std::size_t c = 0; c < channels; ++c) {
            const double factor = static_cast<double>(input(0).scale()) *
                                  static_cast<double>(scales.size() == 1 ? scales[0] : scales[c]) /
                                  static_cast<double>(output().scale());
            const QuantizedMultiplier q = quantizeMultiplier(factor);
            std::memcpy(&table[8 * c], &q.multiplier, 4);
            std::memcpy(&table[8 * c + 4], &q.shift, 4);
            w.outputStage.multiplier = q.multiplier;
            w.outputStage.shift = q.shift;
        }
        w.outputStage.scaleSram = place(table);
        w.outputStage.flags = hw::kOutputHasBias | (scales.size() == 1 ? 0 : hw::kOutputPerChannel);
    }

    void setShape(hw::MacConv& w, const std::string& name) {
        const auto& filter = input(1).shape;
        const bool isConnected = name == "FULLY_CONNECTED";
        const bool isDepthwise = name == "DEPTHWISE_CONV_2D";
        const std::vector<std::uint32_t> in =
                isConnected ? std::vector<std::uint32_t>{1, 1, 1, filter[1]} : input(0).shape;
        const std::vector<std::uint32_t> out =
                isConnected ? std::vector<std::uint32_t>{1, 1, 1, filter[0]} : output().shape;
        w.inputHeight = in[1];
        w.inputWidth = in[2];
        w.inputChannels = w.inputPixelBytes = in[3];
        w.inputRowBytes = in[2] * in[3];
        w.outputHeight = out[1];
        w.outputWidth = out[2];
        w.outputChannels = w.outputPixelBytes = out[3];
        w.outputRowBytes = out[2] * out[3];
        w.filterHeight = static_cast<std::uint16_t>(isConnected ? 1 : filter[1]);
        w.filterWidth = static_cast<std::uint16_t>(isConnected ? 1 : filter[2]);
        w.strideHeight = static_cast<std::uint16_t>(options_.value("strideH", 1));
        w.strideWidth = static_cast<std::uint16_t>(options_.value("strideW", 1));
        w.dilationHeight = static_cast<std::uint16_t>(options_.value("dilationHFactor", 1));
        w.dilationWidth = static_cast<std::uint16_t>(options_.value("dilationWFactor", 1));
        w.padTop = padBefore(w.inputHeight, w.outputHeight, w.strideHeight, w.filterHeight,
                             w.dilationHeight);
        w.padLeft = padBefore(w.inputWidth, w.outputWidth, w.strideWidth, w.filterWidth,
                              w.dilationWidth);
        w.depthMultiplier = isDepthwise ? w.outputChannels / w.inputChannels : 1;
        w.flags = hw::kMacDrain | (isDepthwise ? hw::kMacDepthwise : 0);
    }

    void convolve(const std::string& name) {
        hw::MacConv w{};
        w.inputType = typeOf(input(0));
        w.filterType = typeOf(input(1));
        w.outputType = typeOf(output());
        w.inputZeroPoint = input(0).zeroPoint();
        w.filterZeroPoint = input(1).zeroPoint();
        w.outputStage.zeroPoint = output().zeroPoint();
        setShape(w, name);
        setScales(w);
        setClamp(w.outputStage.clampMin, w.outputStage.clampMax);
        w.inputSram = placeInput(0);
        w.filterSram = placeInput(1);
        w.outputStage.biasSram = placeInput(2);
        w.outputSram = placeOutput();
        std::vector<std::byte> accumulators(std::size_t{w.outputHeight} * w.outputWidth *
                                            w.outputChannels * 4);
        hw::kernels::macConv(w, memory_.data(), accumulators.data());
    }

    void pool() {
        hw::VecPool w{};
        w.type = typeOf(input(0));
        w.kind = hw::PoolKind::kAverage;
        w.inputHeight = input(0).shape[1];
        w.inputWidth = input(0).shape[2];
        w.channels = input(0).shape[3];
        w.outputHeight = output().shape[1];
        w.outputWidth = output().shape[2];
        w.windowHeight = options_.at("filterHeight").get<std::uint16_t>();
        w.windowWidth = options_.at("filterWidth").get<std::uint16_t>();
        w.strideHeight = options_.at("strideH").get<std::uint16_t>();
        w.strideWidth = options_.at("strideW").get<std::uint16_t>();
        w.padTop = padBefore(w.inputHeight, w.outputHeight, w.strideHeight, w.windowHeight, 1);
        w.padLeft = padBefore(w.inputWidth, w.outputWidth, w.strideWidth, w.windowWidth, 1);
        setClamp(w.clampMin, w.clampMax);
        w.inputSram = placeInput(0);
        w.outputSram = placeOutput();
        hw::kernels::vecPool(w, memory_.data());
    }

    void add() {
        hw::VecEltwise w{};
        w.type = typeOf(output());
        w.kind = hw::EltwiseKind::kAdd;
        w.leftShift = 20;  // source: TFLite, 8-bit addition
        const double twice =
                2.0 * static_cast<double>(std::max(input(0).scale(), input(1).scale()));
        for (std::size_t i = 0; i < 2; ++i) {
            const QuantizedMultiplier q =
                    quantizeMultiplier(static_cast<double>(input(i).scale()) / twice);
            w.inputMultiplier[i] = q.multiplier;
            w.inputShift[i] = q.shift;
            w.inputZeroPoint[i] = input(i).zeroPoint();
            w.inputSram[i] = placeInput(i);
            w.strides[i][3] = 1;
        }
        const QuantizedMultiplier q = quantizeMultiplier(
                twice / (std::ldexp(1.0, w.leftShift) * static_cast<double>(output().scale())));
        w.outputStage.multiplier = q.multiplier;
        w.outputStage.shift = q.shift;
        w.outputStage.zeroPoint = output().zeroPoint();
        setClamp(w.outputStage.clampMin, w.outputStage.clampMax);
        w.dims[0] = w.dims[1] = w.dims[2] = 1;
        w.dims[3] = static_cast<std::uint32_t>(outputBytes());
        w.outputSram = placeOutput();
        hw::kernels::vecEltwise(w, memory_.data());
    }

    void softmax() {
        constexpr int kDifferenceBits = 5;  // source: TFLite, integer bits of a scaled difference
        hw::VecSoftmax w{};
        w.type = typeOf(output());
        w.outer = 1;
        w.axis = output().shape.back();
        w.inner = 1;
        const double factor = std::min(static_cast<double>(options_.at("beta").get<float>()) *
                                               static_cast<double>(input(0).scale()) *
                                               std::ldexp(1.0, 31 - kDifferenceBits),
                                       2147483647.0);
        const QuantizedMultiplier q = quantizeMultiplier(factor);
        w.inputMultiplier = q.multiplier;
        w.inputLeftShift = q.shift;
        w.diffMin = -static_cast<std::int32_t>(
                std::floor(31.0 * std::ldexp(1.0, 31 - kDifferenceBits - q.shift)));
        w.inputSram = placeInput(0);
        w.outputSram = placeOutput();
        hw::kernels::vecSoftmax(w, memory_.data());
    }

    const GoldenModel& model_;
    const json& op_;
    json options_;
    const Computed& computed_;
    std::vector<std::byte> memory_;
    std::uint32_t outputSram_ = 0;
};

// Runs all operators and compares those outputs that are recorded, `expectedLayers` in all.
void checkModel(const std::string& name, std::size_t expectedLayers) {
    const std::filesystem::path models = GoldenModel::findModels();
    if (models.empty()) {
        MESSAGE("skipped: no models beside the sources and VNPU_SHARED not set");
        return;
    }
    const GoldenModel model(models / name);
    LayerRun::Computed computed;
    std::size_t compared = 0;
    for (const json& op : model.operators()) {
        LayerRun layer(model, op, computed);
        CAPTURE(op.dump());
        REQUIRE(layer.run());
        if (model.hasValues(layer.outputIndex())) {
            ++compared;
            CHECK(layer.countWrong() == 0);
        }
        computed[layer.outputIndex()] = layer.result();
    }
    CHECK(compared == expectedLayers);
}

}  // namespace

TEST_SUITE_BEGIN("hw_model/kernels/golden_layers");

TEST_CASE("every layer of the int8 keyword spotter has the recorded bytes [E-2]") {
    checkModel("kws_dscnn_int8", 13);
}

TEST_CASE("every layer of the int8 person detector has the recorded bytes [E-2]") {
    checkModel("person_detect_int8", 31);
}

TEST_CASE("every layer of the int8 residual network has the recorded bytes [E-2]") {
    checkModel("resnet8_cifar10_int8", 16);
}

TEST_CASE("every layer of the int8 wake word network has the recorded bytes [E-2]") {
    checkModel("streaming_wakeword_int8", 11);
}

TEST_CASE("every layer of a uint8 MobileNetV1 has the recorded bytes [E-2]") {
    checkModel("mobilenet_v1_0.25_128_uint8", 31);
}

TEST_CASE("every layer of the uint8 classifier head has the recorded bytes [E-2]") {
    checkModel("mobilenet_v1_1.0_224_head_uint8", 3);
}

TEST_CASE("66 consecutive layers of the uint8 MobileNetV2 end in the recorded bytes [E-2]") {
    checkModel("mobilenet_v2_1.0_224_uint8", 4);
}

TEST_SUITE_END();

}  // namespace vnpu::test
