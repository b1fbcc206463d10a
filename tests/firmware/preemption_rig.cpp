// SPDX-License-Identifier: Apache-2.0
#include "tests/firmware/preemption_rig.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "firmware/api/save_area.h"

namespace vnpu::fw::test {

void PreemptionRig::setScheduling(const SchedulingParameters& wanted) {
    const std::uint64_t place = allocate(sizeof(wanted));
    store(place, wanted);
    Message message = request(MessageType::kSetScheduling, 5000);
    message.target.address = place;
    ask(message);
}

JobSlot PreemptionRig::steppedJob(std::uint64_t jobId, std::uint32_t steps, bool hasSaveArea,
                                  std::uint32_t liveBytes) {
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < steps; ++i) {
        hw::CommandContext context = onEngine(hw::Engine::kDma0);
        context.tile = i;
        writer.add(context, smallFill());
        writer.add({}, hw::Opcode::kBarrier);
        hw::Checkpoint checkpoint{};
        checkpoint.id = i;
        checkpoint.flags = i % 2 == 1 ? hw::kCheckpointOperation : 0;
        checkpoint.rangeCount = liveBytes == 0 ? 0 : 1;
        checkpoint.ranges[0] = {0, liveBytes};
        writer.add({}, checkpoint);
    }
    writer.add({}, hw::Opcode::kEnd);
    JobSlot slot = makeJob(jobId, writer);
    if (hasSaveArea) {
        addSaveArea(slot);
    }
    return slot;
}

JobSlot PreemptionRig::queuedJob(std::uint64_t jobId, std::uint32_t steps,
                                 std::uint32_t holdCycles) {
    hw::CommandWriter writer;
    for (std::uint32_t i = 0; i < steps; ++i) {
        if (i >= 2) {
            hw::Checkpoint checkpoint{};
            checkpoint.id = i;
            checkpoint.holdCycles = holdCycles;
            hw::TokenWait wait{};
            wait.engine = static_cast<std::uint32_t>(hw::engineIndex(hw::Engine::kDma0)) & 0xFFU;
            wait.count = (i - 1) & 0xFFFFFFU;
            writer.add({.waits = {&wait, 1}}, checkpoint);
        }
        writer.add(onEngine(hw::Engine::kDma0), smallFill());
    }
    writer.add({}, hw::Opcode::kEnd);
    JobSlot slot = makeJob(jobId, writer);
    addSaveArea(slot);
    return slot;
}

void PreemptionRig::addSaveArea(JobSlot& slot) {
    slot.saveBytes = 4096;
    slot.saveAddress = virtualOf(allocate(slot.saveBytes));
}

void PreemptionRig::submitAfter(std::uint64_t cycles, std::uint32_t ring, const JobSlot& slot) {
    device.at(device.now() + cycles, [this, ring, slot] { submit(ring, slot); });
}

std::vector<std::uint64_t> PreemptionRig::jobsAt(const std::string& event) const {
    std::vector<std::uint64_t> jobs;
    for (const FakeController::Mark& mark : device.marks) {
        if (mark.event == event) {
            jobs.push_back(mark.jobId);
        }
    }
    return jobs;
}

std::vector<std::string> PreemptionRig::story() const {
    std::vector<std::string> lines;
    for (const FakeController::Mark& mark : device.marks) {
        if (mark.jobId != 0) {
            lines.push_back(mark.event + " " + std::to_string(mark.jobId));
        }
    }
    return lines;
}

const CompletionRecord& PreemptionRig::recordOf(std::uint64_t jobId) const {
    const auto found =
            std::find_if(completions.begin(), completions.end(),
                         [&](const CompletionRecord& record) { return record.jobId == jobId; });
    REQUIRE(found != completions.end());
    return *found;
}

SchedulingParameters scheduling(Policy policy, Mechanism mechanism, std::uint32_t flags) {
    SchedulingParameters parameters{};
    parameters.sizeBytes = sizeof(parameters);
    parameters.policy = policy;
    parameters.mechanism = mechanism;
    parameters.flags = flags;
    return parameters;
}

Message ringRequest(MessageType type, std::uint32_t ring, std::uint64_t jobId) {
    Message message = request(type, 6000 + ring);
    message.target.ring = ring;
    message.target.jobId = jobId;
    return message;
}

}  // namespace vnpu::fw::test
