// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/node_order.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

using Nodes = std::vector<std::size_t>;
constexpr std::array<std::size_t, 2> kOuter = {0, 2};

/// Copies from the first tensor of a pair to the second, among tensors 0 to 9.
Graph copies(std::initializer_list<std::pair<TensorId, TensorId>> pairs) {
    Graph graph;
    for (int t = 0; t < 10; ++t) {
        addTensor(graph, StorageKind::kScratch, {1, 4, 4, 2});
    }
    for (const auto& [input, output] : pairs) {
        CopyNode copy;
        copy.input = input;
        copy.output = output;
        graph.nodes.push_back({static_cast<std::uint32_t>(graph.nodes.size()), copy});
    }
    return graph;
}

/// The order in which nodes 0 and 2 of three are adjacent.
std::optional<Nodes> gathered(const Graph& graph) {
    const GraphEdges edges(graph);
    NodeOrder order(graph, edges);
    if (!order.placeOf(kOuter)) {
        return std::nullopt;
    }
    order.gather(kOuter);
    return order.nodes();
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/node_order");

TEST_CASE("a group comes together at its first node, else at its last [E-2]") {
    CHECK(gathered(copies({{0, 1}, {3, 4}, {1, 2}})) == Nodes{0, 2, 1});
    // The last node reads the result of the middle one.
    CHECK(gathered(copies({{0, 1}, {3, 4}, {4, 2}})) == Nodes{1, 0, 2});
    // ... which reads the result of the first one.
    CHECK(gathered(copies({{0, 1}, {1, 4}, {4, 2}})) == std::nullopt);
}

TEST_CASE("a writer stays behind earlier readers and writers [E-2]") {
    // The last node overwrites the input of the middle one, which overwrites the input of the first
    // one.
    CHECK(gathered(copies({{0, 1}, {3, 4}, {1, 3}})) == Nodes{1, 0, 2});
    CHECK(gathered(copies({{0, 1}, {3, 0}, {1, 3}})) == std::nullopt);
    // The middle and the last node write the same tensor, possibly the same bytes of it.
    CHECK(gathered(copies({{0, 1}, {3, 2}, {1, 2}})) == Nodes{1, 0, 2});
}

TEST_CASE("tensors of one storage count as one [E-2]") {
    Graph graph = copies({{0, 1}, {3, 4}, {5, 2}});
    graph.tensors[5].storage = graph.tensors[4].storage;
    CHECK(gathered(graph) == Nodes{1, 0, 2});
}

TEST_CASE("groups stay in order when they move [E-2]") {
    const Graph graph = copies({{0, 1}, {2, 3}, {1, 4}, {3, 5}});
    const GraphEdges edges(graph);
    NodeOrder order(graph, edges);
    order.gather(kOuter);
    CHECK(order.nodes() == Nodes{0, 2, 1, 3});
    constexpr std::array<std::size_t, 2> kOthers = {1, 3};
    CHECK(order.placeOf(kOthers) == std::size_t{2});
}

TEST_CASE("a storage lives from its first user to its last [E-2]") {
    Graph graph = copies({{0, 1}, {2, 3}, {1, 2}, {4, 5}});
    graph.tensors[5].storage = graph.tensors[0].storage;
    const std::vector<StorageLife> lives = livesOf(graph);
    REQUIRE(lives.size() == 10);
    const auto isLife = [&](StorageId storage, std::size_t first, std::size_t end) {
        return lives[storage].first == first && lives[storage].end == end;
    };
    CHECK(isLife(0, 0, 4));
    CHECK(isLife(1, 0, 3));
    CHECK(isLife(2, 1, 3));
    CHECK(isLife(3, 1, 2));
    CHECK(lives[5].end == 0);
    CHECK(lives[9].end == 0);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
