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

// chosen: layer by layer, the states of all steps of a layer live until the next layer has taken
// them, and a preempted job saves them; parts of filters take more commands
constexpr double kLeastFormGain = 1.02;

// chosen: larger graphs are planned in fewer ways; a plan takes 0.1 s for twice as many nodes
constexpr std::size_t kLargeGraphNodes = 1000;

// chosen: parts of the SRAM that buffers may take whose loads are expected to run ahead, the usual
// one first
constexpr std::uint64_t kAheadShares[] = {4, 8};

// chosen: what a change from one plan's limits to another's is taken to cost, as shares of the
// whole time, because loads that ran ahead across it may no longer do so
constexpr double kChangeCosts[] = {0.001, 0.003, 0.008};

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

/// Limits of stripes in all of the SRAM.
std::vector<SramLimits> inStripes(const DeviceInfo& device) {
    std::vector<SramLimits> limits{{device.sramBytes, 1}};
    if (!device.resultsLeave) {  // there, no tensor stays whole
        limits.push_back({device.sramBytes, 2});
        limits.push_back({device.sramBytes, 4});
    }
    for (const bool dividesChannels : {false, true}) {
        limits.push_back({.sramBytes = device.sramBytes,
                          .keptShare = 1,
                          .allowsSerialStripes = true,
                          .dividesChannels = dividesChannels});
    }
    return limits;
}

/// How many smaller memories are tried, and in how many of them with the limits of two plans.
struct SmallerSizes {
    int all = 0, ofTwo = 0;
};
// chosen: what a plan gains by less memory is chance; fewer sizes make a network slower with more
// memory, because the mixes of plans (plan_mix.h) have fewer to choose from
constexpr SmallerSizes kSmallerSizes{7, 4};
constexpr SmallerSizes kSmallerSizesOfLargeGraphs{2, 2};

/// The limits of the best one of these plans in each of some smaller memories, and of the next best
/// one in the largest of these. Plans of the same cost are taken to be the same.
std::vector<SramLimits> inSmallerSram(std::vector<TriedPlan> plans, std::uint64_t sramBytes,
                                      const SmallerSizes& sizes) {
    std::ranges::stable_sort(plans, {}, &TriedPlan::cost);
    const auto costsSame = [](const TriedPlan& a, const TriedPlan& b) { return a.cost == b.cost; };
    plans.erase(std::unique(plans.begin(), plans.end(), costsSame), plans.end());
    std::vector<SramLimits> smaller;
    for (int i = 0; i < sizes.all && sramBytes > 1; ++i) {
        sramBytes = sizeBelow(sramBytes);
        const std::size_t count = i < sizes.ofTwo ? 2 : 1;
        for (std::size_t p = 0; p < std::min(count, plans.size()); ++p) {
            SramLimits& limits = smaller.emplace_back(plans[p].limits);
            limits.sramBytes = sramBytes;
        }
    }
    return smaller;
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

/// The same limits with buffers spread over the banks or not, and with several sizes of the buffers
/// whose loads run ahead.
std::vector<PlanLimits> spreadOtherwise(const PlanLimits& limits, std::uint64_t deviceBytes) {
    std::vector<std::uint64_t> sizes{0};
    if (loadsRunAhead(limits)) {
        for (const std::uint64_t share : kAheadShares) {
            sizes.push_back(deviceBytes / share);
        }
    }
    std::vector<PlanLimits> others;
    for (const bool spreads : {true, false}) {
        for (const std::uint64_t aheadBytes : sizes) {
            PlanLimits other = limits;
            other.spreadsOverBanks = spreads;
            other.aheadBytes = aheadBytes;
            if (other != limits) {
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
        for (const Graph& form : otherForms(graph, device.macColumns)) {
            VNPU_TRY_ASSIGN(auto found, attemptWhole(form));
            if (form.nodes.size() <= kLargeGraphNodes) {
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
    std::vector<TriedPlan> plans;
    const auto tryLimits = [&](const SramLimits& limits) -> Result<void> {
        VNPU_TRY_ASSIGN(auto found, attempt(graph, limits));
        if (found) {
            plans.push_back(describePlan(found->graph, found->stream, limits));
        }
        keepBetter(std::move(found), best);
        return {};
    };
    if (best) {
        plans.push_back(describePlan(best->graph, best->stream, {sramBytes}));
    }
    for (const SramLimits& limits : inStripes(inputs_.costs.device())) {
        VNPU_TRY(tryLimits(limits));
    }
    const bool isLarge = graph.nodes.size() > kLargeGraphNodes;
    for (const SramLimits& smaller :
         inSmallerSram(plans, sramBytes, isLarge ? kSmallerSizesOfLargeGraphs : kSmallerSizes)) {
        VNPU_TRY(tryLimits(smaller));
    }
    tryPlacements(best);
    if (best && !isLarge) {
        VNPU_TRY(tryMixes(graph, plans, best));
    }
    return best;
}

Result<void> PlanSearch::tryMixes(const Graph& graph, const std::vector<TriedPlan>& plans,
                                  std::optional<Found>& best) {
    PlanLimits limits = best->limits;
    const double cycles = best->stream.cycles();
    std::vector<SramLimits> last;
    for (const double cost : kChangeCosts) {
        limits.sram = mixLimits(plans, cost * cycles);
        if (limits.sram.size() > 1 && limits.sram != last) {
            VNPU_TRY_ASSIGN(auto found, attemptWithin(graph, limits));
            keepBetter(std::move(found), best);
        }
        last = limits.sram;
    }
    return {};
}

void PlanSearch::tryPlacements(std::optional<Found>& best) {
    if (!best) {
        return;
    }
    const auto tryAll = [&](const std::vector<PlanLimits>& others) {
        for (const PlanLimits& limits : others) {
            keepBetter(replan(*best, limits), best);
        }
    };
    tryAll(separatedOtherwise(best->limits));
    tryAll(spreadOtherwise(best->limits, inputs_.costs.device().sramBytes));
}

void PlanSearch::preferNear(std::optional<Found>& best) {
    PlanLimits limits = best->limits;
    for (const std::size_t nodes : {0U, 1U, 2U, 4U, 8U}) {
        if (nodes >= best->limits.separation.nodesApart) {
            return;
        }
        limits.separation.nodesApart = nodes;
        auto near = replan(*best, limits);
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
        VNPU_TRY_ASSIGN(auto all,
                        attemptWithin(groups.repeated(fastest->graph, images), fastest->limits));
        tryPlacements(all);
        keepBetter(std::move(all), best);
    }
    return {};
}

Result<std::optional<Found>> PlanSearch::attemptWhole(const Graph& graph) {
    return attempt(graph, {inputs_.costs.device().sramBytes});
}

Result<std::optional<Found>> PlanSearch::attempt(const Graph& graph, const SramLimits& sram) {
    const DeviceInfo& device = inputs_.costs.device();
    const std::uint64_t aheadBytes =
            device.loadsAhead == 0 ? 0 : device.sramBytes / kAheadShares[0];
    return attemptWithin(graph, {.sram = {sram},
                                 // Where results leave, room for tiles counts more than banks.
                                 .spreadsOverBanks = !device.resultsLeave,
                                 .separation = {.nodesApart = device.loadsAhead},
                                 .aheadBytes = aheadBytes});
}

Result<std::optional<Found>> PlanSearch::attemptWithin(const Graph& graph, PlanLimits limits) {
    VNPU_TRY(goOn(inputs_.options, "planning the memory"));
    const PlanLimits cutLimits{.sram = limits.sram};
    bool isStriped = false;
    for (SramLimits& sram : limits.sram) {
        isStriped = std::exchange(sram.keptShare, 0) != 0 || isStriped;
    }
    if (!isStriped) {
        return plan(graph, limits);
    }
    const MeasurePlan measure = [&](Graph group, MemoryPlan memory) {
        placeBuffers(group, inputs_.costs.device(), limits, memory);
        const auto stream = orderStream(group, memory, inputs_);
        return stream ? std::optional(stream->cost()) : std::nullopt;
    };
    const auto cut = cascade(graph, inputs_.costs, convolutions_, cutLimits, measure);
    return cut ? plan(*cut, limits) : std::nullopt;
}

std::optional<Found> PlanSearch::plan(const Graph& graph, const PlanLimits& limits) {
    auto tiles = planMemory(flattened(graph), inputs_.costs, convolutions_, limits);
    if (!tiles) {
        keepRefusal(report(tiles.error()).value());
        return std::nullopt;
    }
    return place(graph, limits, std::move(*tiles));
}

std::optional<Found> PlanSearch::replan(const Found& found, const PlanLimits& limits) {
    PlanLimits likewise = limits;
    likewise.separation = found.limits.separation;
    return likewise == found.limits ? place(found.graph, limits, found.tiles)
                                    : plan(found.graph, limits);
}

std::optional<Found> PlanSearch::place(const Graph& graph, const PlanLimits& limits,
                                       MemoryPlan tiles) {
    MemoryPlan memory = tiles;
    placeBuffers(graph, inputs_.costs.device(), limits, memory);
    Graph flat = flattened(graph);
    auto stream = orderStream(flat, memory, inputs_);
    if (!stream) {
        keepRefusal(stream.error());
        return std::nullopt;
    }
    return Found{graph, limits, std::move(tiles), std::move(*stream)};
}

void PlanSearch::keepRefusal(const Error& refusal) {
    if (!refusal_) {
        refusal_ = refusal;
    }
}

}  // namespace vnpu::driver
