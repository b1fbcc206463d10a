// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/separation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

namespace vnpu::driver {
namespace {

SlotSet buffers(std::uint32_t count, std::uint64_t bytes) {
    SlotSet set;
    set.slots = count;
    set.slotBytes = bytes;
    set.addresses.assign(count, 0);
    return set;
}

/// A pooling node with buffers at address 0, as one that nothing keeps apart from others.
NodePlan node(SlotSet input, SlotSet output) {
    auto pool = std::make_shared<PoolPlan>();
    pool->input = std::move(input);
    pool->output = std::move(output);
    return {.plan = std::shared_ptr<const PoolPlan>(std::move(pool))};
}

bool overlap(const Span64& a, const Span64& b) {
    return a.begin < b.end && b.begin < a.end;
}

bool overlap(const NodePlan& a, const NodePlan& b) {
    for (const Span64& first : buffersOf(a)) {
        for (const Span64& second : buffersOf(b)) {
            if (overlap(first, second)) {
                return true;
            }
        }
    }
    return false;
}

/// Where the first buffer of each node begins, in units of so many bytes.
std::vector<std::uint64_t> placesOf(const std::vector<NodePlan>& nodes, std::uint64_t unit) {
    std::vector<std::uint64_t> places(nodes.size());
    std::ranges::transform(nodes, places.begin(), [unit](const NodePlan& each) {
        return buffersOf(each)[0].begin / unit;
    });
    return places;
}

using Free = std::vector<std::vector<Span64>>;

SramAround around(const Free& free, std::uint64_t bankBytes) {
    std::uint64_t bytes = 0;
    for (const std::vector<Span64>& spans : free) {
        bytes = std::max(bytes, spans.back().end);
    }
    return {.freeAt = free, .bytes = bytes, .bankBytes = bankBytes};
}

constexpr std::size_t kApart = 16;

/// Stripes of these operations.
Graph stripesOf(const std::vector<std::uint32_t>& operations) {
    Graph graph;
    for (const std::uint32_t operation : operations) {
        graph.nodes.push_back({.operation = operation, .work = PoolNode{}, .isStripe = true});
    }
    return graph;
}

/// Each node is of an operation of its own.
Graph graphOf(std::size_t count) {
    Graph graph;
    for (std::uint32_t n = 0; n < count; ++n) {
        graph.nodes.push_back({.operation = n, .work = PoolNode{}});
    }
    return graph;
}

}  // namespace

TEST_SUITE_BEGIN("driver/compiler/plan/separation");

TEST_CASE("four nodes in a row lie apart where there is room for all of them [Q-5]") {
    std::vector<NodePlan> nodes(6, node(buffers(2, 320), buffers(1, 320)));
    const Free free(6, {{0, std::uint64_t{4} * 3 * 320}});
    separateBuffers(graphOf(nodes.size()), around(free, 0), {.nodesApart = kApart}, nodes);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (std::size_t before = n < 3 ? 0 : n - 3; before < n; ++before) {
            CAPTURE(n);
            CAPTURE(before);
            CHECK_FALSE(overlap(nodes[n], nodes[before]));
        }
    }
    // Farther ones share the memory.
    CHECK(overlap(nodes[5], nodes[1]));
}

TEST_CASE("no more nodes lie apart than asked for [Q-5]") {
    for (const std::size_t nodesApart : {1, 3}) {  // odd: the same side of the SRAM
        std::vector<NodePlan> nodes(6, node(buffers(1, 640), {}));
        const Free free(6, {{0, std::uint64_t{6} * 640}});
        separateBuffers(graphOf(nodes.size()), around(free, 0), {.nodesApart = nodesApart}, nodes);
        for (std::size_t n = nodesApart + 1; n < nodes.size(); ++n) {
            CHECK_FALSE(overlap(nodes[n], nodes[n - nodesApart]));
            CHECK(overlap(nodes[n], nodes[n - nodesApart - 1]));
        }
    }
}

TEST_CASE("a stripe lies apart from all nodes since the stripe before it [Q-5]") {
    // Stripes of operations 0, 1 and 2 in turn, then operation 3, which has none.
    std::vector<NodePlan> nodes(7, node(buffers(1, 640), {}));
    Graph graph = stripesOf({0, 1, 2, 0, 1, 2, 3});
    graph.nodes.back().isStripe = false;
    const Free free(7, {{0, std::uint64_t{7} * 640}});
    separateBuffers(graph, around(free, 0), {.fromOneEnd = true}, nodes);
    const std::vector<std::uint64_t> places = placesOf(nodes, 640);
    // Nodes 1 and 2 keep apart from those before them in the group, node 3 from nodes 0 to 2, node
    // 4 from 1 to 3 and node 5 from 2 to 4. The last one keeps apart from nothing.
    CHECK(places == std::vector<std::uint64_t>{0, 1, 2, 3, 0, 1, 0});
}

TEST_CASE("copies of kept rows do not count as a stripe [Q-5]") {
    // A stripe of operation 0, then a copy of rows for its next stripe.
    std::vector<NodePlan> nodes(3, node(buffers(1, 640), {}));
    nodes[1] = {};
    Graph graph = stripesOf({0, 0, 0});
    graph.nodes[1] = {.operation = 0, .work = CopyNode{}};
    const Free free(3, {{0, std::uint64_t{3} * 640}});
    separateBuffers(graph, around(free, 0), {.fromOneEnd = true}, nodes);
    CHECK_FALSE(overlap(nodes[2], nodes[0]));
}

TEST_CASE("a stripe that loads nothing keeps the place of the stripe before it [Q-5]") {
    // A node that loads and one that does not, in turn. There is room for two of each.
    const NodePlan loading = node(buffers(1, 640), {});
    const NodePlan quiet = node({}, buffers(2, 160));
    std::vector<NodePlan> nodes = {loading, quiet, loading, quiet, loading, quiet};
    const Graph graph = stripesOf({0, 1, 0, 1, 0, 1});
    const Free free(6, {{0, std::uint64_t{2} * (640 + 320)}});
    separateBuffers(graph, around(free, 0), {.fromOneEnd = true}, nodes);
    for (std::size_t n = 2; n < nodes.size(); ++n) {
        CAPTURE(n);
        CHECK_FALSE(overlap(nodes[n], nodes[n - 1]));
        CHECK(overlap(nodes[n], nodes[n - 2]) == (n % 2 == 1));
    }
}

TEST_CASE("where a stripe finds no room apart, streams of several buffers stay in place [Q-5]") {
    // An input of one tile, outputs in two buffers in turn: two stripes' inputs fit beside the
    // outputs of one.
    const NodePlan stripe = node(buffers(1, 640), buffers(2, 320));
    std::vector<NodePlan> nodes(4, stripe);
    const Free free(4, {{0, std::uint64_t{2} * (640 + 320) + 160}});
    separateBuffers(stripesOf({0, 0, 0, 0}), around(free, 0), {.fromOneEnd = true}, nodes);
    for (std::size_t n = 1; n < nodes.size(); ++n) {
        CAPTURE(n);
        const std::vector<Span64> before = buffersOf(nodes[n - 1]);
        const std::vector<Span64> after = buffersOf(nodes[n]);
        CHECK_FALSE(overlap(after[0], before[0]));
        CHECK(after[1].begin == before[1].begin);
        CHECK(after[2].begin == before[2].begin);
    }
    // With room for two stripes, all buffers lie apart.
    const Free twice(4, {{0, std::uint64_t{4} * 640}});
    separateBuffers(stripesOf({0, 0, 0, 0}), around(twice, 0), {.fromOneEnd = true}, nodes);
    CHECK_FALSE(overlap(nodes[1], nodes[0]));
    CHECK_FALSE(overlap(nodes[2], nodes[1]));
}

TEST_CASE("with less room, a node lies apart from the nearest ones [Q-5]") {
    std::vector<NodePlan> nodes(5, node(buffers(1, 640), {}));
    const Free free(5, {{0, std::uint64_t{2} * 640}});
    separateBuffers(graphOf(nodes.size()), around(free, 0), {.nodesApart = kApart}, nodes);
    for (std::size_t n = 1; n < nodes.size(); ++n) {
        CHECK_FALSE(overlap(nodes[n], nodes[n - 1]));
    }
}

TEST_CASE("a buffer without room apart does not keep the others of its node together [Q-5]") {
    // The large buffer has only one place; the small one fits beside that of the node before.
    std::vector<NodePlan> nodes(2, node(buffers(1, 1024), buffers(1, 64)));
    const Free free(2, {{0, 1024 + std::uint64_t{2} * 64}});
    separateBuffers(graphOf(nodes.size()), around(free, 0), {.nodesApart = kApart}, nodes);
    const std::vector<Span64> first = buffersOf(nodes[0]);
    const std::vector<Span64> second = buffersOf(nodes[1]);
    REQUIRE(first.size() == 2);
    REQUIRE(second.size() == 2);
    CHECK(overlap(first[0], second[0]));
    CHECK_FALSE(overlap(first[1], second[1]));
}

TEST_CASE("buffers begin in banks of their own where there is room [Q-5]") {
    std::vector<NodePlan> nodes(2, node(buffers(2, 100), {}));
    const Free free(2, {{0, 4096}});
    separateBuffers(graphOf(nodes.size()), around(free, 1024), {.nodesApart = kApart}, nodes);
    std::vector<bool> isTaken(4, false);
    for (const NodePlan& each : nodes) {
        for (const Span64& buffer : buffersOf(each)) {
            CHECK(buffer.begin % 1024 == 0);
            CHECK_FALSE(isTaken[buffer.begin / 1024]);
            isTaken[buffer.begin / 1024] = true;
        }
    }
}

TEST_CASE("buffers avoid banks that their node or the one before uses where asked to [Q-5]") {
    // Three banks. A resident tensor takes half of the first one, nodes 0 and 1 the first halves of
    // the second and the third, so that no bank is free for node 2.
    const Free free(3, {{512, 3072}});
    const std::vector<NodePlan> planned = {node(buffers(1, 512), {}), node(buffers(1, 512), {}),
                                           node(buffers(2, 256), {})};
    const auto banksOf = [&](const SeparationRules& rules) {
        std::vector<NodePlan> nodes = planned;
        separateBuffers(graphOf(nodes.size()), around(free, 1024), rules, nodes);
        CHECK(buffersOf(nodes[0])[0].begin == 1024);
        CHECK(buffersOf(nodes[1])[0].begin == 2048);
        std::vector<std::uint64_t> banks;
        for (const Span64& buffer : buffersOf(nodes[2])) {
            CHECK_FALSE(overlap(nodes[2], nodes[1]));
            CHECK_FALSE(overlap(nodes[2], nodes[0]));
            banks.push_back(buffer.begin / 1024);
        }
        return banks;
    };
    CHECK(banksOf({.nodesApart = kApart}) == std::vector<std::uint64_t>{0, 0});
    // The second buffer avoids that of the first one, too, and finds only banks in use.
    CHECK(banksOf({.nodesApart = kApart, .avoidsBusyBanks = true}) ==
          std::vector<std::uint64_t>{1, 0});
}

TEST_CASE("buffers avoid the banks of residents that begin with their node [Q-5]") {
    // Four banks, half of each taken by nodes 0 and 1. A resident tensor of node 2 lies behind the
    // first one's, with 256 bytes between them.
    const Free free = {{{0, 4096}}, {{0, 4096}}, {{0, 768}, {1024, 4096}}};
    std::vector<NodePlan> nodes = {node(buffers(2, 512), {}), node(buffers(2, 512), {}),
                                   node(buffers(1, 256), {})};
    separateBuffers(graphOf(nodes.size()), around(free, 1024),
                    {.nodesApart = kApart, .avoidsBusyBanks = true}, nodes);
    CHECK(buffersOf(nodes[0])[0].begin == 0);
    CHECK(buffersOf(nodes[2])[0].begin == 1024 + 512);
}

TEST_CASE("the SRAM is filled from one end or from both in turn [Q-5]") {
    for (const bool fromOneEnd : {true, false}) {
        std::vector<NodePlan> nodes(4, node(buffers(1, 640), {}));
        const Free free(4, {{0, std::uint64_t{4} * 640}});
        separateBuffers(graphOf(nodes.size()), around(free, 0),
                        {.nodesApart = kApart, .fromOneEnd = fromOneEnd}, nodes);
        const std::vector<std::uint64_t> places = placesOf(nodes, 640);
        CHECK(places == (fromOneEnd ? std::vector<std::uint64_t>{0, 1, 2, 3}
                                    : std::vector<std::uint64_t>{0, 3, 1, 2}));
    }
}

TEST_CASE("a node that fits only as it was planned keeps its plan [Q-5]") {
    std::vector<NodePlan> nodes(1, node(buffers(1, 96), buffers(1, 64)));
    const auto before = nodes[0].plan;
    // The larger buffer goes first and takes the larger gap, but 64 bytes are left nowhere.
    const Free free(1, {{0, 128}, {256, 288}});
    separateBuffers(graphOf(nodes.size()), around(free, 0), {.nodesApart = kApart}, nodes);
    CHECK(nodes[0].plan == before);
}

TEST_CASE("buffers lie in the free SRAM and never on one another [E-5]") {
    std::mt19937 random(7);
    const auto below = [&random](std::uint32_t end) {
        return static_cast<std::uint32_t>(random()) % end;
    };
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        const std::uint64_t gap = 2048 + 32 * below(64);
        const Free free(8, {{0, gap}, {gap + 512, 8192}});
        std::vector<NodePlan> nodes;
        nodes.reserve(free.size());
        for (int n = 0; n < 8; ++n) {
            nodes.push_back(
                    node(buffers(1 + below(2), 1 + below(900)), buffers(1, 1 + below(900))));
        }
        separateBuffers(graphOf(nodes.size()), around(free, round % 2 == 0 ? 0 : 1024),
                        {.nodesApart = kApart,
                         .avoidsBusyBanks = round % 3 == 0,
                         .fromOneEnd = round % 5 == 0},
                        nodes);
        for (const NodePlan& each : nodes) {
            const std::vector<Span64> spans = buffersOf(each);
            for (std::size_t i = 0; i < spans.size(); ++i) {
                CHECK((spans[i].end <= gap ||
                       (spans[i].begin >= gap + 512 && spans[i].end <= 8192)));
                for (std::size_t k = 0; k < i; ++k) {
                    CHECK_FALSE(overlap(spans[i], spans[k]));
                }
            }
        }
    }
}

TEST_SUITE_END();

}  // namespace vnpu::driver
