// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/stripes.h"

#include <doctest/doctest.h>

#include "tests/driver/compiler/rewrite/convolution_and_pool.h"

namespace vnpu::driver::test {
TEST_SUITE_BEGIN("driver/compiler/rewrite/stripes");

TEST_CASE("each stripe computes only the new rows that it needs [E-2]") {
    Graph graph = convolutionAndPool();
    CHECK(stripedRows(graph, kBoth) == 4);
    const auto nodes = cutIntoStripes(graph, kBoth, {.rows = 2});
    REQUIRE(nodes.has_value());
    // A copy of the filter; two stripes of the convolution with a copy of a kept row between them;
    // two pools.
    REQUIRE(nodes->size() == 6);
    const auto& filter = std::get<CopyNode>((*nodes)[0].work);
    const auto& first = std::get<ConvNode>((*nodes)[1].work);
    const auto& kept = std::get<CopyNode>((*nodes)[2].work);
    const auto& second = std::get<ConvNode>((*nodes)[3].work);
    const auto& above = std::get<PoolNode>((*nodes)[4].work);
    const auto& below = std::get<PoolNode>((*nodes)[5].work);
    // Pooled rows 0 and 1 need rows 0 to 4, which need rows 0 to 5 and one row of padding.
    CHECK(first.geometry.outputHeight == 5);
    CHECK(first.geometry.inputHeight == 6);
    CHECK(first.geometry.padTop == 1);
    CHECK(above.geometry.inputHeight == 5);
    CHECK(above.geometry.outputHeight == 2);
    // Pooled rows 2 and 3 need rows 4 to 7; row 4 exists already, rows 5 to 7 need rows 4 to 7.
    CHECK(graph.tensors[kept.input].shape == Shape{1, 1, 6, 8});
    CHECK(graph.tensors[kept.input].byteOffset == 4 * 48);
    CHECK(graph.tensors[kept.output].byteOffset == 0);
    CHECK(second.geometry.outputHeight == 3);
    CHECK(second.geometry.inputHeight == 4);
    CHECK(second.geometry.padTop == 0);
    CHECK(graph.tensors[second.input].byteOffset == 4 * 24);
    CHECK(graph.tensors[second.output].byteOffset == 48);
    CHECK(below.geometry.inputHeight == 4);
    CHECK(graph.tensors[below.output].byteOffset == 2 * 24);
    // Both use the copy of the filter that may be in SRAM.
    CHECK(first.filter == filter.output);
    CHECK(second.filter == filter.output);
    CHECK(graph.storageOf(filter.output).kind == StorageKind::kSramCopy);
    CHECK(graph.originalOf(filter.output) == 1);
    for (const Node& node : *nodes) {
        CHECK(node.isStripe == (imageNodeOf(node) != nullptr));
    }
    // The vector unit reads one piece while the array fills another.
    CHECK(graph.tensors[above.input].storage != graph.tensors[below.input].storage);
}

TEST_CASE("in serial stripes, a pool reads all pieces in one place [E-2]") {
    Graph graph = convolutionAndPool();
    const auto nodes = cutIntoStripes(graph, kBoth, {.rows = 2, .isSerial = true});
    REQUIRE(nodes.has_value());
    // A copy of the filter; each stripe's pool before the next stripe's convolution, and between
    // them the copy of the kept row.
    REQUIRE(nodes->size() == 6);
    const auto& first = std::get<ConvNode>((*nodes)[1].work);
    const auto& above = std::get<PoolNode>((*nodes)[2].work);
    const auto& kept = std::get<CopyNode>((*nodes)[3].work);
    const auto& second = std::get<ConvNode>((*nodes)[4].work);
    const auto& below = std::get<PoolNode>((*nodes)[5].work);
    CHECK(first.geometry.outputHeight == 5);
    CHECK(second.geometry.outputHeight == 3);
    const StorageId place = graph.tensors[above.input].storage;
    CHECK(graph.storages[place].sizeBytes == 5 * 48);
    for (const TensorId tensor :
         {first.output, kept.input, kept.output, second.output, below.input}) {
        CHECK(graph.tensors[tensor].storage == place);
    }
    CHECK(graph.tensors[kept.input].byteOffset == 4 * 48);
    CHECK(graph.tensors[kept.output].byteOffset == 0);
    CHECK(graph.tensors[second.output].byteOffset == 48);
}

TEST_CASE("pairs of rows are completed for a 3 x 3 convolution within the region [E-2]") {
    Graph graph = convolutionAndPool();
    const auto nodes = cutIntoStripes(graph, kBoth, {.rows = 2, .hasRowPairs = true});
    REQUIRE(nodes.has_value());
    REQUIRE(nodes->size() == 6);
    // Rows 0 to 4 are needed, row 5 completes a pair; rows 4 and 5 are kept, 6 and 7 are new.
    const auto& kept = std::get<CopyNode>((*nodes)[2].work);
    CHECK(std::get<ConvNode>((*nodes)[1].work).geometry.outputHeight == 6);
    CHECK(graph.tensors[kept.input].shape == Shape{1, 2, 6, 8});
    CHECK(std::get<ConvNode>((*nodes)[3].work).geometry.outputHeight == 2);
    CHECK(std::get<PoolNode>((*nodes)[4].work).geometry.inputHeight == 5);
    CHECK(std::get<PoolNode>((*nodes)[5].work).geometry.inputHeight == 4);
    // With one pooled row in a stripe, rows 0 to 3, 4 and 5, 6, then 7 alone: row 7 would leave
    // nothing for the last stripe.
    graph = convolutionAndPool();
    const auto single = cutIntoStripes(graph, kBoth, {.rows = 1, .hasRowPairs = true});
    REQUIRE(single.has_value());
    std::vector<std::uint32_t> rows;
    for (const Node& node : *single) {
        if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
            rows.push_back(conv->geometry.outputHeight);
        }
    }
    CHECK(rows == std::vector<std::uint32_t>{4, 2, 1, 1});
    // Depthwise layers run without Winograd.
    graph = convolutionAndPool();
    std::get<ConvNode>(graph.nodes[0].work).depthMultiplier = 2;
    const auto depthwise = cutIntoStripes(graph, kBoth, {.rows = 2, .hasRowPairs = true});
    REQUIRE(depthwise.has_value());
    CHECK(std::get<ConvNode>(depthwise->front().work).geometry.outputHeight == 5);
}

TEST_CASE("of a shared input, each row is loaded once [E-2]") {
    Graph graph = convolutionAndPool();
    ConvNode other = std::get<ConvNode>(graph.nodes[0].work);
    other.output = addTensor(graph, StorageKind::kOutput, {1, 8, 6, 8});
    graph.nodes[1].work = other;
    graph.storages[graph.tensors[std::get<ConvNode>(graph.nodes[0].work).output].storage].kind =
            StorageKind::kOutput;
    const auto nodes = cutIntoStripes(graph, kBoth, {.rows = 4});
    REQUIRE(nodes.has_value());
    // Rows 0 to 4, then rows 3 and 4 from the piece before and 5 to 7 from memory; behind them the
    // convolutions, with a copy of their filter before the first.
    REQUIRE(nodes->size() == 8);
    const auto& first = std::get<CopyNode>((*nodes)[0].work);
    const auto& kept = std::get<CopyNode>((*nodes)[1].work);
    const auto& fresh = std::get<CopyNode>((*nodes)[2].work);
    const StorageId input = graph.tensors[other.input].storage;
    CHECK(graph.tensors[first.input].storage == input);
    CHECK(graph.tensors[first.input].shape == Shape{1, 5, 6, 4});
    CHECK(graph.tensors[kept.input].storage == graph.tensors[first.output].storage);
    CHECK(graph.tensors[kept.input].byteOffset == 3 * 24);
    CHECK(graph.tensors[kept.input].shape == Shape{1, 2, 6, 4});
    CHECK(graph.tensors[kept.output].byteOffset == 0);
    CHECK(graph.tensors[fresh.input].storage == input);
    CHECK(graph.tensors[fresh.input].byteOffset == 5 * 24);
    CHECK(graph.tensors[fresh.input].shape == Shape{1, 3, 6, 4});
    CHECK(graph.tensors[fresh.output].storage == graph.tensors[kept.output].storage);
    CHECK(graph.tensors[fresh.output].byteOffset == 2 * 24);
    CHECK(graph.storageOf(kept.output).kind == StorageKind::kSramCopy);
}

TEST_CASE("stripes of some output channels follow those of others [E-2]") {
    Graph graph = convolutionAndPool();
    const std::size_t nodesBefore = graph.nodes.size();
    const auto nodes = cutIntoStripes(graph, kBoth, {.rows = 2, .channels = 6});
    REQUIRE(nodes.has_value());
    CHECK(graph.nodes.size() == nodesBefore);
    // The six nodes of two stripes for six channels, then for two.
    REQUIRE(nodes->size() == 12);
    for (const std::size_t part : {0U, 1U}) {
        CAPTURE(part);
        const std::uint32_t channels = part == 0 ? 6 : 2;
        const auto& filter = std::get<CopyNode>((*nodes)[6 * part].work);
        const auto& first = std::get<ConvNode>((*nodes)[6 * part + 1].work);
        const auto& kept = std::get<CopyNode>((*nodes)[6 * part + 2].work);
        const auto& below = std::get<PoolNode>((*nodes)[6 * part + 5].work);
        CHECK(graph.tensors[filter.input].byteOffset == part * 6 * 3 * 3 * 4);
        CHECK(graph.storageOf(filter.output).sizeBytes == channels * 3 * 3 * 4);
        CHECK(first.geometry.outputChannels == channels);
        CHECK(first.geometry.outputHeight == 5);
        CHECK(first.outputPixelStride == 0);
        CHECK(graph.tensors[kept.input].shape == Shape{1, 1, 6, channels});
        CHECK(graph.tensors[kept.input].byteOffset == 4 * 6 * channels);
        // Pooled rows 2 and 3 lie in place, behind two rows of all channels.
        CHECK(below.geometry.inputChannels == channels);
        CHECK(below.outputPixelStride == 8);
        CHECK(graph.tensors[below.output].storage == graph.tensors[graph.outputs.front()].storage);
        CHECK(graph.tensors[below.output].byteOffset == 48 + part * 6);
    }
    // All channels at a time are one part.
    graph = convolutionAndPool();
    const auto whole = cutIntoStripes(graph, kBoth, {.rows = 2, .channels = 8});
    REQUIRE(whole.has_value());
    CHECK(whole->size() == 6);
}

TEST_CASE("one stripe is the whole operation, with its filter in place") {
    Graph graph = convolutionAndPool();
    const auto nodes = cutIntoStripes(graph, kBoth, {.rows = 4});
    REQUIRE(nodes.has_value());
    REQUIRE(nodes->size() == 2);
    CHECK(std::get<ConvNode>((*nodes)[0].work).filter == 1);
    CHECK(std::get<ConvNode>((*nodes)[0].work).geometry.outputHeight == 8);
}

TEST_CASE("tensors with other readers, batches and single rows are not cut") {
    Graph graph = convolutionAndPool();
    // The convolution's result is also read after the pool.
    PoolNode other = std::get<PoolNode>(graph.nodes[1].work);
    other.output = addTensor(graph, StorageKind::kOutput, {1, 4, 3, 8});
    graph.nodes.push_back({2, other});
    CHECK(stripedRows(graph, kBoth) == 0);
    CHECK_FALSE(cutIntoStripes(graph, kBoth, {.rows = 2}).has_value());
    CHECK_FALSE(cutIntoStripes(graph, kBoth, {.rows = 2, .channels = 4}).has_value());
    const std::size_t all[] = {0, 1, 2};
    CHECK(stripedRows(graph, all) == 4);

    graph = convolutionAndPool();
    std::get<ConvNode>(graph.nodes[0].work).geometry.batches = 2;
    CHECK_FALSE(isCuttable(graph, graph.nodes[0]));
    graph = convolutionAndPool();
    std::get<ConvNode>(graph.nodes[0].work).outputRowStride = 96;
    CHECK_FALSE(isCuttable(graph, graph.nodes[0]));
    graph = convolutionAndPool();
    graph.nodes[0].construct = 0;
    CHECK_FALSE(isCuttable(graph, graph.nodes[0]));
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
