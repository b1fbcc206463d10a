// SPDX-License-Identifier: Apache-2.0
#include "firmware/core/scheduling/device_chooser.h"

#include <algorithm>
#include <bitset>

namespace vnpu::fw {

DeviceChooser::DeviceChooser(const SchedulingParameters& parameters)
    : parameters_(parameters),
      isFair_((parameters.flags & kScheduleFairContexts) != 0),
      shares_(parameters) {
    for (std::optional<JobChooser>& chooser : choosers_) {
        chooser.emplace(parameters);
    }
}

void DeviceChooser::onContextCreated(std::uint32_t context) {
    if (isFair_) {
        shares_.reset(context);
        choosers_[context].emplace(parameters_);
    }
}

void DeviceChooser::observe(const Queue& queue) {
    if (isFair_) {
        shares_.observe(queue);
    }
    std::bitset<hw::regs::kContextCount> groups;
    for (const Candidate& one : queue.candidates) {
        groups.set(groupOf(one));
    }
    groups.set(0, groups[0] || !isFair_);
    for (std::uint32_t group = 0; group < groups.size(); ++group) {
        if (groups[group]) {
            choosers_[group]->observe(queueOf(group, queue));
        }
    }
}

const Candidate& DeviceChooser::choose(const Queue& queue) {
    const std::uint32_t group = isFair_ ? shares_.choose(queue) : 0;
    const std::uint32_t ring = choosers_[group]->choose(queueOf(group, queue)).ring;
    return *std::ranges::find(queue.candidates, ring, &Candidate::ring);
}

void DeviceChooser::onStart(const Candidate& candidate) {
    choosers_[groupOf(candidate)]->onStart(candidate);
}

std::uint64_t DeviceChooser::cyclesToLook(const Queue& queue) {
    const std::uint32_t group = groupOf(*queue.running);
    const std::uint64_t cycles = choosers_[group]->cyclesToLook(queueOf(group, queue));
    return isFair_ ? std::min(cycles, shares_.cyclesToChange(queue)) : cycles;
}

/// The group's candidates, and the device time as the group sees it.
Queue DeviceChooser::queueOf(std::uint32_t group, const Queue& queue) {
    if (!isFair_) {
        return queue;
    }
    Queue part;
    part.now = queue.now;
    part.served = shares_.servedCycles(group);
    std::size_t count = 0;
    for (const Candidate& one : queue.candidates) {
        if (groupOf(one) == group) {
            members_[count] = one;
            part.running = &one == queue.running ? &members_[count] : part.running;
            ++count;
        }
    }
    part.candidates = std::span(members_).first(count);
    return part;
}

}  // namespace vnpu::fw
