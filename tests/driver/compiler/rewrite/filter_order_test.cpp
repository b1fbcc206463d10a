// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/filter_order.h"

#include <doctest/doctest.h>

#include <vector>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"
#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

constexpr std::uint32_t kCells = 64;
constexpr std::uint64_t kWeightBytes = 4 * kCells * kCells;
constexpr int kStackSteps = 4;

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

/// A state that passes a dense layer at each step, and the sum over the steps of a second dense
/// layer of that state, listed step by step. All numbers are small integers, so that sums are exact
/// in any order.
struct TwoLayers {
    TwoLayers() {
        Dice dice(72);
        const auto integers = [&dice](std::size_t count, int reach) {
            std::vector<float> values(count);
            for (float& value : values) {
                value = static_cast<float>(dice.pick(-reach, reach));
            }
            return values;
        };
        const std::vector<float> first = integers(kCells, 3);
        input = bytesOf(first);
        const std::vector<float> weights[] = {integers(std::size_t{kCells} * kCells, 1),
                                              integers(std::size_t{kCells} * kCells, 1)};
        const TensorSpec vector{kFloat, {1, kCells}};
        const std::uint32_t bias =
                builder.constant({kFloat, {kCells}}, Bytes(std::size_t{kCells} * 4));
        const std::uint32_t filters[] = {
                builder.pooled({kFloat, {kCells, kCells}}, bytesOf(weights[0])),
                builder.pooled({kFloat, {kCells, kCells}}, bytesOf(weights[1]))};
        const auto dense = [&](std::uint32_t from, int layer) {
            const std::uint32_t to = builder.temporary(vector);
            builder.operation(OperationType::FULLY_CONNECTED,
                              {from, filters[layer], bias, builder.int32(0)}, to);
            return to;
        };
        const auto product = [&](const std::vector<float>& from, int layer) {
            std::vector<float> to(kCells);
            for (std::size_t i = 0; i < kCells; ++i) {
                for (std::size_t k = 0; k < kCells; ++k) {
                    to[i] += weights[layer][i * kCells + k] * from[k];
                }
            }
            return to;
        };
        std::uint32_t state = builder.input(vector);
        std::uint32_t sum = state;
        std::vector<float> stateValues = first, sumValues = first;
        for (int step = 0; step < kStackSteps; ++step) {
            state = dense(state, 0);
            const std::uint32_t next =
                    step + 1 == kStackSteps ? builder.output(vector) : builder.temporary(vector);
            builder.operation(OperationType::ADD, {sum, dense(state, 1), builder.int32(0)}, next);
            sum = next;
            stateValues = product(stateValues, 0);
            const std::vector<float> second = product(stateValues, 1);
            for (std::size_t i = 0; i < kCells; ++i) {
                sumValues[i] += second[i];
            }
        }
        expected = bytesOf(sumValues);
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
    device.sramBytes = kWeightBytes * 3 / 2;
    const auto compiled = compile(net.builder.build(), net.builder.pools(), device);
    REQUIRE_MESSAGE(compiled.has_value(), compiled.error().reason);
    std::uint64_t bytes = 0;
    for (const OperationEstimate& operation : compiled->operations) {
        bytes += operation.dramBytes;
    }
    CHECK(bytes >= 2 * kWeightBytes);
    CHECK(bytes < 2 * kWeightBytes + kWeightBytes / 2);  // beside them, some vectors and biases
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
