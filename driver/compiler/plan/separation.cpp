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

    /// Takes the places of buffers that stay where they are.
    void reserve(const SlotSet& set) {
        for (const std::uint32_t address : set.addresses) {
            take({address, address + set.slotBytes});
        }
    }

    /// Each apart from at least so many nodes. False if they do not fit; their addresses are then
    /// undefined.
    bool place(std::vector<SlotSet*> sets, std::size_t leastApart) {
        std::ranges::stable_sort(sets, std::ranges::greater{}, &SlotSet::slotBytes);
        for (SlotSet* set : sets) {
            for (std::uint32_t& address : set->addresses) {
                const auto place = placeOne(set->slotBytes, leastApart);
                if (!place) {
                    return false;
                }
                address = static_cast<std::uint32_t>(*place);
            }
        }
        return true;
    }

  private:
    std::optional<std::uint64_t> placeOne(std::uint64_t bytes, std::size_t leastApart) {
        for (std::size_t apart = freeApart_.size(); apart-- > leastApart;) {
            if (const auto place = placeIn(freeApart_[apart], bytes)) {
                return place;
            }
        }
        return std::nullopt;
    }

    void take(const Span64& taken) {
        for (std::vector<Span64>& rest : freeApart_) {
            rest = without(rest, taken);
        }
        if (busy_) {
            busy_->push_back(taken);
        }
    }

    std::optional<std::uint64_t> placeIn(const std::vector<Span64>& free, std::uint64_t bytes) {
        std::optional<std::uint64_t> place;
        if (bankBytes_ != 0) {
            place = findIn(free, bytes, bankBytes_);
            if (!place && busy_) {
                place = findIn(outsideBusyBanks(free), bytes, kSramAlignment);
            }
        }
        return place ? place : findIn(free, bytes, kSramAlignment);
    }

    std::optional<std::uint64_t> findIn(const std::vector<Span64>& free, std::uint64_t bytes,
                                        std::uint64_t unit) {
        const std::uint64_t rounded = hw::roundUp(bytes, unit);
        const auto place = findPlace(free, rounded, static_cast<std::uint32_t>(unit), side_);
        if (place) {
            take({*place, *place + rounded});
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

template <typename Plan>
std::vector<SlotSet*> setsOf(Plan& plan) {
    std::vector<SlotSet*> sets;
    forEachSet(plan, [&](SlotSet& set) { sets.push_back(&set); });
    return sets;
}

template <typename Plan>
bool loadsNothing(const Plan& plan) {
    if constexpr (std::is_same_v<Plan, PoolPlan>) {
        return plan.input.slots == 0;
    }
    return false;
}

/// A stripe's buffers: those that have the places of the stripe before, and those without places.
struct DividedSets {
    std::vector<SlotSet*> staying, others;
};

/// Several buffers of a stream stay, because the first tile of a stripe then replaces the last but
/// one of the stripe `before`, as within a stripe.
template <typename Plan>
DividedSets divideSets(const NodePlan& before, Plan& plan) {
    const auto* held = std::get_if<std::shared_ptr<const Plan>>(&before.plan);
    std::vector<const SlotSet*> known;
    if (held != nullptr) {
        forEachSet(**held, [&](const SlotSet& set) { known.push_back(&set); });
    }
    DividedSets sets;
    for (SlotSet* set : setsOf(plan)) {
        const std::size_t i = sets.staying.size() + sets.others.size();
        const bool stays = set->slots > 1 && i < known.size() && known[i]->slots == set->slots &&
                           known[i]->slotBytes >= set->slotBytes;
        (stays ? sets.staying : sets.others).push_back(set);
        if (stays) {
            set->addresses = known[i]->addresses;
        }
    }
    return sets;
}

/// Finds the nodes from which a stripe keeps apart.
class StripeOrder {
  public:
    explicit StripeOrder(const Graph& graph) : graph_(graph) {}

    /// The stripe before of the same operation as node `n`, if there is one. Called for every
    /// stripe with buffers, in order.
    std::optional<std::size_t> advance(std::size_t n) {
        const auto [last, isFirst] = lastOf_.try_emplace(graph_.nodes[n].operation, n);
        const std::size_t before = std::exchange(last->second, n);
        return isFirst ? std::nullopt : std::optional(before);
    }

    /// How many nodes directly before node `n` are stripes, or copies of rows for them.
    std::size_t runBefore(std::size_t n) const {
        std::size_t nodes = 0;
        while (nodes < n && isOfStripes(n - nodes - 1)) {
            ++nodes;
        }
        return nodes;
    }

  private:
    bool isOfStripes(std::size_t n) const {
        return graph_.nodes[n].isStripe || std::holds_alternative<CopyNode>(graph_.nodes[n].work);
    }

    const Graph& graph_;
    std::map<std::uint32_t, std::size_t> lastOf_;  // by operation
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
    std::vector<std::vector<Span64>> used;  // by node: buffers and resident tensors
    StripeOrder stripes(graph);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::vector<Span64> residents = freeSpans(sram.freeAt[n], sram.bytes);
        withPlan(nodes[n], [&](auto plan) {  // a copy, because plans are shared
            std::optional<std::size_t> before;
            std::size_t sinceStripe = 0;
            if (graph.nodes[n].isStripe) {
                before = stripes.advance(n);
                sinceStripe = before ? n - *before : stripes.runBefore(n);
            }
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
            bool isPlaced = false;
            std::vector<SlotSet*> sets = setsOf(plan);
            if (before && sram.freeAt[n] == sram.freeAt[*before]) {
                // What loads nothing leaves alone what others load ahead.
                isPlaced = !loadsNothing(plan) && Separation(separation).place(sets, sinceStripe);
                if (!isPlaced) {
                    DividedSets divided = divideSets(nodes[*before], plan);
                    for (const SlotSet* set : divided.staying) {
                        separation.reserve(*set);
                    }
                    sets = std::move(divided.others);
                }
            }
            if (isPlaced || separation.place(sets, 0)) {
                nodes[n].plan = std::make_shared<const decltype(plan)>(std::move(plan));
            }
        });
        used.push_back(residents);
        std::ranges::copy(buffersOf(nodes[n]), std::back_inserter(used.back()));
    }
}

}  // namespace vnpu::driver
