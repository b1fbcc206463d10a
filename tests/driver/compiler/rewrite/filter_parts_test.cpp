// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/filter_parts.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "tests/driver/compiler/dense_layers.h"
#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

/// Two products of two rows by one filter of 20 x 6, whose copy in SRAM is loaded before them.
struct TwoProducts {
    TwoProducts() {
        const TensorId filter = addTensor(graph, StorageKind::kPool, {20, 6});
        graph.tensors[filter].byteOffset = 1000;
        const TensorId copy = addTensor(graph, StorageKind::kSramCopy, {20, 6});
        graph.storages[graph.tensors[copy].storage].original = filter;
        graph.nodes.push_back({7, copyOf(filter, copy, 120)});
        for (std::uint32_t product = 0; product < 2; ++product) {
            ConvNode conv;
            conv.input = addTensor(graph, StorageKind::kInput, {2, 6});
            conv.output = addTensor(graph, StorageKind::kOutput, {2, 20});
            conv.filter = copy;
            conv.bias = addTensor(graph, StorageKind::kConstants, {20});
            graph.tensors[conv.bias].byteOffset = 64;
            conv.scaleTable = graph.tensors[conv.bias].storage;
            conv.geometry.batches = 2;
            conv.geometry.inputChannels = 6;
            conv.geometry.outputChannels = 20;
            graph.nodes.push_back({8 + product, conv});
        }
    }

    ConvNode& conv(std::size_t node) { return std::get<ConvNode>(graph.nodes[node].work); }

    Graph graph;
};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/filter_parts");

TEST_CASE("each part of a shared filter has a copy, and a node in place of each product [E-2]") {
    TwoProducts net;
    const auto divided = divideSharedFilters(net.graph, 3, 4);
    REQUIRE(divided);
    const Graph& graph = *divided;
    // A third of 20 channels in multiples of 4: 8, 8 and 4.
    REQUIRE(graph.nodes.size() == 9);
    for (std::uint32_t part = 0; part < 3; ++part) {
        CAPTURE(part);
        const std::uint32_t channels = part == 2 ? 4 : 8;
        CHECK(graph.nodes[part].operation == 7);
        const auto& copy = std::get<CopyNode>(graph.nodes[part].work);
        CHECK(copy.axes.front().extent == channels * 6);
        CHECK(graph.tensors[copy.input].byteOffset == 1000 + part * 8 * 6);
        CHECK(graph.originalOf(copy.output) == copy.input);
        CHECK(graph.storageOf(copy.output).sizeBytes == channels * 6);
        for (std::uint32_t product = 0; product < 2; ++product) {
            CAPTURE(product);
            const Node& node = graph.nodes[3 + 3 * product + part];
            CHECK(node.operation == 8 + product);
            const auto& conv = std::get<ConvNode>(node.work);
            const ConvNode& whole = net.conv(1 + product);
            CHECK(conv.input == whole.input);
            CHECK(conv.filter == copy.output);
            CHECK(conv.geometry.outputChannels == channels);
            CHECK(conv.outputPixelStride == 20);
            CHECK(conv.firstScale == part * 8);
            CHECK(graph.tensors[conv.bias].byteOffset == 64 + part * 8);  // elements of a byte here
            CHECK(graph.tensors[conv.output].byteOffset == part * 8);
            CHECK(graph.tensors[conv.output].shape == Shape{2, channels});
            CHECK(graph.tensors[conv.output].storage == graph.tensors[whole.output].storage);
        }
    }
}

TEST_CASE("a filter stays whole if a product cannot have a part of the channels [E-2]") {
    CHECK_FALSE(divideSharedFilters(TwoProducts().graph, 2, 20));  // of which there are too few
    const auto isDivided = [](void (*change)(TwoProducts&)) {
        TwoProducts net;
        change(net);
        return divideSharedFilters(net.graph, 2, 1).has_value();
    };
    CHECK(isDivided([](TwoProducts&) {}));
    CHECK_FALSE(isDivided([](TwoProducts& net) { net.conv(2).depthMultiplier = 1; }));
    CHECK_FALSE(isDivided([](TwoProducts& net) { net.conv(1).groups = 2; }));
    CHECK_FALSE(isDivided([](TwoProducts& net) { net.conv(1).outputPixelStride = 40; }));
    CHECK_FALSE(isDivided([](TwoProducts& net) { net.conv(2).outputRowStride = 40; }));
    CHECK_FALSE(isDivided([](TwoProducts& net) { net.conv(1).outputImageStride = 80; }));
    // A filter of its own has no copy.
    CHECK_FALSE(isDivided([](TwoProducts& net) {
        net.conv(1).filter = net.conv(2).filter = addTensor(net.graph, StorageKind::kPool, {20, 6});
    }));
}

TEST_CASE("a filter that does not fit the SRAM stays there in part [Q-5]") {
    constexpr std::uint64_t kFilterBytes = DenseLayers::kFilterBytes;
    const Recurrence net(73, 5);
    // A half of it, beside buffers for the rest; some vectors and biases in addition.
    const std::uint64_t least = kFilterBytes / 2 + 5 * (kFilterBytes / 2);
    CHECK(net.bytesWith(kFilterBytes * 7 / 8) >= least);
    CHECK(net.bytesWith(kFilterBytes * 7 / 8) < least + kFilterBytes / 2);
    CheckOptions options;
    for (const std::uint64_t eighths : {5, 6, 7}) {
        options.devices.push_back(tinyDevice(kFilterBytes * eighths / 8, 4096));
    }
    CHECK(checkModel(net.builder, {net.input}, {net.expected}, options) == "");
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
