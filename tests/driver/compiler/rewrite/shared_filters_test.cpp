// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/shared_filters.h"

#include <doctest/doctest.h>

#include "driver/compiler/compiler.h"
#include "tests/driver/compiler/model_check.h"
#include "tests/driver/compiler/small_graph.h"
#include "tests/driver/compiler/stream_interpreter.h"

namespace vnpu::driver::test {
namespace {

constexpr std::uint32_t kUnits = 64;
constexpr std::uint64_t kFilterBytes = 4 * kUnits * kUnits;

/// Dense layers one after the other, all with the same weights. All numbers are small integers, so
/// that sums are exact in any order.
struct Recurrence {
    explicit Recurrence(int steps) {
        Dice dice(71);
        const auto integers = [&dice](std::size_t count, int reach) {
            std::vector<float> values(count);
            for (float& value : values) {
                value = static_cast<float>(dice.pick(-reach, reach));
            }
            return bytesOf(values);
        };
        input = integers(kUnits, 3);
        const Bytes weights = integers(std::size_t{kUnits} * kUnits, 1);
        const std::uint32_t filter = builder.pooled({kFloat, {kUnits, kUnits}}, weights);
        const std::uint32_t bias =
                builder.constant({kFloat, {kUnits}}, Bytes(std::size_t{kUnits} * 4));
        std::uint32_t state = builder.input({kFloat, {1, kUnits}});
        Values values = centered(input, kFloat, 0);
        for (int step = 0; step < steps; ++step) {
            const bool isLast = step + 1 == steps;
            const std::uint32_t next = isLast ? builder.output({kFloat, {1, kUnits}})
                                              : builder.temporary({kFloat, {1, kUnits}});
            builder.operation(OperationType::FULLY_CONNECTED,
                              {state, filter, bias, builder.int32(0)}, next);
            state = next;
            values = vnpu::test::convolve({1, 1, kUnits}, values, {}, centered(weights, kFloat, 0),
                                          {1, 1, kUnits});
        }
        expected = store(values, {kFloat}, 1.0);
    }

    /// Bytes of memory that the steps move on a device with this SRAM.
    std::uint64_t movedBytes(std::uint64_t sramBytes) const {
        DeviceInfo device = edgeDevice();
        device.sramBytes = sramBytes;
        const auto compiled = compile(builder.build(), builder.pools(), device);
        REQUIRE_MESSAGE(compiled.has_value(), compiled.error().reason);
        std::uint64_t bytes = 0;
        for (const OperationEstimate& operation : compiled->operations) {
            bytes += operation.dramBytes;
        }
        return bytes;
    }

    ModelBuilder builder;
    Bytes input, expected;
};

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
    const Recurrence net(3);
    CHECK(checkModel(net.builder, {net.input}, {net.expected}) == "");
    // The copy does not fit, fits barely, and fits well.
    CheckOptions options;
    for (const std::uint64_t kib : {8, 17, 20, 64}) {
        options.devices.push_back(tinyDevice(kib * 1024, 4096));
    }
    CHECK(checkModel(net.builder, {net.input}, {net.expected}, options) == "");
}

TEST_CASE("a filter that fits the SRAM is loaded once for all of its layers [Q-5]") {
    const Recurrence net(3);
    // Beside the filter, some vectors and biases.
    CHECK(net.movedBytes(65536) >= kFilterBytes);
    CHECK(net.movedBytes(65536) < kFilterBytes + kFilterBytes / 4);
    CHECK(net.movedBytes(kFilterBytes / 2) >= 3 * kFilterBytes);
}

TEST_SUITE_END();

}  // namespace vnpu::driver::test
