// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/filter_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/driver/compiler/dense_layers.h"
#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

void addConv(Graph& graph, TensorId input, TensorId filter, TensorId output) {
    ConvNode conv;
    conv.input = input;
    conv.filter = filter;
    conv.output = output;
    graph.nodes.push_back({static_cast<std::uint32_t>(graph.nodes.size()), conv});
}

void addCopy(Graph& graph, TensorId input, TensorId output, bool isPart) {
    CopyNode copy = copyOf(input, output, 8);
    copy.isPart = isPart;
    graph.nodes.push_back({static_cast<std::uint32_t>(graph.nodes.size()), copy});
}

/// The nodes of the ordered graph by their numbers in the graph; empty if the order stays.
std::vector<std::uint32_t> ordered(const Graph& graph) {
    std::vector<std::uint32_t> numbers;
    if (const auto other = orderByFilters(graph)) {
        for (const Node& node : other->nodes) {
            numbers.push_back(node.operation);
        }
    }
    return numbers;
}

/// A state that passes a dense layer at each of four steps, and the sum over the steps of a second
/// dense layer of that state, listed step by step.
struct TwoLayers {
    TwoLayers() {
        constexpr int kSteps = 4;
        DenseLayers layers(builder, 72, 2);
        input = layers.randomVector();
        std::uint32_t state = builder.input(DenseLayers::vector());
        std::uint32_t sum = state;
        Values stateValues = centered(input, kFloat, 0);
        Values sumValues = stateValues;
        for (int step = 0; step < kSteps; ++step) {
            const std::uint32_t nextState = builder.temporary(DenseLayers::vector());
            const std::uint32_t second = builder.temporary(DenseLayers::vector());
            const std::uint32_t nextSum = step + 1 == kSteps
                                                  ? builder.output(DenseLayers::vector())
                                                  : builder.temporary(DenseLayers::vector());
            layers.add(0, state, nextState);
            layers.add(1, nextState, second);
            builder.operation(OperationType::ADD, {sum, second, builder.int32(0)}, nextSum);
            state = nextState;
            sum = nextSum;
            stateValues = layers.resultOf(0, stateValues);
            const Values secondValues = layers.resultOf(1, stateValues);
            std::transform(sumValues.begin(), sumValues.end(), secondValues.begin(),
                           sumValues.begin(), std::plus<>());
        }
        expected = store(sumValues, {kFloat}, 1.0);
    }

    ModelBuilder builder;
    Bytes input, expected;
};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/filter_order");

TEST_CASE("layers that are listed step by step run one layer after the other [Q-5]") {
    Graph graph;
    const TensorId first = addTensor(graph, StorageKind::kSramCopy, {8, 1, 1, 8});
    const TensorId second = addTensor(graph, StorageKind::kSramCopy, {8, 1, 1, 8});
    TensorId state = addTensor(graph, StorageKind::kInput, {1, 1, 1, 8});
    for (int step = 0; step < 3; ++step) {
        const TensorId next = addTensor(graph, StorageKind::kScratch, {1, 1, 1, 8});
        addConv(graph, state, first, next);
        addConv(graph, next, second, addTensor(graph, StorageKind::kOutput, {1, 1, 1, 8}));
        state = next;
    }
    CHECK(ordered(graph) == std::vector<std::uint32_t>{0, 2, 4, 1, 3, 5});
    // Each step of the first layer needs the second layer's result.
    Graph circle;
    const TensorId a = addTensor(circle, StorageKind::kSramCopy, {8, 1, 1, 8});
    const TensorId b = addTensor(circle, StorageKind::kSramCopy, {8, 1, 1, 8});
    state = addTensor(circle, StorageKind::kInput, {1, 1, 1, 8});
    for (int step = 0; step < 6; ++step) {
        const TensorId next = addTensor(circle, StorageKind::kScratch, {1, 1, 1, 8});
        addConv(circle, state, step % 2 == 0 ? a : b, next);
        state = next;
    }
    CHECK(ordered(circle).empty());
}

TEST_CASE("only parts of a concatenation change places with each other [E-2]") {
    const auto orderOf = [](bool isPart) {
        Graph graph;
        const TensorId first = addTensor(graph, StorageKind::kSramCopy, {8, 1, 1, 8});
        const TensorId second = addTensor(graph, StorageKind::kSramCopy, {8, 1, 1, 8});
        const TensorId input = addTensor(graph, StorageKind::kInput, {1, 1, 1, 8});
        const TensorId state = addTensor(graph, StorageKind::kScratch, {1, 1, 1, 8});
        const TensorId other = addTensor(graph, StorageKind::kScratch, {1, 1, 1, 8});
        const TensorId both = addTensor(graph, StorageKind::kScratch, {1, 1, 1, 8});
        addConv(graph, input, first, state);
        addConv(graph, input, second, other);
        addCopy(graph, other, both, isPart);
        addCopy(graph, state, both, isPart);
        addConv(graph, input, first, state);  // after the copy of what was there
        addCopy(graph, both, addTensor(graph, StorageKind::kOutput, {1, 1, 1, 8}), false);
        return ordered(graph);
    };
    CHECK(orderOf(true) == std::vector<std::uint32_t>{0, 3, 4, 1, 2, 5});
    CHECK(orderOf(false).empty());
}

TEST_CASE("a graph with too many pairs of dependent nodes keeps its order [Q-5]") {
    const auto staysWith = [](int parts) {
        Graph graph;
        const TensorId first = addTensor(graph, StorageKind::kSramCopy, {8, 1, 1, 8});
        const TensorId second = addTensor(graph, StorageKind::kSramCopy, {8, 1, 1, 8});
        const TensorId input = addTensor(graph, StorageKind::kInput, {1, 1, 1, 8});
        const TensorId output = addTensor(graph, StorageKind::kOutput, {1, 1, 1, 8});
        const TensorId whole = addTensor(graph, StorageKind::kScratch, {1, 1, 1, 8});
        for (const TensorId filter : {first, second, first}) {
            addConv(graph, input, filter, addTensor(graph, StorageKind::kScratch, {1, 1, 1, 8}));
        }
        for (int i = 0; i < parts; ++i) {
            addCopy(graph, input, whole, true);
        }
        for (int i = 0; i < parts; ++i) {
            addCopy(graph, whole, output, true);
        }
        return ordered(graph).empty();
    };
    CHECK_FALSE(staysWith(900));
    CHECK(staysWith(1100));  // each of 1,100 readers needs each of 1,100 parts
}

TEST_CASE("a stack of layers computes the same in any order [E-2]") {
    const TwoLayers net;
    CheckOptions options;
    for (const std::uint64_t kib : {8, 17, 20, 24, 64}) {
        options.devices.push_back(tinyDevice(kib * 1024, 4096));
    }
    CHECK(checkModel(net.builder, {net.input}, {net.expected}, options) == "");
}

TEST_CASE("an SRAM for one filter is enough to load each of two layers' once [Q-5]") {
    const TwoLayers net;
    DeviceInfo device = edgeDevice();
    device.sramBytes = DenseLayers::kFilterBytes * 3 / 2;
    const std::uint64_t bytes = movedBytes(net.builder, device);
    CHECK(bytes >= 2 * DenseLayers::kFilterBytes);
    CHECK(bytes < 2 * DenseLayers::kFilterBytes +
                          DenseLayers::kFilterBytes / 2);  // beside them, some vectors and biases
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
