// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/shared_filters.h"

#include <doctest/doctest.h>

#include "tests/driver/compiler/dense_layers.h"
#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

constexpr std::uint64_t kFilterBytes = DenseLayers::kFilterBytes;

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/shared_filters");

TEST_CASE("a filter that several layers share is copied once, before the first of them [E-2]") {
    Graph graph;
    const TensorId shared = addTensor(graph, StorageKind::kPool, {8, 1, 1, 4});
    const TensorId own = addTensor(graph, StorageKind::kPool, {8, 1, 1, 4});
    for (const TensorId filter : {own, shared, shared}) {
        ConvNode conv;
        conv.input = addTensor(graph, StorageKind::kInput, {1, 4, 4, 4});
        conv.output = addTensor(graph, StorageKind::kOutput, {1, 4, 4, 8});
        conv.filter = filter;
        graph.nodes.push_back({static_cast<std::uint32_t>(graph.nodes.size()), conv});
    }
    copySharedFilters(graph);
    REQUIRE(graph.nodes.size() == 4);
    CHECK(std::get<ConvNode>(graph.nodes[0].work).filter == own);
    CHECK(graph.nodes[1].operation == 1);
    const auto& copy = std::get<CopyNode>(graph.nodes[1].work);
    CHECK(copy.input == shared);
    CHECK(graph.originalOf(copy.output) == shared);
    CHECK(std::get<ConvNode>(graph.nodes[2].work).filter == copy.output);
    CHECK(std::get<ConvNode>(graph.nodes[3].work).filter == copy.output);
}

TEST_CASE("layers that share a filter compute the same with and without its copy [E-2]") {
    const Recurrence net(71, 3);
    CHECK(checkModel(net.builder, {net.input}, {net.expected}) == "");
    // The copy does not fit, fits barely, and fits well.
    CheckOptions options;
    for (const std::uint64_t kib : {8, 17, 20, 64}) {
        options.devices.push_back(tinyDevice(kib * 1024, 4096));
    }
    CHECK(checkModel(net.builder, {net.input}, {net.expected}, options) == "");
}

TEST_CASE("a filter that fits the SRAM is loaded once for all of its layers [Q-5]") {
    const Recurrence net(71, 3);
    // Beside the filter, some vectors and biases.
    CHECK(net.bytesWith(65536) >= kFilterBytes);
    CHECK(net.bytesWith(65536) < kFilterBytes + kFilterBytes / 4);
    CHECK(net.bytesWith(kFilterBytes / 2) >= 3 * kFilterBytes);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
