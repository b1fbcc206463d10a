// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/pool_parts.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

constexpr std::uint32_t kConcatenation = 1, kPool = 2;  // operations

/// Two parts, which operation 0 makes, joined along `axis` and pooled by windows of 2 x 2.
class JoinedParts {
  public:
    JoinedParts(const Shape& first, const Shape& second, std::size_t axis) {
        Shape whole = first;
        whole[axis] += second[axis];
        joined = addTensor(graph, StorageKind::kScratch, whole);
        std::uint64_t offset = 0;
        for (const Shape& shape : {first, second}) {
            parts.push_back(addTensor(graph, StorageKind::kScratch, shape));
            std::uint64_t inner = 1, outer = 1;
            for (std::size_t d = 0; d < shape.size(); ++d) {
                (d < axis ? outer : inner) *= shape[d];
            }
            CopyNode copy{parts.back(),
                          joined,
                          {{outer, inner, inner / shape[axis] * whole[axis]}, {inner, 1, 1}}};
            copy.outputOffset = std::exchange(offset, offset + inner);
            copy.isPart = true;
            graph.nodes.push_back({kConcatenation, copy});
        }
        PoolNode pool;
        pool.input = joined;
        pool.output = pooled = addTensor(graph, StorageKind::kOutput,
                                         {whole[0], whole[1] / 2, whole[2] / 2, whole[3]});
        pool.geometry = {.batches = whole[0],
                         .inputHeight = whole[1],
                         .inputWidth = whole[2],
                         .inputChannels = whole[3],
                         .outputHeight = whole[1] / 2,
                         .outputWidth = whole[2] / 2,
                         .outputChannels = whole[3],
                         .filterHeight = 2,
                         .filterWidth = 2,
                         .strideHeight = 2,
                         .strideWidth = 2};
        graph.nodes.push_back({kPool, pool});
    }

    bool isDivided() {
        poolParts(graph);
        return graph.nodes.size() != 3;
    }

    Graph graph;
    std::vector<TensorId> parts;
    TensorId joined = kNoTensor, pooled = kNoTensor;
};

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/pool_parts");

TEST_CASE("a pool of a concatenation becomes a concatenation of pools [E-2]") {
    JoinedParts net({1, 4, 6, 3}, {1, 4, 6, 5}, 3);
    poolParts(net.graph);
    REQUIRE(net.graph.nodes.size() == 4);
    const std::uint32_t channels[] = {3, 5};
    for (std::size_t i = 0; i < 2; ++i) {
        CAPTURE(i);
        const Node& node = net.graph.nodes[2 * i];
        CHECK(node.operation == kPool);
        const auto& pool = std::get<PoolNode>(node.work);
        CHECK(pool.input == net.parts[i]);
        CHECK(pool.geometry.inputChannels == channels[i]);
        CHECK(pool.geometry.outputChannels == channels[i]);
        CHECK(pool.geometry.inputWidth == 6);
        CHECK(net.graph.tensors[pool.output].shape == Shape{1, 2, 3, channels[i]});
        CHECK(net.graph.storageOf(pool.output).kind == StorageKind::kScratch);
        const Node& next = net.graph.nodes[2 * i + 1];
        CHECK(next.operation == kConcatenation);
        const auto& copy = std::get<CopyNode>(next.work);
        CHECK(copy.isPart);
        CHECK(copy.input == pool.output);
        CHECK(copy.output == net.pooled);
        CHECK(copy.outputOffset == 3 * i);
        // Six pixels, eight channels apart.
        CHECK(copy.axes.front().extent == 6);
        CHECK(copy.axes.front().inputStride == channels[i]);
        CHECK(copy.axes.front().outputStride == 8);
        CHECK(copy.axes.back().extent == channels[i]);
    }
}

TEST_CASE("a pool stays whole where a part or the whole is needed elsewhere [E-2]") {
    SUBCASE("a part has another reader") {
        JoinedParts net({1, 4, 6, 3}, {1, 4, 6, 5}, 3);
        const TensorId other = addTensor(net.graph, StorageKind::kOutput, {1, 4, 6, 5});
        net.graph.nodes.push_back({3, copyOf(net.parts[1], other, 120)});
        poolParts(net.graph);
        CHECK(net.graph.nodes.size() == 4);
        CHECK(std::get<PoolNode>(net.graph.nodes[2].work).input == net.joined);
    }
    SUBCASE("the whole has another reader") {
        JoinedParts net({1, 4, 6, 3}, {1, 4, 6, 5}, 3);
        const TensorId other = addTensor(net.graph, StorageKind::kOutput, {1, 4, 6, 8});
        net.graph.nodes.push_back({3, copyOf(net.joined, other, 192)});
        poolParts(net.graph);
        CHECK(net.graph.nodes.size() == 4);
        CHECK(std::get<PoolNode>(net.graph.nodes[2].work).input == net.joined);
    }
    SUBCASE("the whole is an output of the model") {
        JoinedParts net({1, 4, 6, 3}, {1, 4, 6, 5}, 3);
        net.graph.storages[net.graph.tensors[net.joined].storage].kind = StorageKind::kOutput;
        CHECK_FALSE(net.isDivided());
    }
    SUBCASE("a part is an input of the model") {
        JoinedParts net({1, 4, 6, 3}, {1, 4, 6, 5}, 3);
        net.graph.storages[net.graph.tensors[net.parts[0]].storage].kind = StorageKind::kInput;
        CHECK_FALSE(net.isDivided());
    }
    SUBCASE("a part shares its storage") {
        JoinedParts net({1, 4, 6, 3}, {1, 4, 6, 5}, 3);
        net.graph.tensors.push_back(net.graph.tensors[net.parts[0]]);
        CHECK_FALSE(net.isDivided());
    }
    SUBCASE("rows are joined") {
        CHECK_FALSE(JoinedParts({1, 2, 6, 3}, {1, 4, 6, 3}, 1).isDivided());
    }
    SUBCASE("batches of one pixel are joined") {
        CHECK_FALSE(JoinedParts({2, 1, 1, 3}, {1, 1, 1, 3}, 0).isDivided());
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
