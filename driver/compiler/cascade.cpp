// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/cascade.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "driver/compiler/fusion.h"
#include "driver/compiler/graph_users.h"
#include "driver/compiler/memory_planner.h"
#include "driver/compiler/stripes.h"

namespace vnpu::driver {
namespace {

// chosen: unrolled recurrent networks have thousands of nodes, all small
constexpr std::size_t kMostNodes = 1000;
constexpr std::size_t kLargestGroup = 8;    // chosen: bounds the search
constexpr std::size_t kMostTries = 10;      // chosen: heights of stripes tried for a group
constexpr std::size_t kVainTries = 3;       // chosen: of these, without a better one
constexpr std::uint32_t kMostStripes = 32;  // chosen: likewise
// chosen: of what a group takes, the least share that is worth cutting it
constexpr double kLeastGain = 0.02;

using Group = std::vector<std::size_t>;  // nodes, ascending

/// A group and how it is cut.
struct Cut {
    Group group;
    std::uint32_t rows = 0;
    double gain = 0;  // cycles
};

double cyclesOf(const MemoryPlan& plan) {
    return std::accumulate(plan.nodes.begin(), plan.nodes.end(), 0.0,
                           [](double sum, const NodePlan& node) { return sum + node.cycles; });
}

Graph flattened(Graph graph) {
    flattenPointwise(graph);
    return graph;
}

class Cascader {
  public:
    Cascader(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions, MemoryPlan plan)
        : graph_(graph),
          costs_(costs),
          convolutions_(convolutions),
          plan_(std::move(plan)),
          readers_(graph.tensors.size()),
          writers_(graph.tensors.size()),
          isTaken_(graph.nodes.size(), false),
          order_(graph.nodes.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
            inputs_.push_back(inputsOf(graph.nodes[n]));
            outputs_.push_back(outputsOf(graph.nodes[n]));
            for (const TensorId tensor : inputs_.back()) {
                readers_[tensor].push_back(n);
            }
            for (const TensorId tensor : outputs_.back()) {
                writers_[tensor].push_back(n);
            }
        }
    }

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
            if (readers_[t].empty() || isResident(t) || isConstant(t)) {
                continue;
            }
            const std::uint64_t bytes = graph_.tensors[t].sizeBytes();
            if (writers_[t].size() == 1) {
                seeds.emplace_back(bytes * (readers_[t].size() + 1),
                                   joined(writers_[t], readers_[t]));
            }
            if (readers_[t].size() > 1) {
                seeds.emplace_back(bytes * readers_[t].size(), joined(readers_[t], {}));
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

    bool isConstant(TensorId tensor) const {
        const StorageKind kind = graph_.storageOf(tensor).kind;
        return kind == StorageKind::kConstants || kind == StorageKind::kPool;
    }

    static Group joined(const Group& a, const Group& b) {
        Group group = a;
        group.insert(group.end(), b.begin(), b.end());
        std::sort(group.begin(), group.end());
        group.erase(std::unique(group.begin(), group.end()), group.end());
        return group;
    }

    /// Adds what makes or reads tensors at the group's edges, while that brings more.
    void grow(Cut& cut) {
        for (bool hasGrown = true; hasGrown;) {
            hasGrown = false;
            for (const Group& larger : neighbours(cut.group)) {
                auto other = evaluate(larger);
                if (other && other->gain > cut.gain) {
                    cut = std::move(*other);
                    hasGrown = true;
                    break;
                }
            }
        }
    }

    std::vector<Group> neighbours(const Group& group) const {
        std::vector<Group> groups;
        for (const std::size_t n : group) {
            for (const TensorId tensor : outputs_[n]) {
                addNeighbour(groups, group, tensor, readers_[tensor]);
            }
            for (const TensorId tensor : inputs_[n]) {
                addNeighbour(groups, group, tensor, writers_[tensor]);
            }
        }
        return groups;
    }

    void addNeighbour(std::vector<Group>& groups, const Group& group, TensorId tensor,
                      const Group& users) const {
        if (isResident(tensor) || isConstant(tensor)) {
            return;
        }
        Group larger = joined(group, users);
        if (larger != group && std::find(groups.begin(), groups.end(), larger) == groups.end()) {
            groups.push_back(std::move(larger));
        }
    }

    /// The best way to cut a group; nothing if it cannot be, or must not.
    std::optional<Cut> evaluate(const Group& group) {
        const bool isFree = std::none_of(group.begin(), group.end(),
                                         [this](std::size_t n) { return isTaken_[n]; });
        if (!isFree || group.size() < 2 || group.size() > kLargestGroup || !placeOf(group)) {
            return std::nullopt;
        }
        const std::uint32_t rows = stripedRows(graph_, group);
        double before = 0;
        for (const std::size_t n : group) {
            before += plan_.nodes[n].cycles;
        }
        std::optional<Cut> best;
        std::uint32_t last = 0;
        std::size_t tries = 0, vain = 0;
        double least = std::numeric_limits<double>::max();
        for (std::uint32_t stripes = 1;
             stripes <= std::min(rows, kMostStripes) && tries < kMostTries && vain < kVainTries;
             stripes += (stripes + 3) / 4) {
            std::uint32_t part = (rows + stripes - 1) / stripes;
            const bool isOdd = stripes > 1 && part > 2 && part < rows && part % 2 == 1;
            part += isOdd ? 1 : 0;  // Winograd takes pairs of rows
            if (part == last) {
                continue;
            }
            last = part;
            const auto cycles = cyclesInStripes(group, part);
            if (!cycles) {
                continue;
            }
            ++tries;
            vain = *cycles < least ? 0 : vain + 1;
            least = std::min(least, *cycles);
            const double gain = before - *cycles;
            if (gain > kLeastGain * before && (!best || gain > best->gain)) {
                best = Cut{group, part, gain};
            }
        }
        return best;
    }

    /// What the group alone takes in stripes; nothing if its pieces do not fit the SRAM.
    std::optional<double> cyclesInStripes(const Group& group, std::uint32_t rows) {
        Graph trial = graph_;
        auto nodes = cutIntoStripes(trial, group, rows);
        if (!nodes) {
            return std::nullopt;
        }
        // What the group does not make for itself stays where it is.
        for (std::size_t s = 0; s < graph_.storages.size(); ++s) {
            if (trial.storages[s].kind == StorageKind::kScratch) {
                trial.storages[s].kind = StorageKind::kInput;
            }
        }
        trial.nodes = std::move(*nodes);
        if (!mayFit(trial)) {
            return std::nullopt;
        }
        flattenPointwise(trial);
        sizeStorages(trial);
        const auto plan = planMemory(trial, costs_, convolutions_, residentsBeside(group));
        if (!plan) {
            return std::nullopt;
        }
        return cyclesOf(*plan) + displacedCycles(group);
    }

    /// Whether the pieces that live at the same time leave room in the SRAM.
    bool mayFit(const Graph& trial) const {
        std::vector<std::pair<std::size_t, std::size_t>> lives(trial.storages.size(),
                                                               {SIZE_MAX, 0});
        for (std::size_t n = 0; n < trial.nodes.size(); ++n) {
            for (const auto& tensors : {inputsOf(trial.nodes[n]), outputsOf(trial.nodes[n])}) {
                for (const TensorId tensor : tensors) {
                    auto& [first, last] = lives[trial.tensors[tensor].storage];
                    first = std::min(first, n);
                    last = n;
                }
            }
        }
        std::vector<std::uint64_t> taken(trial.nodes.size(), 0);
        for (std::size_t s = 0; s < lives.size(); ++s) {
            if (trial.storages[s].kind != StorageKind::kScratch) {
                continue;
            }
            for (std::size_t n = lives[s].first; n != SIZE_MAX && n <= lives[s].second; ++n) {
                taken[n] += trial.storages[s].sizeBytes;
            }
        }
        return taken.empty() ||
               *std::max_element(taken.begin(), taken.end()) < costs_.device().sramBytes;
    }

    /// First and last node that use what lies in each storage.
    std::vector<std::pair<std::size_t, std::size_t>> lives() const {
        std::vector<std::pair<std::size_t, std::size_t>> result(graph_.storages.size(),
                                                                {SIZE_MAX, 0});
        for (TensorId t = 0; t < graph_.tensors.size(); ++t) {
            for (const Group* users : {&readers_[t], &writers_[t]}) {
                for (const std::size_t n : *users) {
                    auto& [begin, end] = result[graph_.tensors[t].storage];
                    begin = std::min(begin, n);
                    end = std::max(end, n);
                }
            }
        }
        return result;
    }

    /// Where other tensors lie in SRAM while the group runs.
    std::vector<TakenRange> residentsBeside(const Group& group) const {
        const std::vector<std::pair<std::size_t, std::size_t>> alive = lives();
        std::vector<TakenRange> ranges;
        for (StorageId s = 0; s < alive.size(); ++s) {
            if (plan_.residentAt[s] && !isDisplaced(group, s) && alive[s].first <= group.back() &&
                group.front() <= alive[s].second) {
                ranges.push_back({s, *plan_.residentAt[s], graph_.storages[s].sizeBytes});
            }
        }
        return ranges;
    }

    /// What a group makes for others that stand between its nodes now lives longer when it moves
    /// together: it is taken to go through memory.
    bool isDisplaced(const Group& group, StorageId storage) const {
        if (group.back() - group.front() + 1 == group.size()) {
            return false;
        }
        return std::any_of(group.begin(), group.end(), [&](std::size_t n) {
            return std::any_of(outputs_[n].begin(), outputs_[n].end(), [&](TensorId tensor) {
                return graph_.tensors[tensor].storage == storage;
            });
        });
    }

    /// What the nodes behind the group pay for that.
    double displacedCycles(const Group& group) const {
        double cycles = 0;
        for (const std::size_t n : group) {
            for (const TensorId tensor : outputs_[n]) {
                if (isResident(tensor) && isDisplaced(group, graph_.tensors[tensor].storage)) {
                    cycles += costs_.dramCycles(static_cast<double>(
                            graph_.tensors[tensor].sizeBytes() * readers_[tensor].size()));
                }
            }
        }
        return cycles;
    }

    /// Whether `later` may come before `earlier`.
    bool mayPass(std::size_t earlier, std::size_t later) const {
        return !touches(outputs_[earlier], inputs_[later]) &&
               !touches(inputs_[earlier], outputs_[later]) && !writeTheSame(earlier, later);
    }

    bool touches(const std::vector<TensorId>& a, const std::vector<TensorId>& b) const {
        return std::any_of(a.begin(), a.end(), [&](TensorId x) {
            return std::any_of(b.begin(), b.end(), [&](TensorId y) {
                return graph_.tensors[x].storage == graph_.tensors[y].storage;
            });
        });
    }

    /// Parts of a concatenation do not overlap; other writers of one storage may.
    bool writeTheSame(std::size_t a, std::size_t b) const {
        const auto isPlain = [this](std::size_t n) { return isCuttable(graph_, graph_.nodes[n]); };
        return touches(outputs_[a], outputs_[b]) && (!isPlain(a) || !isPlain(b));
    }

    /// Where in the order the whole group can stand: at its first node or its last.
    std::optional<std::size_t> placeOf(const Group& group) const {
        std::vector<std::size_t> inside;
        for (std::size_t i = 0; i < order_.size() && inside.size() < group.size(); ++i) {
            if (std::binary_search(group.begin(), group.end(), order_[i])) {
                inside.push_back(i);
            }
        }
        bool canRise = true, canSink = true;
        for (std::size_t i = inside.front(); i <= inside.back(); ++i) {
            if (std::binary_search(group.begin(), group.end(), order_[i])) {
                continue;
            }
            for (const std::size_t member : inside) {
                if (member > i) {
                    canRise = canRise && mayPass(order_[i], order_[member]);
                } else {
                    canSink = canSink && mayPass(order_[member], order_[i]);
                }
            }
        }
        if (canRise) {
            return inside.front();
        }
        return canSink ? std::optional(inside.back()) : std::nullopt;
    }

    void accept(Cut cut) {
        const std::size_t place = *placeOf(cut.group);
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i == place) {
                order.insert(order.end(), cut.group.begin(), cut.group.end());
            }
            if (!std::binary_search(cut.group.begin(), cut.group.end(), order_[i])) {
                order.push_back(order_[i]);
            }
        }
        order_ = std::move(order);
        for (const std::size_t n : cut.group) {
            isTaken_[n] = true;
        }
        cuts_.push_back(std::move(cut));
    }

    std::optional<Graph> rewritten() const {
        Graph result = graph_;
        std::vector<std::vector<Node>> stripes(graph_.nodes.size());  // by a group's first node
        for (const Cut& cut : cuts_) {
            auto nodes = cutIntoStripes(result, cut.group, cut.rows);
            if (!nodes) {
                return std::nullopt;
            }
            stripes[cut.group.front()] = std::move(*nodes);
        }
        std::vector<Node> nodes;
        for (const std::size_t n : order_) {
            if (!isTaken_[n]) {
                nodes.push_back(graph_.nodes[n]);
            }
            std::move(stripes[n].begin(), stripes[n].end(), std::back_inserter(nodes));
        }
        result.nodes = std::move(nodes);
        return result;
    }

    const Graph& graph_;
    const CostModel& costs_;
    ConvPlanner& convolutions_;
    MemoryPlan plan_;
    std::vector<Group> readers_, writers_;                 // by tensor
    std::vector<std::vector<TensorId>> inputs_, outputs_;  // by node
    std::vector<bool> isTaken_;                            // by node: in a group
    std::vector<std::size_t> order_;
    std::vector<Cut> cuts_;
};

}  // namespace

std::optional<Graph> cascade(const Graph& graph, const CostModel& costs,
                             ConvPlanner& convolutions) {
    if (graph.hasControlFlow() || graph.nodes.size() > kMostNodes) {
        return std::nullopt;
    }
    auto plan = planMemory(flattened(graph), costs, convolutions);
    if (!plan) {
        return std::nullopt;
    }
    return Cascader(graph, costs, convolutions, std::move(*plan)).run();
}

}  // namespace vnpu::driver
