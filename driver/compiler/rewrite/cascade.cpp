// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/rewrite/cascade.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "driver/compiler/ir/graph_users.h"
#include "driver/compiler/plan/memory_planner.h"
#include "driver/compiler/rewrite/channel_parts.h"
#include "driver/compiler/rewrite/fusion.h"
#include "driver/compiler/rewrite/node_order.h"
#include "driver/compiler/rewrite/stripes.h"
#include "hw_model/regs/rounding.h"

namespace vnpu::driver {
namespace {

// chosen: unrolled recurrent networks have thousands of nodes, all small
constexpr std::size_t kMostNodes = 1000;
constexpr std::size_t kLargestGroup = 8;  // chosen: bounds the search
constexpr std::size_t kVainTries = 3;     // chosen: tries without a better one that end the search
constexpr std::uint32_t kMostStripes = 32;  // chosen: bounds the search, too
// chosen: least gain, as a share of a group's cycles, for which it is cut
constexpr double kLeastGain = 0.02;
// chosen: a filter of at most a third of the SRAM finds room beside pieces of all channels
constexpr std::uint64_t kLargeFilterShare = 3;
// chosen: parts of a convolution's channels that are worth a try; more of them read the image too
// often
constexpr std::uint32_t kChannelParts[] = {2, 3, 4, 6, 8};
// chosen: the estimates of these forms and their schedules differ by up to a quarter, but more
// schedules than these found hardly better ones
constexpr double kCloseEstimate = 1.15;
constexpr std::size_t kMostMeasured = 10;

using Group = std::vector<std::size_t>;  // nodes, ascending

/// A form and its estimate.
struct TriedForm {
    StripeForm form;
    double cycles = 0;
};

/// A group and how it is cut.
struct Cut {
    Group group;
    StripeForm form;
    double gain = 0;               // cycles
    std::vector<TriedForm> tried;  // if its channels are divided
};

/// divisibleChannels() of a group whose convolution has a large filter; 0 of others.
std::uint32_t largeFilterChannels(const Graph& graph, const Group& group,
                                  const DeviceInfo& device) {
    const std::uint32_t channels = divisibleChannels(graph, group);
    if (channels == 0) {
        return 0;
    }
    const auto& conv = std::get<ConvNode>(graph.nodes[group.front()].work);
    const std::uint64_t bytes = graph.tensors[conv.filter].sizeBytes();
    return bytes * kLargeFilterShare > device.sramBytes ? channels : 0;
}

/// Whether a convolution of the graph has a large filter and channels that can be divided.
bool hasLargeFilter(const Graph& graph, const DeviceInfo& device) {
    const GraphEdges edges(graph);
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const auto* conv = std::get_if<ConvNode>(&graph.nodes[n].work);
        if (conv == nullptr || edges.readers[conv->output].empty()) {
            continue;
        }
        Group group{n};
        group.insert(group.end(), edges.readers[conv->output].begin(),
                     edges.readers[conv->output].end());
        if (largeFilterChannels(graph, group, device) != 0) {
            return true;
        }
    }
    return false;
}

/// Rows of a stripe that are worth a try for an output of so many, falling: all, half, a third, a
/// fifth and so on, even where they are more than two, because Winograd takes pairs of rows. With
/// `triesLow`, also two less where that gives the same height twice.
std::vector<std::uint32_t> heightsOf(std::uint32_t rows, bool triesLow) {
    std::vector<std::uint32_t> heights;
    for (std::uint32_t stripes = 1; stripes <= std::min(rows, kMostStripes);
         stripes += (stripes + 1) / 2) {
        std::uint32_t height = (rows + stripes - 1) / stripes;
        const bool isOdd = stripes > 1 && height > 2 && height < rows && height % 2 == 1;
        height += isOdd ? 1 : 0;
        if (triesLow && !heights.empty() && height == heights.back() && height > 2) {
            height -= 2;
        }
        if (heights.empty() || height < heights.back()) {
            heights.push_back(height);
        }
    }
    return heights;
}

double cyclesOf(const MemoryPlan& plan) {
    return std::accumulate(plan.nodes.begin(), plan.nodes.end(), 0.0,
                           [](double sum, const NodePlan& node) { return sum + node.cycles; });
}

class Cascader {
  public:
    Cascader(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions,
             const PlanLimits& limits, const MeasurePlan& measure, MemoryPlan plan)
        : graph_(graph),
          trial_(graph),
          edges_(graph),
          costs_(costs),
          convolutions_(convolutions),
          limits_(limits),
          measure_(measure),
          plan_(std::move(plan)),
          lives_(livesOf(graph)),
          isTaken_(graph.nodes.size(), false),
          order_(graph, edges_) {}

    std::optional<Graph> run() {
        for (const Group& seed : findSeeds()) {
            if (auto cut = evaluate(seed)) {
                grow(*cut);
                if (cut->gain > 0) {
                    measureForms(*cut);
                    accept(std::move(*cut));
                }
            }
        }
        if (cuts_.empty()) {
            return std::nullopt;
        }
        return rewritten();
    }

  private:
    bool isResident(TensorId tensor) const {
        return plan_.residentAt[graph_.tensors[tensor].storage].has_value();
    }

    /// Groups around the tensors that go through memory, the largest traffic first.
    std::vector<Group> findSeeds() const {
        std::vector<std::pair<std::uint64_t, Group>> seeds;
        for (TensorId t = 0; t < graph_.tensors.size(); ++t) {
            const Group& readers = edges_.readers[t];
            const Group& writers = edges_.writers[t];
            if (readers.empty() || isResident(t) || graph_.isConstant(t)) {
                continue;
            }
            const std::uint64_t bytes = graph_.tensors[t].sizeBytes();
            if (writers.size() == 1) {
                seeds.emplace_back(bytes * (readers.size() + 1), joined(writers, readers));
            }
            if (readers.size() > 1) {
                seeds.emplace_back(bytes * readers.size(), joined(readers, {}));
            }
        }
        std::stable_sort(seeds.begin(), seeds.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<Group> groups;
        groups.reserve(seeds.size());
        for (auto& [bytes, group] : seeds) {
            groups.push_back(std::move(group));
        }
        return groups;
    }

    static Group joined(const Group& a, const Group& b) {
        Group group = a;
        group.insert(group.end(), b.begin(), b.end());
        std::sort(group.begin(), group.end());
        group.erase(std::unique(group.begin(), group.end()), group.end());
        return group;
    }

    /// Adds producers and readers of the tensors at the group's edges while the gain rises.
    void grow(Cut& cut) {
        for (bool hasGrown = true; hasGrown;) {
            hasGrown = false;
            for (const Group& larger : neighbors(cut.group)) {
                auto other = evaluate(larger);
                if (other && other->gain > cut.gain) {
                    cut = std::move(*other);
                    hasGrown = true;
                    break;
                }
            }
        }
    }

    std::vector<Group> neighbors(const Group& group) const {
        std::vector<Group> groups;
        for (const std::size_t n : group) {
            for (const TensorId tensor : edges_.outputs[n]) {
                addNeighbor(groups, group, tensor, edges_.readers[tensor]);
            }
            for (const TensorId tensor : edges_.inputs[n]) {
                addNeighbor(groups, group, tensor, edges_.writers[tensor]);
            }
        }
        return groups;
    }

    void addNeighbor(std::vector<Group>& groups, const Group& group, TensorId tensor,
                     const Group& users) const {
        if (isResident(tensor) || graph_.isConstant(tensor)) {
            return;
        }
        Group larger = joined(group, users);
        if (larger != group && std::find(groups.begin(), groups.end(), larger) == groups.end()) {
            groups.push_back(std::move(larger));
        }
    }

    /// The best way to cut a group; nothing if it cannot or must not be cut.
    std::optional<Cut> evaluate(const Group& group) {
        const bool isFree = std::none_of(group.begin(), group.end(),
                                         [this](std::size_t n) { return isTaken_[n]; });
        if (!isFree || group.size() < 2 || group.size() > kLargestGroup || !mayBeCut(group) ||
            !order_.placeOf(group)) {
            return std::nullopt;
        }
        const auto known = known_.find(group);
        return known != known_.end() ? known->second
                                     : known_.emplace(group, bestCut(group)).first->second;
    }

    const SramLimits& sramOf(const Group& group) const {
        return limits_.sramOf(graph_.nodes[group.front()]);
    }

    bool mayBeCut(const Group& group) const {
        const SramLimits& limits = sramOf(group);
        return limits.keptShare != 0 && std::all_of(group.begin(), group.end(), [&](std::size_t n) {
                   return &limits_.sramOf(graph_.nodes[n]) == &limits;
               });
    }

    /// Whether a convolution of the group reads what follows from another one in it.
    bool chainsConvolutions(const Group& group) const {
        std::vector<bool> follows(graph_.tensors.size(), false);
        for (const std::size_t n : group) {
            const bool isConvolution = std::holds_alternative<ConvNode>(graph_.nodes[n].work);
            const bool isBehind = std::any_of(edges_.inputs[n].begin(), edges_.inputs[n].end(),
                                              [&](TensorId tensor) { return follows[tensor]; });
            if (isConvolution && isBehind) {
                return true;
            }
            for (const TensorId tensor : edges_.outputs[n]) {
                follows[tensor] = isConvolution || isBehind;
            }
        }
        return false;
    }

    /// Does not depend on the groups that are cut already.
    std::optional<Cut> bestCut(const Group& group) {
        if (costs_.device().resultsLeave && chainsConvolutions(group)) {
            return std::nullopt;
        }
        const std::vector<TakenRange> beside = residentsBeside(group);
        const double displaced = displacedCycles(group);
        double before = 0;
        for (const std::size_t n : group) {
            before += plan_.nodes[n].cycles;
        }
        const std::vector<std::uint32_t> channels = channelsAtATime(group);
        Cut best{group, {}, 0, {}};
        std::size_t vain = 0;
        double least = std::numeric_limits<double>::max();
        for (const std::uint32_t rows :
             heightsOf(stripedRows(graph_, group), sramOf(group).allowsSerialStripes)) {
            const std::vector<TriedForm> forms = tryForms(group, rows, channels, beside);
            if (forms.empty()) {
                continue;
            }
            const TriedForm& fastest = *std::ranges::min_element(forms, {}, &TriedForm::cycles);
            const double cycles = fastest.cycles + displaced;
            vain = cycles < least ? 0 : vain + 1;
            least = std::min(least, cycles);
            const double gain = before - cycles;
            if (gain > kLeastGain * before && gain > best.gain) {
                best.form = fastest.form;
                best.gain = gain;
            }
            if (channels.front() != 0) {
                best.tried.insert(best.tried.end(), forms.begin(), forms.end());
            }
            if (vain == kVainTries) {
                break;
            }
        }
        return best.gain > 0 ? std::optional(std::move(best)) : std::nullopt;
    }

    /// How many output channels of the group's convolution are made at a time; 0: all.
    std::vector<std::uint32_t> channelsAtATime(const Group& group) const {
        const DeviceInfo& device = costs_.device();
        const std::uint32_t all =
                sramOf(group).dividesChannels ? largeFilterChannels(graph_, group, device) : 0;
        std::vector<std::uint32_t> counts;
        for (const std::uint32_t parts : kChannelParts) {
            const auto count = static_cast<std::uint32_t>(
                    hw::roundUp(hw::divideUp(all, parts), device.macColumns));
            if (count < (counts.empty() ? all : counts.back())) {
                counts.push_back(count);
            }
        }
        return counts.empty() ? std::vector<std::uint32_t>{0} : counts;
    }

    /// The forms of stripes of so many rows that fit the SRAM; serial ones only where they are
    /// allowed.
    std::vector<TriedForm> tryForms(const Group& group, std::uint32_t rows,
                                    std::span<const std::uint32_t> channels,
                                    std::span<const TakenRange> beside) {
        std::vector<TriedForm> forms;
        for (const bool isSerial : {false, true}) {
            if (isSerial && !sramOf(group).allowsSerialStripes) {
                continue;
            }
            for (const std::uint32_t count : channels) {
                const StripeForm form{rows, isSerial, costs_.device().winograd && !isSerial, count};
                if (const auto cycles = cyclesInStripes(group, form, beside)) {
                    forms.push_back({form, *cycles});
                }
            }
        }
        return forms;
    }

    /// Takes the form with the best schedule of those with the best estimates, if channels are
    /// divided: what overlaps there depends on the room that the buffers find.
    void measureForms(Cut& cut) {
        std::ranges::stable_sort(cut.tried, {}, &TriedForm::cycles);
        cut.tried.resize(std::min(cut.tried.size(), kMostMeasured));
        const std::vector<TakenRange> beside = residentsBeside(cut.group);
        double least = std::numeric_limits<double>::max();
        for (const TriedForm& tried : cut.tried) {
            if (tried.cycles > kCloseEstimate * cut.tried.front().cycles) {
                break;
            }
            const auto cycles = cyclesInStripes(cut.group, tried.form, beside, &measure_);
            if (cycles && *cycles < least) {
                least = *cycles;
                cut.form = tried.form;
            }
        }
    }

    /// Cycles of the group alone in stripes, by estimate or by `measure`; nothing if its pieces do
    /// not fit the SRAM.
    std::optional<double> cyclesInStripes(const Group& group, const StripeForm& form,
                                          std::span<const TakenRange> beside,
                                          const MeasurePlan* measure = nullptr) {
        std::optional<double> cycles;
        if (auto nodes = cutIntoStripes(trial_, group, form)) {
            trial_.nodes.swap(*nodes);
            if (auto plan = planTrial(beside, sramOf(group).sramBytes)) {
                cycles =
                        measure == nullptr ? cyclesOf(*plan) : (*measure)(trial_, std::move(*plan));
            }
            trial_.nodes.swap(*nodes);
        }
        trial_.tensors.resize(graph_.tensors.size());
        trial_.storages.resize(graph_.storages.size());
        return cycles;
    }

    /// Plans the nodes of `trial_`. Tensors from outside the group keep their places.
    std::optional<MemoryPlan> planTrial(std::span<const TakenRange> beside,
                                        std::uint64_t sramBytes) {
        for (std::size_t s = 0; s < graph_.storages.size(); ++s) {
            if (graph_.storages[s].kind == StorageKind::kScratch) {
                trial_.storages[s].kind = StorageKind::kInput;
            }
        }
        std::optional<MemoryPlan> plan;
        if (mayFit(trial_, sramBytes)) {
            flattenPointwise(trial_);
            sizeStorages(trial_);
            if (auto found = planMemory(trial_, costs_, convolutions_,
                                        {.sram = {{sramBytes}}, .keepsAll = true}, beside)) {
                plan = std::move(*found);
            }
        }
        for (std::size_t s = 0; s < graph_.storages.size(); ++s) {
            trial_.storages[s].kind = graph_.storages[s].kind;
        }
        return plan;
    }

    /// Whether the pieces that live at the same time leave room in the SRAM.
    static bool mayFit(const Graph& trial, std::uint64_t sramBytes) {
        const std::vector<StorageLife> lives = livesOf(trial);
        std::vector<std::uint64_t> taken(trial.nodes.size(), 0);
        for (std::size_t s = 0; s < lives.size(); ++s) {
            if (trial.storages[s].kind != StorageKind::kScratch) {
                continue;
            }
            for (std::size_t n = lives[s].first; n < lives[s].end; ++n) {
                taken[n] += trial.storages[s].sizeBytes;
            }
        }
        return taken.empty() || *std::max_element(taken.begin(), taken.end()) < sramBytes;
    }

    /// Where other tensors lie in SRAM while the group runs.
    std::vector<TakenRange> residentsBeside(const Group& group) const {
        std::vector<TakenRange> ranges;
        for (StorageId s = 0; s < lives_.size(); ++s) {
            if (plan_.residentAt[s] && !isDisplaced(group, s) && lives_[s].first <= group.back() &&
                group.front() < lives_[s].end) {
                ranges.push_back({s, *plan_.residentAt[s], graph_.storages[s].sizeBytes});
            }
        }
        return ranges;
    }

    /// Tensors for nodes that stand between the group's nodes are live longer when the group moves
    /// together; they are assumed to go through memory.
    bool isDisplaced(const Group& group, StorageId storage) const {
        if (group.back() - group.front() + 1 == group.size()) {
            return false;
        }
        return std::any_of(group.begin(), group.end(), [&](std::size_t n) {
            const std::vector<TensorId>& made = edges_.outputs[n];
            return std::any_of(made.begin(), made.end(), [&](TensorId tensor) {
                return graph_.tensors[tensor].storage == storage;
            });
        });
    }

    /// Cycles that the readers of displaced tensors lose.
    double displacedCycles(const Group& group) const {
        double cycles = 0;
        for (const std::size_t n : group) {
            for (const TensorId tensor : edges_.outputs[n]) {
                if (isResident(tensor) && isDisplaced(group, graph_.tensors[tensor].storage)) {
                    cycles += costs_.dramCycles(static_cast<double>(
                            graph_.tensors[tensor].sizeBytes() * edges_.readers[tensor].size()));
                }
            }
        }
        return cycles;
    }

    void accept(Cut cut) {
        order_.gather(cut.group);
        for (const std::size_t n : cut.group) {
            isTaken_[n] = true;
        }
        cuts_.push_back(std::move(cut));
    }

    std::optional<Graph> rewritten() const {
        Graph result = graph_;
        std::vector<std::vector<Node>> stripes(graph_.nodes.size());  // by a group's first node
        for (const Cut& cut : cuts_) {
            auto nodes = cutIntoStripes(result, cut.group, cut.form);
            if (!nodes) {
                return std::nullopt;
            }
            stripes[cut.group.front()] = std::move(*nodes);
        }
        std::vector<Node> nodes;
        for (const std::size_t n : order_.nodes()) {
            if (!isTaken_[n]) {
                nodes.push_back(graph_.nodes[n]);
            }
            std::move(stripes[n].begin(), stripes[n].end(), std::back_inserter(nodes));
        }
        result.nodes = std::move(nodes);
        return result;
    }

    const Graph& graph_;
    Graph trial_;  // graph_ outside of an evaluation
    GraphEdges edges_;
    const CostModel& costs_;
    ConvPlanner& convolutions_;
    const PlanLimits& limits_;
    const MeasurePlan& measure_;
    MemoryPlan plan_;
    std::vector<StorageLife> lives_;
    std::vector<bool> isTaken_;  // by node: in a group
    NodeOrder order_;
    std::vector<Cut> cuts_;
    std::map<Group, std::optional<Cut>> known_;  // of bestCut
};

}  // namespace

std::optional<Graph> cascade(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions,
                             const PlanLimits& limits, const MeasurePlan& measure) {
    const bool canCut = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const Node& node) { return isCuttable(graph, node); });
    if (!canCut || graph.hasControlFlow() || graph.nodes.size() > kMostNodes) {
        return std::nullopt;
    }
    if (std::ranges::all_of(limits.sram, &SramLimits::dividesChannels) &&
        !hasLargeFilter(graph, costs.device())) {
        return std::nullopt;
    }
    auto plan = planMemory(flattened(graph), costs, convolutions, limits);
    if (!plan) {
        return std::nullopt;
    }
    return Cascader(graph, costs, convolutions, limits, measure, std::move(*plan)).run();
}

}  // namespace vnpu::driver
