// SPDX-License-Identifier: Apache-2.0
#include "sim/models/zoo.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/import/source.h"
#include "sim/models/operand_types.h"

namespace {

using namespace vnpu::sim;

struct Known {
    const char* name;
    std::uint64_t macs;
    std::size_t operations;
    std::vector<std::uint32_t> input;
    std::vector<std::uint32_t> output;
};

// Multiply-accumulates of convolutions and dense layers. Where a published file of the same network
// exists, its count is that of the file's graph (MLPerf Tiny, MobileNet v1 and v2); AlexNet and
// VGG-16 are worked out layer by layer from the papers:
//   AlexNet  55^2*64*363 + 27^2*192*1600 + 13^2*(384*1728 + 256*3456 + 256*2304) + 9216*4096 +
//   4096^2 + 4096*1000 VGG-16   15,346,630,656 in the convolutions + 25088*4096 + 4096^2 +
//   4096*1000
// ResNet-50 v1.5: 4,087,136,256 in the convolutions + 2048*1000.
const std::vector<Known> kKnown = {
        {"alexnet", 714'188'480, 13, {1, 224, 224, 3}, {1, 1000}},
        {"autoencoder", 264'192, 10, {1, 640}, {1, 640}},
        {"ds_cnn", 2'656'768, 13, {1, 49, 10, 1}, {1, 12}},
        {"mobilenet_v1", 568'741'376, 31, {1, 224, 224, 3}, {1, 1001}},
        {"mobilenet_v1_025_96", 7'489'664, 31, {1, 96, 96, 3}, {1, 2}},
        {"mobilenet_v1_05_160", 76'525'312, 31, {1, 160, 160, 3}, {1, 1001}},
        {"mobilenet_v2", 300'775'552, 66, {1, 224, 224, 3}, {1, 1001}},
        {"resnet50", 4'089'184'256, 74, {1, 224, 224, 3}, {1, 1000}},
        {"resnet8", 12'501'632, 16, {1, 32, 32, 3}, {1, 10}},
        {"vgg16", 15'470'264'320, 23, {1, 224, 224, 3}, {1, 1000}},
};

Network build(const std::string& name, std::uint64_t seed = 1) {
    return loadNetwork("zoo:" + name, {.seed = seed, .zeroWeights = false});
}

std::uint64_t inceptionMacs(std::uint64_t pixels, std::uint64_t in, const std::uint64_t (&c)[6]) {
    return pixels *
           (in * c[0] + in * c[1] + c[1] * c[2] * 9 + in * c[3] + c[3] * c[4] * 25 + in * c[5]);
}

/// Table 1 of the GoogLeNet paper, calculated row by row.
std::uint64_t googlenetMacs() {
    std::uint64_t macs = 112ULL * 112 * 64 * 147 + 56ULL * 56 * 64 * 64 + 56ULL * 56 * 192 * 576;
    macs += inceptionMacs(28 * 28, 192, {64, 96, 128, 16, 32, 32});
    macs += inceptionMacs(28 * 28, 256, {128, 128, 192, 32, 96, 64});
    macs += inceptionMacs(14 * 14, 480, {192, 96, 208, 16, 48, 64});
    macs += inceptionMacs(14 * 14, 512, {160, 112, 224, 24, 64, 64});
    macs += inceptionMacs(14 * 14, 512, {128, 128, 256, 24, 64, 64});
    macs += inceptionMacs(14 * 14, 512, {112, 144, 288, 32, 64, 64});
    macs += inceptionMacs(14 * 14, 528, {256, 160, 320, 32, 128, 128});
    macs += inceptionMacs(7 * 7, 832, {256, 160, 320, 32, 128, 128});
    macs += inceptionMacs(7 * 7, 832, {384, 192, 384, 48, 128, 128});
    return macs + 1024 * 1000;
}

std::vector<std::uint8_t> smallConstants(const Network& network) {
    return network.model.operandValues;
}

}  // namespace

TEST_SUITE_BEGIN("sim/models/zoo");

TEST_CASE("every network has the known number of multiply-accumulates, operations and shapes") {
    for (const Known& known : kKnown) {
        CAPTURE(known.name);
        const Network network =
                loadNetwork(std::string("zoo:") + known.name, {.zeroWeights = true});
        CHECK(network.macs == known.macs);
        CHECK(network.model.main.operations.size() == known.operations);
        REQUIRE(network.inputs.size() == 1);
        CHECK(network.inputs[0].dimensions == known.input);
        REQUIRE(network.outputs.size() == 1);
        CHECK(network.outputs[0].dimensions == known.output);
        CHECK(network.outputs[0].type == nn::OperandType::TENSOR_QUANT8_ASYMM_SIGNED);
    }
}

TEST_CASE("GoogLeNet has the multiply-accumulates of its paper's table") {
    CHECK(loadNetwork("zoo:googlenet", {.zeroWeights = true}).macs == googlenetMacs());
}

TEST_CASE("networks over a sequence have the work of a cell in every step") {
    // A step of an LSTM layer multiplies input and state, 512 values, with four gates of 512.
    const auto lstm = [](std::uint64_t features) { return (features + 512) * 4 * 512; };
    CHECK(loadNetwork("zoo:sentiment:20", {.zeroWeights = true}).macs == 20 * lstm(128) + 512 * 2);
    CHECK(loadNetwork("zoo:speech:10", {.zeroWeights = true}).macs ==
          10 * (lstm(240) + 2 * lstm(512) + 512 * 29));
    CHECK(loadNetwork("zoo:translation:4", {.zeroWeights = true}).macs ==
          4 * (4 * lstm(512) + 512 * 8000));
    const Network network = loadNetwork("zoo:speech:10", {.zeroWeights = true, .batch = 2});
    CHECK(network.name == "speech:10");
    CHECK(network.inputs[0].dimensions == std::vector<std::uint32_t>{10, 2, 240});
    CHECK(network.outputs[0].dimensions == std::vector<std::uint32_t>{20, 29});
    CHECK(loadNetwork("zoo:speech", {.zeroWeights = true}).inputs[0].dimensions[0] == 30);
}

TEST_CASE("step counts that are out of range or not applicable are refused") {
    for (const char* name : {"zoo:speech:0", "zoo:speech:101", "zoo:speech:", "zoo:speech:1x",
                             "zoo:speech:-1", "zoo:resnet8:3"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(loadNetwork(name, {.zeroWeights = true}), InputError);
    }
}

TEST_CASE("a batch multiplies the work and the first dimension") {
    for (const char* name : {"resnet8", "ds_cnn", "autoencoder"}) {
        CAPTURE(name);
        const std::string source = std::string("zoo:") + name;
        const Network one = loadNetwork(source, {.zeroWeights = true});
        const Network four = loadNetwork(source, {.zeroWeights = true, .batch = 4});
        CHECK(four.macs == 4 * one.macs);
        CHECK(four.inputs[0].dimensions[0] == 4);
        CHECK(four.outputs[0].dimensions[0] == 4);
        CHECK(four.outputs[0].sizeBytes == 4 * one.outputs[0].sizeBytes);
    }
}

TEST_CASE("networks are listed in alphabetical order, including float variants") {
    const std::vector<std::string> names = zooNames();
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(std::find(names.begin(), names.end(), "resnet8-float") != names.end());
    CHECK(std::find(names.begin(), names.end(), "vgg16-float") == names.end());
    CHECK(zoo::entries().size() == 15);
}

TEST_CASE("float variants have no quantized operand and the same work") {
    const Network network = build("resnet8-float");
    CHECK(network.macs == 12'501'632);
    for (const nn::Operand& operand : network.model.main.operands) {
        CHECK_FALSE(isQuant8(operand.type));
    }
}

TEST_CASE("the same seed gives the same weights, another seed gives others [E-4]") {
    CHECK(smallConstants(build("autoencoder")) == smallConstants(build("autoencoder")));
    CHECK(smallConstants(build("autoencoder")) != smallConstants(build("autoencoder", 2)));
}

TEST_CASE("biases of convolutions per tensor have the product of the scales") {
    const Network network = build("autoencoder");
    const nn::Subgraph& graph = network.model.main;
    for (const nn::Operation& operation : graph.operations) {
        const float expected = graph.operands[operation.inputs[0]].scale *
                               graph.operands[operation.inputs[1]].scale;
        CHECK(graph.operands[operation.inputs[2]].scale == expected);
    }
}

TEST_SUITE_END();
