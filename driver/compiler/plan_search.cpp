// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "driver/compiler/rewrite/cascade.h"
#include "driver/compiler/rewrite/filter_order.h"
#include "driver/compiler/rewrite/filter_parts.h"
#include "driver/compiler/rewrite/fusion.h"

namespace vnpu::driver {
namespace {

/// The next smaller size of a fixed series with eight sizes between powers of two: 8, 9, 10 ... 15,
/// 16, 18, 20 ...
std::uint64_t sizeBelow(std::uint64_t bytes) {
    const std::uint64_t last = bytes - 1;
    const std::uint64_t step = std::bit_floor(last) / 8;
    return step == 0 ? 0 : last / step * step;
}

using Found = PlanSearch::Found;

// chosen: what a preempted job saves and loads again grows with the loads that run ahead
constexpr double kNearLoss = 1.002;

// chosen: a plan in less memory leaves less room for loads that run ahead (tryPlacements)
constexpr double kLeastGain = 1.005;

// chosen: layer by layer, the states of all steps of a layer live until the next layer has taken
// them, and a preempted job saves them; parts of filters take more commands
constexpr double kLeastFormGain = 1.02;

// chosen: the nodes of a form whose buffers are tried at other places, too; a plan takes 0.1 s for
// twice as many
constexpr std::size_t kMostPlacedNodes = 1000;

/// `leastGain`: the cost so far over that of a plan that is worth taking instead.
void keepBetter(std::optional<Found> found, std::optional<Found>& best, double leastGain = 1) {
    if (found && (!best || found->stream.cost() * leastGain < best->stream.cost())) {
        best.emplace(std::move(*found));
    }
}

/// The bytes of all filters that several nodes share (copySharedFilters).
std::uint64_t sharedBytes(const Graph& graph) {
    std::uint64_t bytes = 0;
    for (const Storage& storage : graph.storages) {
        bytes += storage.kind == StorageKind::kSramCopy ? storage.sizeBytes : 0;
    }
    return bytes;
}

/// The graph in the order of its shared filters, and both orders with these filters in parts of a
/// multiple of `channels`.
std::vector<Graph> otherForms(const Graph& graph, std::uint32_t channels) {
    std::vector<Graph> forms;
    const auto addDivided = [&](const Graph& order) {
        for (const std::uint32_t parts : {2U, 3U, 4U}) {  // chosen: more take too many commands
            if (auto divided = divideSharedFilters(order, parts, channels)) {
                forms.push_back(std::move(*divided));
            }
        }
    };
    const auto ordered = orderByFilters(graph);
    if (ordered) {
        forms.push_back(*ordered);
    }
    addDivided(graph);
    if (ordered) {
        addDivided(*ordered);
    }
    return forms;
}

bool loadsRunAhead(const PlanLimits& limits) {
    return limits.separation.nodesApart != 0;
}

/// The same limits with other rules that keep the buffers of neighboring nodes apart.
std::vector<PlanLimits> separatedOtherwise(const PlanLimits& limits) {
    std::vector<PlanLimits> others;
    if (!loadsRunAhead(limits)) {
        return others;
    }
    for (const auto& [avoidsBusyBanks, fromOneEnd] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
        PlanLimits& other = others.emplace_back(limits);
        other.spreadsOverBanks = avoidsBusyBanks;
        other.separation.avoidsBusyBanks = avoidsBusyBanks;
        other.separation.fromOneEnd = fromOneEnd;
    }
    return others;
}

/// The same limits with buffers spread over the banks or not, and with several sizes of the memory
/// that is kept for loads that run ahead.
std::vector<PlanLimits> spreadOtherwise(const PlanLimits& limits) {
    std::vector<PlanLimits> others;
    for (const bool spreads : {true, false}) {
        for (const std::uint64_t share : {0U, 4U, 8U}) {
            PlanLimits other = limits;
            other.spreadsOverBanks = spreads;
            other.aheadBytes = share == 0 ? 0 : limits.sramBytes / share;
            if (other != limits && (share == 0 || loadsRunAhead(limits))) {
                others.push_back(other);
            }
        }
    }
    return others;
}

}  // namespace

Result<void> goOn(const CompileOptions& options, const char* stage) {
    if (options.mayGoOn && !options.mayGoOn()) {
        return fail(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                    fmt::format("there is no time left for {}", stage));
    }
    return {};
}

Result<Found> PlanSearch::run(const Graph& listed) {
    VNPU_TRY_ASSIGN(auto whole, attemptForms(listed));
    const Graph graph = whole ? whole->graph : listed;
    VNPU_TRY_ASSIGN(auto best, runCandidates(graph, std::move(whole)));
    for (const auto extent : {ImageGroups::Extent::kAll, ImageGroups::Extent::kLargeImages}) {
        VNPU_TRY(divideImages(ImageGroups(graph, extent), best));
    }
    if (!best) {
        return tl::unexpected(*refusal_);
    }
    preferNear(best);
    return std::move(*best);
}

Result<std::optional<Found>> PlanSearch::attemptForms(const Graph& graph) {
    VNPU_TRY_ASSIGN(auto best, attemptWhole(graph));
    const DeviceInfo& device = inputs_.costs.device();
    if (sharedBytes(graph) > device.sramBytes) {
        for (const Graph& form : otherForms(graph, std::max(device.macColumns, 1U))) {
            VNPU_TRY_ASSIGN(auto found, attemptWhole(form));
            if (form.nodes.size() <= kMostPlacedNodes) {
                tryPlacements(found);
            }
            keepBetter(std::move(found), best, kLeastFormGain);
        }
    }
    return best;
}

Result<std::optional<Found>> PlanSearch::runCandidates(const Graph& graph,
                                                       std::optional<Found> best) {
    const std::uint64_t sramBytes = inputs_.costs.device().sramBytes;
    std::vector<std::pair<double, std::uint64_t>> shares;
    for (const std::uint64_t share : {1U, 2U, 4U}) {
        VNPU_TRY_ASSIGN(auto cut, attempt(graph, {true, sramBytes, sramBytes / share}));
        if (cut) {
            shares.emplace_back(cut->stream.cost(), share);
        }
        keepBetter(std::move(cut), best);
    }
    std::sort(shares.begin(), shares.end());
    shares.resize(std::min<std::size_t>(shares.size(), 2));
    // chosen: what a plan gains by less memory is chance, and seldom lies further away
    constexpr int kSmallerSizes = 4;
    // chosen: likewise for a graph that is not cut; it has many nodes, so that each plan takes long
    const int smallerWholes = sharedBytes(graph) != 0 ? 2 : 0;
    std::uint64_t smaller = sramBytes;
    for (int i = 0; i < kSmallerSizes && smaller > 1; ++i) {
        smaller = sizeBelow(smaller);
        if (i < smallerWholes) {
            VNPU_TRY_ASSIGN(auto whole, attempt(graph, {.sramBytes = smaller}));
            keepBetter(std::move(whole), best, kLeastGain);
        }
        for (const auto& [cost, share] : shares) {
            VNPU_TRY_ASSIGN(auto cut, attempt(graph, {true, smaller, smaller / share}));
            keepBetter(std::move(cut), best, kLeastGain);
        }
    }
    tryPlacements(best);
    return best;
}

void PlanSearch::tryPlacements(std::optional<Found>& best) {
    if (!best) {
        return;
    }
    const Graph graph = best->graph;
    for (const auto otherwise : {separatedOtherwise, spreadOtherwise}) {
        for (const PlanLimits& limits : otherwise(best->limits)) {
            keepBetter(plan(graph, limits), best);
        }
    }
}

void PlanSearch::preferNear(std::optional<Found>& best) {
    PlanLimits limits = best->limits;
    for (const std::size_t nodes : {0U, 1U, 2U, 4U, 8U}) {
        if (nodes >= best->limits.separation.nodesApart) {
            return;
        }
        limits.separation.nodesApart = nodes;
        auto near = plan(best->graph, limits);
        if (near && near->stream.cost() <= kNearLoss * best->stream.cost()) {
            best.emplace(std::move(*near));
            return;
        }
    }
}

Result<void> PlanSearch::divideImages(const ImageGroups& groups, std::optional<Found>& best) {
    std::optional<Found> fastest;
    std::uint32_t images = 1;
    for (std::uint32_t count = 1; count * 2 <= groups.images() && groups.images() % count == 0;
         count *= 2) {
        const Graph group = groups.firstGroup(count);
        VNPU_TRY_ASSIGN(auto whole, attemptWhole(group));
        VNPU_TRY_ASSIGN(auto found, runCandidates(group, std::move(whole)));
        const bool isFaster = found && (!fastest || found->stream.cost() / count <
                                                            fastest->stream.cost() / images);
        if (isFaster) {
            fastest.emplace(std::move(*found));
            images = count;
        }
    }
    if (fastest) {
        VNPU_TRY_ASSIGN(auto all, attempt(groups.repeated(fastest->graph, images),
                                          {.sramBytes = fastest->limits.sramBytes}));
        tryPlacements(all);
        keepBetter(std::move(all), best);
    }
    return {};
}

Result<std::optional<Found>> PlanSearch::attemptWhole(const Graph& graph) {
    return attempt(graph, {.sramBytes = inputs_.costs.device().sramBytes});
}

Result<std::optional<Found>> PlanSearch::attempt(const Graph& graph, const Candidate& candidate) {
    VNPU_TRY(goOn(inputs_.options, "planning the memory"));
    const PlanLimits limits{.sramBytes = candidate.sramBytes,
                            .separation = {.nodesApart = inputs_.costs.device().loadsAhead}};
    if (!candidate.isCut) {
        return plan(graph, limits);
    }
    const auto cut =
            cascade(graph, inputs_.costs, convolutions_,
                    {.sramBytes = candidate.sramBytes, .largestResident = candidate.keptBytes});
    return cut ? plan(*cut, limits) : std::nullopt;
}

Result<OrderedStream> PlanSearch::streamOf(Graph graph, const PlanLimits& limits) {
    flattenPointwise(graph);
    auto memory = planMemory(graph, inputs_.costs, convolutions_, limits);
    if (!memory) {
        return report(memory.error());
    }
    return orderStream(graph, *memory, inputs_);
}

std::optional<Found> PlanSearch::plan(const Graph& graph, const PlanLimits& limits) {
    auto stream = streamOf(graph, limits);
    if (stream) {
        return Found{graph, limits, std::move(*stream)};
    }
    if (!refusal_) {
        refusal_ = std::move(stream).error();
    }
    return std::nullopt;
}

}  // namespace vnpu::driver
