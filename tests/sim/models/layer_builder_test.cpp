// SPDX-License-Identifier: Apache-2.0
#include "sim/models/layer_builder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "vnpu/hal/shared_memory.h"

namespace {

using namespace vnpu::sim;

constexpr auto kWithRelu = LayerBuilder::Activation::RELU;
constexpr auto kWithRelu6 = LayerBuilder::Activation::RELU6;
constexpr auto kNone = LayerBuilder::Activation::NONE;

/// Weights of the first operation as int8, from the model's pool.
std::vector<std::int8_t> firstWeights(const Network& network) {
    const nn::Subgraph& graph = network.model.main;
    const nn::Operand& filter = graph.operands[graph.operations[0].inputs[1]];
    const auto pool = vnpu::hal::MappedPool::create(network.model.pools[0]);
    REQUIRE(pool.has_value());
    std::vector<std::int8_t> weights(filter.location.length);
    std::memcpy(weights.data(), pool->data() + filter.location.offset, weights.size());
    return weights;
}

}  // namespace

TEST_SUITE_BEGIN("sim/models/layer_builder");

TEST_CASE("output extents follow the padding") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {7, 10, 2});
    using Padding = WindowSpec::Padding;
    const auto dimensions = [&](const WindowSpec& window) {
        return net.maxPool("p", x, window).dimensions;
    };
    CHECK(dimensions({3, 3, 2, Padding::kSame}) == std::vector<std::uint32_t>{1, 4, 5, 2});
    CHECK(dimensions({3, 3, 2, Padding::kValid}) == std::vector<std::uint32_t>{1, 3, 4, 2});
    CHECK(dimensions({3, 3, 2, Padding::kExplicit, 1}) == std::vector<std::uint32_t>{1, 4, 5, 2});
    CHECK(dimensions({2, 5, 1, Padding::kValid}) == std::vector<std::uint32_t>{1, 6, 6, 2});
}

TEST_CASE("explicit padding gives the long form, the others the short one") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {8, 8, 3});
    const Layer a = net.conv("a", x, 4, {3, 3}, kWithRelu);
    const Layer b = net.conv("b", a, 4, {3, 3, 2, WindowSpec::Padding::kExplicit, 1}, kWithRelu);
    const Network network = net.build(net.depthwise("c", b, {3, 3}, kWithRelu));
    CHECK(network.model.main.operations[0].inputs.size() == 7);
    CHECK(network.model.main.operations[1].inputs.size() == 10);
    CHECK(network.model.main.operations[2].inputs.size() == 8);
}

TEST_CASE("groups of a convolution share its channels") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {8, 8, 6});
    const Layer a = net.groupedConv("a", x, 4, 2, {3, 3}, kWithRelu);
    const Network network = net.build(a);
    const auto& operation = network.model.main.operations[0];
    CHECK(operation.type == vnpu::sim::nn::OperationType::GROUPED_CONV_2D);
    CHECK(operation.inputs.size() == 9);
    const auto& filter = network.model.main.operands[operation.inputs[1]].dimensions;
    CHECK(std::vector<std::uint32_t>(filter) == std::vector<std::uint32_t>{4, 3, 3, 3});
    CHECK(a.dimensions == std::vector<std::uint32_t>{1, 8, 8, 4});
}

TEST_CASE("folded pixels become channels") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {8, 6, 3});
    CHECK(net.foldPixels("a", x, 2).dimensions == std::vector<std::uint32_t>{1, 4, 3, 12});
}

TEST_CASE("int8 weights are distributed over the range, with mean zero") {
    LayerBuilder net("net", Numeric::kInt8, {});
    const Layer x = net.input("in", {8, 8, 64});
    const auto weights = firstWeights(net.build(net.conv("c", x, 64, {3, 3}, kWithRelu)));
    double sum = 0.0, squares = 0.0;
    for (const std::int8_t weight : weights) {
        CHECK(weight >= -127);
        sum += weight;
        squares += weight * weight;
    }
    const auto count = static_cast<double>(weights.size());
    CHECK(std::abs(sum / count) < 2.0);
    // Uniform over 255 steps: variance (255^2 - 1) / 12.
    CHECK(squares / count == doctest::Approx(5418.7).epsilon(0.02));
}

TEST_CASE("rectified outputs use the whole range for nonnegative values") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {8, 8, 3});
    const Layer a = net.conv("a", x, 4, {3, 3}, kWithRelu6);
    const Layer b = net.conv("b", a, 4, {3, 3}, kNone);
    const Network network = net.build(b);
    const auto& graph = network.model.main;
    const nn::Operand& rectified = graph.operands[graph.operations[0].outputs[0]];
    CHECK(rectified.zeroPoint == -128);
    CHECK(rectified.scale == doctest::Approx(6.0 / 255.0));
    CHECK(network.outputs[0].zeroPoint == 0);
}

TEST_CASE("zero weights have the same operands without values") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {8, 8, 64});
    for (const std::int8_t weight :
         firstWeights(net.build(net.conv("c", x, 64, {3, 3}, kWithRelu)))) {
        REQUIRE(weight == 0);
    }
}

TEST_CASE("concatenation adds up channels and keeps the scale") {
    LayerBuilder net("net", Numeric::kInt8, {.zeroWeights = true});
    const Layer x = net.input("in", {8, 8, 3});
    const Layer a = net.conv("a", x, 4, {1, 1}, kWithRelu);
    const Layer b = net.conv("b", x, 6, {3, 3}, kWithRelu);
    const Layer joined = net.concatenate("joined", {a, b});
    CHECK(joined.dimensions == std::vector<std::uint32_t>{1, 8, 8, 10});
    const Network network = net.build(joined);
    const auto& graph = network.model.main;
    CHECK(network.outputs[0].scale == graph.operands[graph.operations[0].outputs[0]].scale);
}

TEST_SUITE_END();
