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
#include "driver/compiler/rewrite/fusion.h"
#include "driver/compiler/rewrite/node_order.h"
#include "driver/compiler/rewrite/stripes.h"

namespace vnpu::driver {
namespace {

// chosen: unrolled recurrent networks have thousands of nodes, all small
constexpr std::size_t kMostNodes = 1000;
constexpr std::size_t kLargestGroup = 8;  // chosen: bounds the search
constexpr std::size_t kVainTries = 3;     // chosen: tries without a better one that end the search
constexpr std::uint32_t kMostStripes = 32;  // chosen: bounds the search, too
// chosen: least gain, as a share of a group's cycles, for which it is cut
constexpr double kLeastGain = 0.02;

using Group = std::vector<std::size_t>;  // nodes, ascending

/// A group and how it is cut.
struct Cut {
    Group group;
    StripeForm form;
    double gain = 0;  // cycles
};

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
             const PlanLimits& limits, MemoryPlan plan)
        : graph_(graph),
          trial_(graph),
          edges_(graph),
          costs_(costs),
          convolutions_(convolutions),
          limits_(limits),
          plan_(std::move(plan)),
          lives_(livesOf(graph)),
          isTaken_(graph.nodes.size(), false),
          order_(graph, edges_) {}

    std::optional<Graph> run() {
        for (const Group& seed : findSeeds()) {
            if (auto cut = evaluate(seed)) {
                grow(*cut);
                if (cut->gain > 0) {
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
        std::optional<Cut> best;
        std::size_t vain = 0;
        double least = std::numeric_limits<double>::max();
        for (const std::uint32_t rows :
             heightsOf(stripedRows(graph_, group), sramOf(group).allowsSerialStripes)) {
            const auto alone = bestForm(group, rows, beside);
            if (!alone) {
                continue;
            }
            const double cycles = alone->cycles + displaced;
            vain = cycles < least ? 0 : vain + 1;
            least = std::min(least, cycles);
            const double gain = before - cycles;
            if (gain > kLeastGain * before && (!best || gain > best->gain)) {
                best = Cut{group, alone->form, gain};
            }
            if (vain == kVainTries) {
                break;
            }
        }
        return best;
    }

    struct TriedForm {
        StripeForm form;
        double cycles = 0;
    };

    /// The faster form of stripes of so many rows; serial ones only where they are allowed.
    std::optional<TriedForm> bestForm(const Group& group, std::uint32_t rows,
                                      std::span<const TakenRange> beside) {
        std::optional<TriedForm> best;
        for (const bool isSerial : {false, true}) {
            if (isSerial && !sramOf(group).allowsSerialStripes) {
                continue;
            }
            const StripeForm form{rows, isSerial, costs_.device().winograd && !isSerial};
            const auto cycles = cyclesInStripes(group, form, beside);
            if (cycles && (!best || *cycles < best->cycles)) {
                best = TriedForm{form, *cycles};
            }
        }
        return best;
    }

    /// Cycles of the group alone in stripes; nothing if its pieces do not fit the SRAM.
    std::optional<double> cyclesInStripes(const Group& group, const StripeForm& form,
                                          std::span<const TakenRange> beside) {
        std::optional<double> cycles;
        if (auto nodes = cutIntoStripes(trial_, group, form)) {
            trial_.nodes.swap(*nodes);
            cycles = cyclesOfTrial(beside, sramOf(group).sramBytes);
            trial_.nodes.swap(*nodes);
        }
        trial_.tensors.resize(graph_.tensors.size());
        trial_.storages.resize(graph_.storages.size());
        return cycles;
    }

    /// Of the nodes of `trial_`. Tensors from outside the group keep their places.
    std::optional<double> cyclesOfTrial(std::span<const TakenRange> beside,
                                        std::uint64_t sramBytes) {
        for (std::size_t s = 0; s < graph_.storages.size(); ++s) {
            if (graph_.storages[s].kind == StorageKind::kScratch) {
                trial_.storages[s].kind = StorageKind::kInput;
            }
        }
        std::optional<double> cycles;
        if (mayFit(trial_, sramBytes)) {
            flattenPointwise(trial_);
            sizeStorages(trial_);
            const auto plan = planMemory(trial_, costs_, convolutions_,
                                         {.sram = {{sramBytes}}, .keepsAll = true}, beside);
            cycles = plan ? std::optional(cyclesOf(*plan)) : std::nullopt;
        }
        for (std::size_t s = 0; s < graph_.storages.size(); ++s) {
            trial_.storages[s].kind = graph_.storages[s].kind;
        }
        return cycles;
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
    MemoryPlan plan_;
    std::vector<StorageLife> lives_;
    std::vector<bool> isTaken_;  // by node: in a group
    NodeOrder order_;
    std::vector<Cut> cuts_;
    std::map<Group, std::optional<Cut>> known_;  // of bestCut
};

}  // namespace

std::optional<Graph> cascade(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions,
                             const PlanLimits& limits) {
    const bool canCut = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const Node& node) { return isCuttable(graph, node); });
    if (!canCut || graph.hasControlFlow() || graph.nodes.size() > kMostNodes) {
        return std::nullopt;
    }
    auto plan = planMemory(flattened(graph), costs, convolutions, limits);
    if (!plan) {
        return std::nullopt;
    }
    return Cascader(graph, costs, convolutions, limits, std::move(*plan)).run();
}

}  // namespace vnpu::driver
