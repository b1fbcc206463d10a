// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/channel_parts.h"

#include <doctest/doctest.h>

#include "tests/driver/compiler/rewrite/convolution_and_pool.h"

namespace vnpu::driver::test {
namespace {

/// The convolution and its pool with biases, scales, a second pool of the first one's result, and
/// results that are some channels of a larger tensor.
struct TwoPools {
    TwoPools() {
        conv().bias = addTensor(graph, StorageKind::kConstants, {8});
        conv().scaleTable = 0;
        conv().firstScale = 16;
        graph.storages[graph.tensors[pool(1).output].storage].kind = StorageKind::kScratch;
        PoolNode second = pool(1);
        second.input = pool(1).output;
        second.output = addTensor(graph, StorageKind::kOutput, {1, 4, 3, 8});
        second.outputPixelStride = 20;
        graph.tensors[second.output].byteOffset = 12;
        graph.nodes.push_back({2, second});
    }

    ConvNode& conv() { return std::get<ConvNode>(graph.nodes[0].work); }
    PoolNode& pool(std::size_t node) { return std::get<PoolNode>(graph.nodes[node].work); }

    Graph graph = convolutionAndPool();
};

constexpr std::size_t kAll[] = {0, 1, 2};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/channel_parts");

TEST_CASE("each part of the channels has its filters, biases, scales and pools [E-2]") {
    TwoPools net;
    CHECK(divisibleChannels(net.graph, kAll) == 8);
    const TensorId last = net.pool(2).output;
    const auto parts = divideChannels(net.graph, kAll, 3);
    // 3, 3 and 2 channels.
    REQUIRE(parts.size() == 3);
    for (std::uint32_t p = 0; p < 3; ++p) {
        CAPTURE(p);
        const std::uint32_t first = 3 * p;
        const std::uint32_t count = p == 2 ? 2 : 3;
        REQUIRE(parts[p].size() == 3);
        const auto& conv = std::get<ConvNode>(parts[p][0].work);
        const auto& above = std::get<PoolNode>(parts[p][1].work);
        const auto& below = std::get<PoolNode>(parts[p][2].work);
        const auto tensor = [&](TensorId id) { return net.graph.tensors[id]; };
        CHECK(conv.input == net.conv().input);
        CHECK(conv.geometry.outputChannels == count);
        CHECK(conv.firstScale == 16 + first);
        CHECK(tensor(conv.filter).byteOffset == first * 3 * 3 * 4);
        CHECK(tensor(conv.filter).shape == Shape{count, 3, 3, 4});
        CHECK(tensor(conv.bias).byteOffset == first);  // elements of a byte here
        // What lies between two nodes is a tensor of its own.
        CHECK(tensor(conv.output).shape == Shape{1, 8, 6, count});
        CHECK(tensor(conv.output).storage != tensor(net.conv().output).storage);
        CHECK(conv.outputPixelStride == 0);
        CHECK(above.input == conv.output);
        CHECK(below.input == above.output);
        CHECK(above.geometry.inputChannels == count);
        CHECK(above.geometry.outputChannels == count);
        // The rest lies in place, at the pitch that it had.
        CHECK(tensor(below.output).storage == tensor(last).storage);
        CHECK(tensor(below.output).byteOffset == 12 + first);
        CHECK(below.outputPixelStride == 20);
    }
}

TEST_CASE("channels are divided of a convolution with pools alone [E-2]") {
    CHECK(divisibleChannels(convolutionAndPool(), kBoth) == 8);
    const auto channelsWith = [](void (*change)(TwoPools&)) {
        TwoPools net;
        change(net);
        return divisibleChannels(net.graph, kAll);
    };
    CHECK(channelsWith([](TwoPools& net) { net.conv().groups = 2; }) == 0);
    CHECK(channelsWith([](TwoPools& net) { net.conv().depthMultiplier = 1; }) == 0);
    CHECK(channelsWith([](TwoPools& net) { net.conv().outputRowStride = 64; }) == 0);
    // A pool of another tensor, and a second convolution.
    CHECK(channelsWith([](TwoPools& net) { net.pool(2).input = net.conv().input; }) == 0);
    CHECK(channelsWith([](TwoPools& net) { net.graph.nodes[2].work = net.conv(); }) == 0);
    CHECK(channelsWith([](TwoPools& net) { net.graph.nodes[0].work = net.pool(1); }) == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
