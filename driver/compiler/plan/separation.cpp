// SPDX-License-Identifier: Apache-2.0
#include "driver/compiler/plan/separation.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "hw_model/regs/rounding.h"

namespace vnpu::driver {

namespace {

template <typename Visit>
void forEachSet(auto& plan, const Visit& visit) {
    using Plan = std::remove_cvref_t<decltype(plan)>;
    if constexpr (std::is_same_v<Plan, BlockPlan>) {
        visit(plan.table);
        std::ranges::for_each(plan.operands, visit);
    } else {
        visit(plan.input);
        visit(plan.output);
        if constexpr (std::is_same_v<Plan, ConvPlan>) {
            visit(plan.filter);
            visit(plan.tables);
        }
    }
}

/// What `free` has outside of a span.
std::vector<Span64> without(const std::vector<Span64>& free, const Span64& span) {
    std::vector<Span64> rest;
    for (const Span64& part : free) {
        const Span64 below{part.begin, std::min(part.end, span.begin)};
        const Span64 above{std::max(part.begin, span.end), part.end};
        for (const Span64& piece : {below, above}) {
            if (piece.begin < piece.end) {
                rest.push_back(piece);
            }
        }
    }
    return rest;
}

/// Calls `visit` with the node's plan, or does nothing for a node without buffers.
template <typename Visit>
void withPlan(const NodePlan& node, const Visit& visit) {
    std::visit(
            [&](const auto& plan) {
                using Held = std::remove_cvref_t<decltype(plan)>;
                if constexpr (!std::is_same_v<Held, std::monostate>) {
                    visit(*plan);
                }
            },
            node.plan);
}

/// Places the buffers of a node, each as far from the nodes before it as there is room.
class Separation {
  public:
    /// `used` is the SRAM of the nodes before, the nearest one last.
    Separation(const std::vector<Span64>& free, std::span<const std::vector<Span64>> used,
               std::uint64_t bankBytes, Side side)
        : bankBytes_(bankBytes), side_(side) {
        freeApart_.push_back(free);
        for (auto before = used.rbegin(); before != used.rend(); ++before) {
            std::vector<Span64> rest = freeApart_.back();
            for (const Span64& span : *before) {
                rest = without(rest, span);
            }
            freeApart_.push_back(std::move(rest));
        }
    }

    /// Avoids the banks of `spans`, and those of buffers that are placed.
    void avoidBanks(std::vector<Span64> spans) { busy_ = std::move(spans); }

    /// False if they do not fit; their addresses are then undefined.
    bool place(std::vector<SlotSet*> sets) {
        std::ranges::stable_sort(sets, std::ranges::greater{}, &SlotSet::slotBytes);
        for (SlotSet* set : sets) {
            for (std::uint32_t& address : set->addresses) {
                const auto place = placeOne(set->slotBytes);
                if (!place) {
                    return false;
                }
                address = static_cast<std::uint32_t>(*place);
            }
        }
        return true;
    }

  private:
    std::optional<std::uint64_t> placeOne(std::uint64_t bytes) {
        for (auto free = freeApart_.rbegin(); free != freeApart_.rend(); ++free) {
            if (const auto place = placeIn(*free, bytes)) {
                return place;
            }
        }
        return std::nullopt;
    }

    std::optional<std::uint64_t> placeIn(const std::vector<Span64>& free, std::uint64_t bytes) {
        std::optional<std::uint64_t> place;
        if (bankBytes_ != 0) {
            place = take(free, bytes, bankBytes_);
            if (!place && busy_) {
                place = take(outsideBusyBanks(free), bytes, kSramAlignment);
            }
        }
        return place ? place : take(free, bytes, kSramAlignment);
    }

    std::optional<std::uint64_t> take(const std::vector<Span64>& free, std::uint64_t bytes,
                                      std::uint64_t unit) {
        const std::uint64_t rounded = hw::roundUp(bytes, unit);
        const auto place = findPlace(free, rounded, static_cast<std::uint32_t>(unit), side_);
        if (place) {
            const Span64 taken{*place, *place + rounded};
            for (std::vector<Span64>& rest : freeApart_) {
                rest = without(rest, taken);
            }
            if (busy_) {
                busy_->push_back(taken);
            }
        }
        return place;
    }

    std::vector<Span64> outsideBusyBanks(std::vector<Span64> free) const {
        for (const Span64& span : *busy_) {
            free = without(free, {span.begin / bankBytes_ * bankBytes_,
                                  hw::roundUp(span.end, bankBytes_)});
        }
        return free;
    }

    std::uint64_t bankBytes_;
    Side side_;
    std::vector<std::vector<Span64>> freeApart_;  // by number of nodes whose buffers stay apart
    std::optional<std::vector<Span64>> busy_;     // whose banks are avoided
};

}  // namespace

std::vector<Span64> buffersOf(const NodePlan& node) {
    std::vector<Span64> spans;
    withPlan(node, [&](const auto& plan) {
        forEachSet(plan, [&](const SlotSet& set) {
            for (const std::uint32_t address : set.addresses) {
                spans.push_back({address, address + set.slotBytes});
            }
        });
    });
    return spans;
}

void separateBuffers(const Graph& graph, const SramAround& sram, const SeparationRules& rules,
                     std::vector<NodePlan>& nodes) {
    std::vector<std::vector<Span64>> used;        // by node: buffers and resident tensors
    std::map<std::uint32_t, std::size_t> lastOf;  // by operation: its last node so far
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::vector<Span64> residents = freeSpans(sram.freeAt[n], sram.bytes);
        withPlan(nodes[n], [&](auto plan) {  // a copy, because plans are shared
            std::vector<SlotSet*> sets;
            forEachSet(plan, [&](SlotSet& set) { sets.push_back(&set); });
            const auto before = lastOf.find(graph.nodes[n].operation);
            const std::size_t sinceStripe = before == lastOf.end() ? 0 : n - before->second;
            const std::size_t near = std::max(std::min(n, rules.nodesApart), sinceStripe);
            Separation separation(sram.freeAt[n], std::span(used).last(near), sram.bankBytes,
                                  rules.fromOneEnd ? Side::kLow : sideOf(n));
            if (rules.avoidsBusyBanks) {
                std::vector<Span64> busy = residents;
                if (n > 0) {
                    std::ranges::copy(used.back(), std::back_inserter(busy));
                }
                separation.avoidBanks(std::move(busy));
            }
            if (separation.place(sets)) {
                nodes[n].plan = std::make_shared<const decltype(plan)>(std::move(plan));
            }
        });
        lastOf[graph.nodes[n].operation] = n;
        used.push_back(residents);
        std::ranges::copy(buffersOf(nodes[n]), std::back_inserter(used.back()));
    }
}

}  // namespace vnpu::driver
