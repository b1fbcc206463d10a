// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/memory_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "driver/compiler/ir/node_tensors.h"

namespace vnpu::driver {
namespace {

/// An intermediate tensor that could stay in SRAM.
struct Candidate {
    StorageId storage = kNoStorage;
    std::uint64_t sizeBytes = 0;
    std::size_t first = 0, last = 0;  // nodes
    std::uint64_t uses = 0;
    double worth = 0;  // bytes not moved per node of occupation
};

/// As in Workspace.
std::uint64_t bankBytesOf(const DeviceInfo& device, const PlanLimits& limits) {
    return limits.spreadsOverBanks ? emptySram(device, device.sramBytes, 0).bankBytes : 0;
}

class MemoryPlanner {
  public:
    MemoryPlanner(const Graph& graph, const CostModel& costs, ConvPlanner& convolutions,
                  const PlanLimits& limits, std::span<const TakenRange> taken)
        : graph_(graph),
          costs_(costs),
          device_(costs.device()),
          convolutions_(convolutions),
          limits_(limits) {
        workspace_ = emptySram(device_, device_.sramBytes, 0);
        workspace_.bankBytes = bankBytesOf(device_, limits);
        plan_.residentAt.resize(graph.storages.size());
        plan_.nodes.resize(graph.nodes.size());
        for (const TakenRange& range : taken) {
            plan_.residentAt[range.storage] = range.address;
            residents_.push_back({.storage = range.storage,
                                  .sizeBytes = range.sizeBytes,
                                  .first = 0,
                                  .last = graph.nodes.size()});
        }
        std::size_t controls = 0;
        for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
            plan_.freeAt.push_back(freeDuring(n, n));
            controls += std::holds_alternative<ControlNode>(graph.nodes[n].work) ? 1 : 0;
            controlsBefore_.push_back(controls);
        }
    }

    Checked<MemoryPlan> run() {
        std::vector<Candidate> candidates = findCandidates();
        if (limits_.keepsAll && !keepAll(candidates)) {
            return exhausted("the intermediate tensors do not fit the SRAM");
        }
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            auto plan = planOne(n);
            if (!plan) {
                return exhausted(fmt::format("operation {}: {}", graph_.nodes[n].operation,
                                             describeMisfit(graph_, graph_.nodes[n], device_)));
            }
            plan_.nodes[n] = std::move(*plan);
        }
        for (const Candidate& candidate : candidates) {
            tryResident(candidate);
        }
        if (limits_.aheadBytes > 0) {
            planAhead();
        }
        return std::move(plan_);
    }

  private:
    static void use(Candidate& candidate, std::size_t node) {
        candidate.first = candidate.uses == 0 ? node : candidate.first;
        candidate.last = node;
        ++candidate.uses;
    }

    std::vector<Candidate> findCandidates() const {
        std::vector<Candidate> byStorage(graph_.storages.size());
        std::vector<bool> staysInMemory(graph_.storages.size(), false);
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            const Node& node = graph_.nodes[n];
            // The DSP and the controller access memory only, and a branch may come from any node.
            const bool isInMemory = node.construct != kNoConstruct ||
                                    std::holds_alternative<OperatorNode>(node.work) ||
                                    std::holds_alternative<ControlNode>(node.work);
            forEachTensor(node, [&](TensorId tensor) {
                if (isInMemory) {
                    staysInMemory[graph_.tensors[tensor].storage] = true;
                }
                use(byStorage[graph_.tensors[tensor].storage], n);
                if (const TensorId original = graph_.originalOf(tensor); original != tensor) {
                    use(byStorage[graph_.tensors[original].storage], n);
                }
            });
            if (const auto* conv = std::get_if<ConvNode>(&node.work)) {
                const TensorId filter = graph_.originalOf(conv->filter);
                staysInMemory[graph_.tensors[filter].storage] = true;
                if (conv->bias != kNoTensor) {
                    staysInMemory[graph_.tensors[conv->bias].storage] = true;
                }
            }
        }
        std::vector<Candidate> candidates;
        for (StorageId s = 0; s < byStorage.size(); ++s) {
            const Storage& storage = graph_.storages[s];
            const bool leaves = device_.resultsLeave && storage.kind == StorageKind::kScratch &&
                                !storage.isPiece;
            Candidate candidate = byStorage[s];
            // Tensors that are written before a construct and read behind it would have to survive
            // every path through it.
            if (controlsBefore_[candidate.last] != controlsBefore_[candidate.first] ||
                (storage.kind != StorageKind::kScratch && storage.kind != StorageKind::kSramCopy) ||
                staysInMemory[s] || leaves || candidate.uses < 2 ||
                storage.sizeBytes > leastDuring(candidate.first, candidate.last,
                                                &SramLimits::largestResident)) {
                continue;
            }
            candidate.storage = s;
            candidate.sizeBytes = storage.sizeBytes;
            candidate.worth = static_cast<double>(storage.sizeBytes * candidate.uses) /
                              static_cast<double>(candidate.last - candidate.first + 1);
            candidates.push_back(candidate);
        }
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const Candidate& a, const Candidate& b) { return a.worth > b.worth; });
        return candidates;
    }

    /// Places all intermediate tensors, the largest first, and removes them from the candidates.
    bool keepAll(std::vector<Candidate>& candidates) {
        const auto copies = std::stable_partition(
                candidates.begin(), candidates.end(), [this](const Candidate& candidate) {
                    return graph_.storages[candidate.storage].kind == StorageKind::kScratch;
                });
        std::stable_sort(candidates.begin(), copies, [](const Candidate& a, const Candidate& b) {
            return a.sizeBytes > b.sizeBytes;
        });
        for (auto it = candidates.begin(); it != copies; ++it) {
            const auto place = findPlace(freeDuring(it->first, it->last), it->sizeBytes,
                                         kSramAlignment, Side::kLow);
            if (!place) {
                return false;
            }
            addResident(*it, static_cast<std::uint32_t>(*place));
        }
        candidates.erase(candidates.begin(), copies);
        return true;
    }

    /// SRAM that the residents alive in the nodes first .. last leave free.
    std::vector<Span64> freeDuring(std::size_t first, std::size_t last) const {
        std::vector<Span64> taken;
        for (const Candidate& resident : residents_) {
            if (resident.first <= last && first <= resident.last) {
                const std::uint64_t begin = *plan_.residentAt[resident.storage];
                taken.push_back({begin, begin + resident.sizeBytes});
            }
        }
        return freeSpans(std::move(taken), leastDuring(first, last, [](const SramLimits& limits) {
                             return limits.sramBytes;
                         }));
    }

    /// The least bytes that the limits of the nodes first .. last give.
    template <typename Bytes>
    std::uint64_t leastDuring(std::size_t first, std::size_t last, Bytes bytes) const {
        if (limits_.sram.size() == 1) {
            return std::invoke(bytes, limits_.sram.front());
        }
        std::uint64_t least = device_.sramBytes;
        for (std::size_t n = first; n <= last; ++n) {
            least = std::min(least, std::invoke(bytes, limits_.sramOf(graph_.nodes[n])));
        }
        return least;
    }

    void addResident(const Candidate& resident, std::uint32_t place) {
        plan_.residentAt[resident.storage] = place;
        residents_.push_back(resident);
        for (std::size_t n = resident.first; n <= resident.last; ++n) {
            takeSpan(plan_.freeAt[n], place, place + resident.sizeBytes);
        }
    }

    /// In the SRAM that residents leave free, apart from `taken`.
    std::optional<NodePlan> planOne(std::size_t n, const Span64& taken = {}) {
        workspace_.free = plan_.freeAt[n];
        if (taken.size() != 0) {
            takeSpan(workspace_.free, taken.begin, taken.end);
        }
        workspace_.side = sideOf(n);
        return planNode(graph_, graph_.nodes[n], costs_, convolutions_, workspace_,
                        plan_.residentAt);
    }

    void tryResident(const Candidate& candidate) {
        const std::vector<Span64> free = freeDuring(candidate.first, candidate.last);
        double before = 0;
        for (std::size_t n = candidate.first; n <= candidate.last; ++n) {
            before += plan_.nodes[n].cycles;
        }
        std::optional<std::uint32_t> best;
        std::vector<NodePlan> bestPlans;
        for (const Side side : {Side::kLow, Side::kHigh}) {
            const auto place = findPlace(free, candidate.sizeBytes, kSramAlignment, side);
            if (!place || (best && *best == *place)) {
                continue;
            }
            plan_.residentAt[candidate.storage] = static_cast<std::uint32_t>(*place);
            double cycles = before;
            std::vector<NodePlan> plans = planNodes(candidate, *place, cycles);
            if (!plans.empty()) {
                before = cycles;
                best = static_cast<std::uint32_t>(*place);
                bestPlans = std::move(plans);
            }
        }
        plan_.residentAt[candidate.storage] = best;
        if (best) {
            addResident(candidate, *best);
            std::move(bestPlans.begin(), bestPlans.end(),
                      plan_.nodes.begin() + static_cast<std::ptrdiff_t>(candidate.first));
        }
    }

    /// Plans of the candidate's nodes with it at `place`; empty if one does not fit or their sum is
    /// not below `cycles`, which is set to that sum.
    std::vector<NodePlan> planNodes(const Candidate& candidate, std::uint64_t place,
                                    double& cycles) {
        std::vector<NodePlan> plans;
        plans.reserve(candidate.last - candidate.first + 1);
        double sum = 0;
        for (std::size_t n = candidate.first; n <= candidate.last; ++n) {
            auto plan = planOne(n, {place, place + candidate.sizeBytes});
            if (!plan || sum + plan->cycles >= cycles) {
                return {};
            }
            sum += plan->cycles;
            plans.push_back(std::move(*plan));
        }
        cycles = sum;
        return plans;
    }

    /// Again, for loads that run ahead while nodes before compute. The first node has none.
    void planAhead() {
        workspace_.aheadBytes = limits_.aheadBytes;
        for (std::size_t n = 1; n < graph_.nodes.size(); ++n) {
            if (auto plan = planOne(n)) {
                plan_.nodes[n] = std::move(*plan);
            }
        }
    }

    const Graph& graph_;
    const CostModel& costs_;
    const DeviceInfo& device_;
    ConvPlanner& convolutions_;
    const PlanLimits& limits_;
    MemoryPlan plan_;
    std::vector<Candidate> residents_;
    Workspace workspace_;                      // of the node being planned
    std::vector<std::size_t> controlsBefore_;  // by node
};

}  // namespace

const SramLimits& PlanLimits::sramOf(const Node& node) const {
    const auto next = std::upper_bound(sram.begin(), sram.end(), node.operation,
                                       [](std::uint32_t operation, const SramLimits& limits) {
                                           return operation < limits.firstOperation;
                                       });
    return *std::prev(next);
}

Checked<MemoryPlan> planMemory(const Graph& graph, const CostModel& costs,
                               ConvPlanner& convolutions, const PlanLimits& limits,
                               std::span<const TakenRange> taken) {
    return MemoryPlanner(graph, costs, convolutions, limits, taken).run();
}

void placeBuffers(const Graph& graph, const DeviceInfo& device, const PlanLimits& limits,
                  MemoryPlan& plan) {
    std::vector<std::vector<Span64>> freeAt;
    freeAt.reserve(plan.freeAt.size());
    for (std::size_t n = 0; n < plan.freeAt.size(); ++n) {
        const std::vector<Span64> residents =
                freeSpans(plan.freeAt[n], limits.sramOf(graph.nodes[n]).sramBytes);
        freeAt.push_back(freeSpans(residents, device.sramBytes));
    }
    separateBuffers(graph, {freeAt, device.sramBytes, bankBytesOf(device, limits)},
                    limits.separation, plan.nodes);
}

std::uint64_t sramBytesUsed(const Graph& graph, const MemoryPlan& plan) {
    std::uint64_t used = 0;
    for (StorageId s = 0; s < plan.residentAt.size(); ++s) {
        if (plan.residentAt[s]) {
            used = std::max(used, *plan.residentAt[s] + graph.storages[s].sizeBytes);
        }
    }
    for (const NodePlan& node : plan.nodes) {
        for (const Span64& buffer : buffersOf(node)) {
            used = std::max(used, buffer.end);
        }
    }
    return used;
}

}  // namespace vnpu::driver
