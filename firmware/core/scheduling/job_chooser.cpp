// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/job_chooser.h"

#include <algorithm>
#include <tuple>

#include "firmware/core/base/cycle_costs.h"

namespace vnpu::fw {

JobChooser::JobChooser(const SchedulingParameters& parameters)
    : parameters_(parameters),
      row_(rowOf(parameters.policy)),
      turns_{TurnOrder(parameters), TurnOrder(parameters), TurnOrder(parameters),
             TurnOrder(parameters)},
      share_(parameters) {}

void JobChooser::observe(const Queue& queue) {
    if (row_.hasShares) {
        share_.observe(queue);
    }
}

const Candidate& JobChooser::choose(Queue queue) const {
    queue.owedBand = share_.owedBand();
    const auto place = [&](const Candidate& one) {
        return std::tuple(row_.rankOf(one, queue), &one != queue.running, one.arrival, one.ring);
    };
    const Candidate& first = *std::ranges::min_element(queue.candidates, {}, place);
    if (row_.turns == Turns::kNone) {
        return first;
    }
    const Rank rank = row_.rankOf(first, queue);
    return turns_[turnIndexOf(first)].choose(
            queue, [&](const Candidate& one) { return row_.rankOf(one, queue) == rank; });
}

void JobChooser::onStart(const Candidate& candidate) {
    if (row_.turns != Turns::kNone) {
        turns_[turnIndexOf(candidate)].onStart(candidate);
    }
}

std::uint64_t JobChooser::cyclesToLook(const Queue& queue) const {
    std::uint64_t cycles = row_.hasShares ? share_.cyclesToChange() : kNeverCycles;
    if (row_.turns != Turns::kNone && queue.running != nullptr) {
        const Candidate& running = *queue.running;
        const auto equals =
                std::ranges::count(queue.candidates, row_.rankOf(running, queue),
                                   [&](const Candidate& one) { return row_.rankOf(one, queue); });
        if (equals > 1) {
            cycles = std::min(cycles, turns_[turnIndexOf(running)].turnLeft(running));
        }
    }
    if (row_.hasPeriod && queue.candidates.size() > 1 && parameters_.periodCycles != 0) {
        cycles = std::min(cycles, parameters_.periodCycles);
    }
    return cycles;
}

}  // namespace vnpu::fw
