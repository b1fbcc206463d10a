// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/image_groups.h"

#include <doctest/doctest.h>

#include <set>

#include "driver/compiler/compiler.h"
#include "driver/compiler/rewrite/fusion.h"
#include "tests/driver/compiler/batch_net.h"
#include "tests/driver/compiler/small_graph.h"

namespace vnpu::driver::test {
namespace {

/// A convolution of `images` images, 3 x 3 unless it is 1 x 1, that keeps their extent.
ConvNode convolution(Graph& graph, TensorId input, TensorId output, std::uint32_t size) {
    const Shape from = graph.tensors[input].shape;
    const Shape to = graph.tensors[output].shape;
    ConvNode conv;
    conv.input = input;
    conv.filter = addTensor(graph, StorageKind::kPool, {to[3], size, size, from[3]});
    conv.output = output;
    conv.geometry = {.batches = from[0],
                     .inputHeight = from[1],
                     .inputWidth = from[2],
                     .inputChannels = from[3],
                     .outputHeight = to[1],
                     .outputWidth = to[2],
                     .outputChannels = to[3],
                     .filterHeight = size,
                     .filterWidth = size,
                     .padTop = static_cast<std::int32_t>(size / 2),
                     .padLeft = static_cast<std::int32_t>(size / 2)};
    return conv;
}

enum : TensorId { kImages, kWide, kPooled, kDeep, kResult };

/// Four images of 8 x 6 x 4 -> 3 x 3 convolution -> 8 x 6 x 8 -> pool -> 4 x 3 x 8 -> 3 x 3
/// convolution -> 4 x 3 x 64 -> a dense layer of ten units.
Graph fourImages() {
    Graph graph;
    addTensor(graph, StorageKind::kInput, {4, 8, 6, 4});
    addTensor(graph, StorageKind::kScratch, {4, 8, 6, 8});
    addTensor(graph, StorageKind::kScratch, {4, 4, 3, 8});
    addTensor(graph, StorageKind::kScratch, {4, 4, 3, 64});
    addTensor(graph, StorageKind::kOutput, {4, 10});
    PoolNode pool;
    pool.input = kWide;
    pool.output = kPooled;
    pool.geometry = {.batches = 4,
                     .inputHeight = 8,
                     .inputWidth = 6,
                     .inputChannels = 8,
                     .outputHeight = 4,
                     .outputWidth = 3,
                     .outputChannels = 8,
                     .filterHeight = 2,
                     .filterWidth = 2,
                     .strideHeight = 2,
                     .strideWidth = 2};
    ConvNode dense;
    dense.input = kDeep;
    dense.output = kResult;
    dense.geometry.inputHeight = dense.geometry.outputHeight = 4;
    dense.geometry.inputChannels = 768;
    dense.geometry.outputChannels = 10;
    graph.nodes.push_back({0, convolution(graph, kImages, kWide, 3)});
    graph.nodes.push_back({1, pool});
    graph.nodes.push_back({2, convolution(graph, kPooled, kDeep, 3)});
    dense.filter = addTensor(graph, StorageKind::kPool, {10, 768});
    graph.nodes.push_back({3, dense});
    sizeStorages(graph);
    return graph;
}

std::uint32_t imagesOf(const Graph& graph) {
    return ImageGroups(graph, ImageGroups::Extent::kAll).images();
}

std::string check(const BatchNet& net, const std::vector<std::uint64_t>& sizes) {
    CheckOptions options;
    options.relative = 0;
    for (const std::uint64_t size : sizes) {
        options.devices.push_back(slowMemoryDevice(size));
    }
    return checkModel(net.builder, net.inputs, net.expected, options);
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/rewrite/image_groups");

TEST_CASE("a group has the leading nodes, for some of the images") {
    const Graph graph = fourImages();
    const ImageGroups groups(graph, ImageGroups::Extent::kAll);
    CHECK(groups.images() == 4);
    const Graph group = groups.firstGroup(2);
    REQUIRE(group.nodes.size() == 3);
    for (const Node& node : group.nodes) {
        CHECK(imageNodeOf(node)->geometry.batches == 2);
    }
    CHECK(group.tensors[kImages].shape == Shape{2, 8, 6, 4});
    CHECK(group.tensors[kWide].shape == Shape{2, 8, 6, 8});
    CHECK(group.tensors[kDeep].shape == Shape{2, 4, 3, 64});
    // The filter is the same for all images.
    CHECK(group.tensors[std::get<ConvNode>(group.nodes[0].work).filter].shape == Shape{8, 3, 3, 4});
    // Two of 8 x 6 x 8 elements between nodes of the group; what the dense layer reads has all.
    CHECK(group.storageOf(kWide).kind == StorageKind::kScratch);
    CHECK(group.storageOf(kWide).sizeBytes == 2 * 384);
    CHECK(group.storageOf(kPooled).sizeBytes == 2 * 96);
    CHECK(group.storageOf(kDeep).kind == StorageKind::kOutput);
    CHECK(group.storageOf(kDeep).sizeBytes == 4 * 768);
    CHECK(group.storageOf(kImages).sizeBytes == 4 * 192);
}

TEST_CASE("the groups follow each other, then the nodes behind them take the whole batch") {
    const Graph graph = fourImages();
    const ImageGroups groups(graph, ImageGroups::Extent::kAll);
    for (const std::uint32_t count : {1U, 2U}) {
        CAPTURE(count);
        const Graph all = groups.repeated(groups.firstGroup(count), count);
        const std::uint32_t repeats = 4 / count;
        REQUIRE(all.nodes.size() == 3 * repeats + 1);
        std::set<StorageId> between;
        for (std::uint32_t index = 0; index < repeats; ++index) {
            CAPTURE(index);
            const auto& first = std::get<ConvNode>(all.nodes[3 * index].work);
            const auto& pool = std::get<PoolNode>(all.nodes[3 * index + 1].work);
            const auto& last = std::get<ConvNode>(all.nodes[3 * index + 2].work);
            CHECK(all.nodes[3 * index + 2].operation == 2);
            CHECK(first.geometry.batches == count);
            // Images of 192 bytes in, results of 768 bytes out, each where the batch has them.
            CHECK(all.tensors[first.input].storage == graph.tensors[kImages].storage);
            CHECK(all.tensors[first.input].byteOffset == std::uint64_t{192} * count * index);
            CHECK(all.tensors[last.output].storage == graph.tensors[kDeep].storage);
            CHECK(all.tensors[last.output].byteOffset == std::uint64_t{768} * count * index);
            CHECK(all.storageOf(last.output).kind == StorageKind::kScratch);
            CHECK(all.tensors[first.input].shape.front() == count);
            // Between them each group has bytes of its own, and the same filters.
            CHECK(pool.input == first.output);
            CHECK(last.input == pool.output);
            CHECK(all.tensors[pool.input].byteOffset == 0);
            CHECK(all.storageOf(pool.input).sizeBytes == std::uint64_t{384} * count);
            between.insert(all.tensors[pool.input].storage);
            CHECK(first.filter == std::get<ConvNode>(graph.nodes[0].work).filter);
        }
        CHECK(between.size() == repeats);
        const auto& dense = std::get<ConvNode>(all.nodes.back().work);
        CHECK(dense.input == kDeep);
        CHECK(all.tensors[kDeep].shape == Shape{4, 4, 3, 64});
        CHECK(dense.geometry.outputHeight == 4);
    }
}

TEST_CASE("nodes behind the last one with images larger than its filter may keep the batch") {
    const Graph graph = fourImages();
    const ImageGroups groups(graph, ImageGroups::Extent::kLargeImages);
    // First convolution: 192 + 384 bytes of an image, 8 * 36 of filter. Second one: 96 + 768 bytes
    // of an image, 64 * 72 of filter.
    CHECK(groups.images() == 4);
    const Graph group = groups.firstGroup(1);
    REQUIRE(group.nodes.size() == 1);
    CHECK(group.storageOf(kWide).kind == StorageKind::kOutput);
    const Graph all = groups.repeated(group, 1);
    REQUIRE(all.nodes.size() == 4 + 3);
    const auto& fourth = std::get<ConvNode>(all.nodes[3].work);
    CHECK(all.tensors[fourth.output].byteOffset == 3 * 384);
    const auto& pool = std::get<PoolNode>(all.nodes[4].work);
    CHECK(pool.geometry.batches == 4);
    CHECK(pool.input == kWide);
}

TEST_CASE("what does not treat each image by itself is not divided") {
    Graph graph;
    CHECK(imagesOf(graph) == 1);
    SUBCASE("one image") {
        graph = fourImages();
        auto& conv = std::get<ConvNode>(graph.nodes[0].work);
        conv.geometry.batches = 1;
        graph.tensors[kImages].shape.front() = graph.tensors[kWide].shape.front() = 1;
        CHECK(imagesOf(graph) == 1);
    }
    SUBCASE("control flow") {
        graph = fourImages();
        graph.constructs = 1;
        CHECK(imagesOf(graph) == 1);
    }
    SUBCASE("rows with gaps") {
        graph = fourImages();
        graph.storages[graph.tensors[kImages].storage].isImage = true;
        CHECK(imagesOf(graph) == 1);
    }
    SUBCASE("a filter that the job computes") {
        graph = fourImages();
        const TensorId filter = std::get<ConvNode>(graph.nodes[2].work).filter;
        graph.storages[graph.tensors[filter].storage].kind = StorageKind::kScratch;
        const ImageGroups groups(graph, ImageGroups::Extent::kAll);
        CHECK(groups.images() == 4);
        CHECK(groups.firstGroup(1).nodes.size() == 2);
    }
    SUBCASE("no convolution with large images") {
        graph = fourImages();
        graph.nodes.erase(graph.nodes.begin(), graph.nodes.begin() + 2);
        CHECK(imagesOf(graph) == 4);
        CHECK(ImageGroups(graph, ImageGroups::Extent::kLargeImages).images() == 1);
    }
}

TEST_CASE("images that lie among those of another batch are not divided") {
    // Two images of a convolution, in place in front of two others.
    Graph graph;
    const TensorId input = addTensor(graph, StorageKind::kInput, {2, 4, 4, 4});
    const TensorId first = addTensor(graph, StorageKind::kOutput, {2, 4, 4, 8});
    const TensorId second = addTensor(graph, StorageKind::kOutput, {2, 4, 4, 8});
    graph.tensors[second].storage = graph.tensors[first].storage;
    graph.tensors[second].byteOffset = 2 * 128;
    graph.nodes.push_back({0, convolution(graph, input, first, 1)});
    graph.nodes.push_back({1, convolution(graph, input, second, 1)});
    sizeStorages(graph);
    CHECK(imagesOf(graph) == 1);
}

TEST_CASE("images whose pixels lie side by side with others' are divided") {
    // The second half of the channels of 16.
    Graph graph;
    const TensorId input = addTensor(graph, StorageKind::kInput, {2, 4, 4, 4});
    const TensorId joined = addTensor(graph, StorageKind::kOutput, {2, 4, 4, 16});
    const TensorId part = addTensor(graph, StorageKind::kOutput, {2, 4, 4, 8});
    graph.tensors[part].storage = graph.tensors[joined].storage;
    graph.tensors[part].byteOffset = 8;
    ConvNode conv = convolution(graph, input, part, 1);
    conv.outputPixelStride = 16;
    graph.nodes.push_back({0, conv});
    graph.storages[graph.tensors[joined].storage].sizeBytes = 2 * 256;
    graph.storages[graph.tensors[input].storage].sizeBytes = 2 * 64;
    const ImageGroups groups(graph, ImageGroups::Extent::kAll);
    REQUIRE(groups.images() == 2);
    const Graph all = groups.repeated(groups.firstGroup(1), 1);
    CHECK(all.tensors[std::get<ConvNode>(all.nodes[1].work).output].byteOffset == 256 + 8);
}

TEST_CASE("a batch passes in groups what does not fit the SRAM together [E-2]") {
    BatchNet net(51, 4);
    net.finishDense(net.maxPool(net.convolve(net.input({16, 16, 4}), 16, 3)), 10);
    CHECK(check(net, {20000, 49152, 1 << 20}) == "");
    // Four times 4,096 in; between convolution and pool 65,536, which do not fit 49,152 and would
    // go through memory twice; four times 2,304 of filter.
    CHECK(movedBytes(net.builder, slowMemoryDevice(49152)) < 2 * 65'536);
}

TEST_CASE("groups, their stripes and sums of images keep the results [E-2]") {
    for (const std::uint32_t images : {2U, 3U, 4U, 6U}) {
        CAPTURE(images);
        BatchNet net(52, images);
        const Batch x = net.input({16, 12, 8});
        const Batch wide = net.depthwise(net.convolve(x, 32, 1), 3);
        const Batch sum = net.add(net.convolve(wide, 8, 1), x);
        net.finishDense(net.convolve(net.maxPool(sum), 48, 3), 12);
        CHECK(check(net, {8192, 16384, 32768, 65536}) == "");
    }
}

TEST_CASE("two batches, one behind the other in one tensor, keep their results [E-2]") {
    BatchNet net(53, 2);
    const Batch x = net.input({16, 16, 4});
    const Batch first = net.convolve(net.convolve(x, 16, 3), 4, 3);
    const Batch second = net.convolve(net.convolve(x, 16, 3), 4, 3);
    net.finish(net.appendBatch(first, second));
    CHECK(check(net, {16384, 24576, 32768}) == "");
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
